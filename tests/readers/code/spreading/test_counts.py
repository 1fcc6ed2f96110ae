"""GPUs and strategies of programs that start their processes themselves, or spread over what is there."""

import pytest


def test_processes_started_in_a_loop_are_counted_by_the_group_they_join(read, loop):
    program = f"""
import argparse
import multiprocessing as mp
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

def work(rank, size):
    dist.init_process_group(backend="nccl", world_size=size, rank=rank)
{loop(4, wrap="model = DistributedDataParallel(model.cuda())")}

parser = argparse.ArgumentParser()
parser.add_argument("--devices", nargs="+", default=["cuda:0"])
args = parser.parse_args()
for rank in range(len(args.devices)):
    mp.Process(target=work, args=(rank, len(args.devices))).start()
"""
    found = read({"go.py": program}, "python go.py --devices cuda:0 cuda:1 cuda:2")
    assert (found.num_gpus, found.global_batch_size, found.distributed) == (3, 48, "DDP")


def test_spawned_processes_without_a_wrapper_are_data_parallel(read, loop):
    program = f"""
import torch

def work(rank):
    torch.distributed.init_process_group("nccl", rank=rank, world_size=4)
{loop(4)}

torch.multiprocessing.spawn(work, args=(), nprocs=4)
"""
    found = read({"go.py": program}, "python go.py")
    assert (found.num_gpus, found.distributed, found.global_batch_size) == (4, "DDP", 64)


@pytest.mark.parametrize(("library", "label"), [("horovod.torch", "Horovod"), ("byteps.torch", "BytePS data parallel")])
def test_the_library_that_joins_processes_names_the_strategy(read, loop, library, label):
    program = f"import torch\nimport {library} as ring\nring.init()\n{loop()}\n"
    found = read({"go.py": program}, "mpirun -np 4 python go.py")
    assert (found.num_gpus, found.distributed) == (4, label)


def test_a_ring_program_that_nobody_starts_is_alone(read, loop):
    wrap = "model.cuda()\nif hvd.size() > 1:\n    model = hvd.DistributedOptimizer(model)"
    program = f"import torch\nimport horovod.torch as hvd\nhvd.init()\n{loop(wrap=wrap)}\n"
    found = read({"go.py": program}, "python go.py")
    assert (found.num_gpus, found.distributed, found.global_batch_size) == (1, "none", 16)


def test_the_trainer_of_one_process_states_no_number_of_gpus(read):
    program = """
        from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
        model = AutoModelForCausalLM.from_pretrained("gpt2")
        trainer = Trainer(model=model, args=TrainingArguments("out", per_device_train_batch_size=4))
        trainer.train()
        """
    found = read({"go.py": program}, "python go.py")
    assert (found.num_gpus, found.distributed, found.global_batch_size) == (None, "none", None)
    assert (found.batch_size, found.precision) == (4, "fp32")
    alone = read({"go.py": program}, "CUDA_VISIBLE_DEVICES=3 python go.py")
    assert (alone.num_gpus, alone.distributed, alone.global_batch_size) == (1, "none", 4)


def test_model_parallel_processes_share_one_copy_and_other_models_parts_do_not_count(read, loop):
    files = {
        "go.py": f"""
import torch
import yaml
config = yaml.safe_load(open("a.yaml"))
tp = config["tensor_parallel_size"]
torch.distributed.init_process_group("nccl")
{loop(wrap="model = torch.nn.parallel.DistributedDataParallel(model)")}
""",
        "a.yaml": "tensor_parallel_size: 2\nrollout:\n  pipeline_parallel_size: 4\n",
    }
    found = read(files, "torchrun --nproc_per_node 8 go.py")
    assert (found.num_gpus, found.global_batch_size) == (8, 64)
    assert found.distributed == "DDP+tensor parallel"


@pytest.mark.parametrize(("words", "gpus"), [("--num_gpus 2", 2), ("num_gpus=4", 4), ("", 8), ("--num_gpus $N", None)])
def test_the_commands_own_word_wins_over_a_configuration(read, words, gpus):
    files = {
        "go.py": """
            import sys
            import torch
            import yaml
            import opaque
            options = yaml.safe_load(open("base.yaml"))
            opaque.merge(options, sys.argv)
            model = torch.nn.DataParallel(torch.nn.Linear(2, 2), list(range(options["num_gpus"])))
            model(1).backward()
            """,
        "base.yaml": "num_gpus: 8\n",
    }
    assert read(files, f"python go.py {words}").num_gpus == gpus


