"""Which option counts: what the command says of it, how it is named, and where it stands."""

import pytest

PLAIN = """
import codecs
import sys
import torch
import yaml
import opaque

config = yaml.safe_load({opener}("conf/a.yaml"))
opaque.adjust(config, sys.argv)
model = torch.nn.Linear(2, 2).cuda()
model(1).backward()
opaque.finish(model, config)
"""


@pytest.mark.parametrize("opener", ["open", "codecs.open", "__import__('io').open"])
def test_a_configuration_that_the_command_names_speaks_where_the_code_is_not_followed(read, opener):
    files = {
        "go.py": PLAIN.format(opener=opener),
        "conf/a.yaml": "optimizer:\n  type: AdamW\n  lr: 0.02\niters: 900\nbatch_size: 12\n",
    }
    found = read(files, "python go.py --config conf/a.yaml")
    assert (found.optimizer, found.learning_rate) == ("AdamW", 0.02)
    assert (found.batch_size, found.total_steps, found.epochs) == (12, 900, None)


def test_two_options_that_end_alike_do_not_speak_for_one_another(read):
    files = {
        "go.py": PLAIN.format(opener="open").replace("opaque.finish", 'config["lr"]\nopaque.finish'),
        "conf/a.yaml": "lr: 0.5\n",
    }
    one = read(files, "python go.py actor.lr=0.1")
    two = read(files, "python go.py actor.lr=0.1 critic.lr=0.2")
    last = read(files, "python go.py --lr 0.1 --lr 0.2")
    assert (one.learning_rate, two.learning_rate, last.learning_rate) == (0.1, 0.5, 0.2)


def test_options_put_into_an_objects_own_names_count(read):
    program = """
        import argparse
        import json
        import torch

        class Settings:
            def __init__(self, **given):
                self.do_train = True
                self.rate = 5e-4
                for name, value in given.items():
                    if name not in self.__dict__:
                        raise ValueError(name)
                    self.__dict__[name] = value

        parser = argparse.ArgumentParser()
        parser.add_argument("--hparams", default="{}")
        settings = Settings(**json.loads(parser.parse_args().hparams))
        if settings.do_train:
            model = torch.nn.Linear(2, 2).cuda()
            optimizer = torch.optim.SGD(model.parameters(), lr=settings.rate)
            model(1).backward()
            optimizer.step()
        """
    found = read({"go.py": program}, """python go.py --hparams '{"rate": 0.1}'""")
    assert (found.is_training, found.learning_rate) == (True, 0.1)
    assert read({"go.py": program}, """python go.py --hparams '{"do_train": false}'""").is_training is not True


def test_a_micro_batch_that_the_command_names_is_the_devices(read, loop):
    program = f"""
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--train_batch_size", type=int, default=64)
parser.add_argument("--micro_batch_size_per_gpu", type=int, default=8)
args = parser.parse_args()
print(args.micro_batch_size_per_gpu)
{loop(batch="args.train_batch_size")}
"""
    assert read({"go.py": program}, "python go.py --micro_batch_size_per_gpu 4").batch_size == 4
    assert read({"go.py": program}, "python go.py").batch_size == 64


@pytest.mark.parametrize(("name", "whole"), [("per_device_batch_size", None), ("batch_size", 12)])
def test_a_jax_batch_is_that_of_all_devices_unless_its_name_says_otherwise(read, name, whole):
    program = f"""
        import argparse
        import jax
        parser = argparse.ArgumentParser()
        parser.add_argument("--{name}", type=int, default=12)
        args = parser.parse_args()
        devices = jax.device_count()
        step = jax.pmap(lambda x: x)
        grads = jax.value_and_grad(step)(args.{name} * devices)
        """
    found = read({"go.py": program}, "python go.py")
    assert (found.batch_size, found.global_batch_size) == (12, whole)


def test_a_table_of_optimizers_asked_for_what_is_not_known_names_none(read):
    program = """
        import torch
        TABLE = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD}
        model = torch.nn.Linear(2, 2).cuda()
        optimizer = TABLE[open("/choice").read()](model.parameters(), lr=0.1)
        model(1).backward()
        optimizer.step()
        """
    assert read({"go.py": program}, "python go.py").optimizer is None


def test_a_positive_scale_of_gradients_is_no_learning_rate(read):
    program = """
        import jax
        import optax
        chain = optax.chain(optax.scale(1 / 16), optax.scale_by_adam(), optax.scale(-0.002))
        grads = jax.value_and_grad(lambda x: x)(1.0)
        """
    found = read({"go.py": program}, "python go.py")
    assert (found.optimizer, found.learning_rate) == ("Adam", 0.002)


def test_a_task_file_is_read_as_its_first_node_sees_it(read, loop):
    files = {
        "task.yaml": """
            resources:
              accelerators: A100:4
            num_nodes: 2
            run: |
              if [ "$SKYPILOT_NODE_RANK" == "0" ]; then
                torchrun --nnodes=$SKYPILOT_NUM_NODES --nproc_per_node=$SKYPILOT_NUM_GPUS_PER_NODE go.py
              else
                ray start
              fi
            """,
        "go.py": f'import torch\ntorch.distributed.init_process_group("nccl")\n{loop()}\n',
    }
    found = read(files, "sky launch task.yaml")
    assert (found.num_gpus, found.num_nodes, found.hardware, found.is_training) == (8, 2, "A100", True)