def test_steps_that_the_command_chose_rule_out_epochs_that_it_did_not(read):
    files = {
        "go.py": """
            import argparse
            import torch
            import opaque
            parser = argparse.ArgumentParser()
            parser.add_argument("--max_steps", type=int, default=None)
            parser.add_argument("--epochs", type=int, default=100)
            args = parser.parse_args()
            loss = torch.nn.Linear(2, 2)(1)
            loss.backward()
            opaque.go(args.max_steps, args.epochs)
            """,
    }
    found = read(files, "python go.py --max_steps 500")
    assert (found.total_steps, found.epochs) == (500, None)
    assert read(files, "python go.py").epochs == 100


def test_a_program_may_say_itself_which_gpus_it_sees(read):
    train = """
import argparse, os
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--gpus", default="0")
os.environ["CUDA_VISIBLE_DEVICES"] = parser.parse_args().gpus
model = torch.nn.Linear(4, 2)
if torch.cuda.device_count() > 1:
    model = torch.nn.DataParallel(model)
model.cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.25)
for epoch in range(3):
    model(torch.randn(8, 4).cuda()).sum().backward()
    optimizer.step()
"""
    two = read({"train.py": train}, "python train.py --gpus 2,3")
    assert (two.num_gpus, two.distributed) == (2, "DataParallel")
    one = read({"train.py": train}, "python train.py")
    assert (one.num_gpus, one.distributed) == (1, "none")
    assert read({"train.py": train}, "torchrun --nproc_per_node 4 train.py").num_gpus == 4
    assert read({"train.py": train}, "python train.py --gpus -1").num_gpus is None


def test_an_evaluation_that_is_not_followed_may_use_more_devices_than_are_seen(read):
    look = """
import torch

def evaluate_model(model):
    torch.nn.DataParallel(model).eval()

def main():
    model = torch.nn.Linear(4, 2).to("cuda:0")
    {call}

main()
"""
    assert read({"look.py": look.replace("{call}", "evaluate_model(model)")}, "python look.py").num_gpus is None
    seen = read({"look.py": look.replace("{call}", "model.eval()")}, "python look.py")
    assert (seen.is_training, seen.num_gpus) == (False, 1)


def test_a_job_of_which_nothing_is_known_is_not_said_to_run_on_the_cpu(read):
    train = "import sys\nimport torch\nplans = {}\n\ndef work():\n    pass\n\n"
    train += "torch.zeros(2).to('cpu')\nplans[sys.stdin.read()]().launcher(work)\ntorch.load('y').eval()\n"
    job = read({"train.py": train}, "python train.py")
    assert (job.is_training, job.num_gpus) == (None, None)


@pytest.mark.parametrize(
    ("wrap", "gpus"),
    [
        ("if torch.cuda.device_count() > 1:\n    model = torch.nn.DataParallel(model, device_ids=[0, 1, 2])\n", 3),
        ("if torch.cuda.device_count() > 1:\n    model = torch.nn.DataParallel(model)\n", None),
        ("if torch.cuda.device_count() > 1:\n    model = torch.nn.DataParallel(model, device_ids=[2])\n", None),
        ("if input():\n    model = torch.nn.DataParallel(model, device_ids=[0, 1, 2])\n", None),
        (
            "if torch.cuda.device_count() == 2:\n    model = torch.nn.DataParallel(model, device_ids=[0, 1])\n"
            "if torch.cuda.device_count() > 2:\n    model = torch.nn.DataParallel(model, device_ids=[0, 1, 2])\n",
            None,
        ),
    ],
)
def test_devices_that_are_told_where_there_are_several(read, loop, wrap, gpus):
    found = read({"go.py": f"import torch\n{loop(wrap=wrap)}\n"}, "python go.py")
    assert found.num_gpus == gpus
    assert "device_count" not in wrap or found.distributed == "DataParallel"
