"""Configurations that are records or objects in code, and files that fill them."""

import json

import pytest

from tests.readers.code.families.training_loop import HEAD, LOOP

CLI_MODULE = (
    HEAD
    + """
import lightning as L
from lightning.pytorch.cli import LightningCLI

class Net(torch.nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, width, 3)

class Task(L.LightningModule):
    def __init__(self, net: torch.nn.Module = None, lr: float = 0.5, batch_size: int = 1):
        super().__init__()
        self.save_hyperparameters(ignore=["net"])
        self.net = net

    def training_step(self, batch, index):
        return self.net(batch).sum()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.hparams.lr)

class Data(L.LightningDataModule):
    def __init__(self, batch_size: int = 2):
        super().__init__()
        self.batch_size = batch_size

    def train_dataloader(self):
        return DataLoader(TensorDataset(torch.randn(8, 3, 8, 8)), batch_size=self.batch_size, shuffle=True)

class CLI(LightningCLI):
    def add_arguments_to_parser(self, parser):
        parser.link_arguments("data.batch_size", "model.batch_size")

if __name__ == "__main__":
    CLI(Task, Data)
"""
)
CLI_FILE = """
fit:
  trainer: {max_epochs: 3, devices: 2, strategy: ddp}
  model:
    lr: 0.1
    net: {class_path: train.Net, init_args: {width: 16}}
  data: {batch_size: 32}
"""
TRAINER = """
import sys
from dataclasses import dataclass
import torch
from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments

@dataclass
class Options(TrainingArguments):
    cutoff: int = 16

@dataclass
class Model:
    name: str = "gpt2"

def main():
    parser = HfArgumentParser((Options, Model))
    if len(sys.argv) == 2 and sys.argv[1].endswith(".json"):
        args, model = parser.parse_json_file(json_file=sys.argv[1])
    else:
        args, model = parser.parse_args_into_dataclasses()
    net = AutoModelForCausalLM.from_pretrained(model.name)
    Trainer(model=net, args=args, train_dataset=None).train()

main()
"""
FILLED = {
    "output_dir": "out",
    "learning_rate": 0.0003,
    "per_device_train_batch_size": 4,
    "num_train_epochs": 2,
    "bf16": True,
    "name": "facebook/opt-125m",
}


def test_lightning_makes_model_and_data_of_a_file_and_the_words_over_it(read):
    job = read({"train.py": CLI_MODULE, "a.yaml": CLI_FILE}, "python train.py fit --config a.yaml --model.lr=0.01")
    assert (job.is_training, job.learning_rate, job.optimizer, job.epochs) == (True, 0.01, "SGD", 3)
    assert (job.batch_size, job.num_gpus, job.global_batch_size, job.distributed) == (32, 2, 64, "DDP")


def test_lightning_told_not_to_run_leaves_the_running_to_the_program(read):
    program = CLI_MODULE.replace("    CLI(Task, Data)", "    cli = CLI(Task, Data, run=False)\n    {}")
    words = "python train.py --trainer.max_epochs 4 --data.batch_size 8"
    trained = read({"train.py": program.format("cli.trainer.fit(cli.model, datamodule=cli.datamodule)")}, words)
    assert (trained.is_training, trained.epochs, trained.batch_size) == (True, 4, 8)
    assert read({"train.py": program.format("cli.trainer.test(cli.model)")}, words).is_training is not True


def test_a_json_file_fills_records_that_extend_a_librarys(read):
    job = read({"train.py": TRAINER, "job.json": json.dumps(FILLED)}, "torchrun --nproc_per_node 2 train.py job.json")
    assert (job.learning_rate, job.batch_size, job.epochs, job.precision) == (0.0003, 4, 2, "bf16")
    assert (job.global_batch_size, job.model_name) == (8, "facebook/opt-125m")


def test_words_fill_records_that_extend_a_librarys(read):
    words = "python train.py --output_dir o --learning_rate 1e-4 --max_steps 50 --name facebook/opt-125m"
    job = read({"train.py": TRAINER}, words)
    assert (job.learning_rate, job.total_steps, job.batch_size) == (0.0001, 50, 8)


LAZY = {
    "train.py": HEAD
    + """
from detectron2.config import LazyConfig, instantiate
from detectron2.engine import default_argument_parser

def main(args):
    cfg = LazyConfig.load(args.config_file)
    cfg = LazyConfig.apply_overrides(cfg, args.opts)
    model = instantiate(cfg.model)
    cfg.optimizer.params = model.parameters()
    optimizer = instantiate(cfg.optimizer)
    for step in range(cfg.train.max_iter):
        model(torch.randn(4)).sum().backward()
        optimizer.step()

main(default_argument_parser().parse_args())
""",
    "net.py": "import torch\nclass Net(torch.nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
    "        self.conv = torch.nn.Conv2d(3, width, 3)\n",
    "configs/common.py": "import torch\nfrom detectron2.config import LazyCall as L\n"
    "optimizer = L(torch.optim.AdamW)(lr=0.5)\ntrain = dict(max_iter=1000)\n",
    "configs/small.py": "from detectron2.config import LazyCall as L\nfrom net import Net\n"
    "from .common import optimizer, train\nmodel = L(Net)(width=8)\noptimizer.lr = 0.25\n",
}


def test_lazy_configurations_are_overridden_and_made(read):
    job = read(LAZY, "python train.py --config-file configs/small.py train.max_iter=70 optimizer.lr=0.125")
    assert (job.model_name, job.optimizer, job.learning_rate, job.total_steps) == ("Net", "AdamW", 0.125, 70)


FLAGS = {
    "main.py": HEAD
    + LOOP
    + """
from absl import app, flags
from ml_collections import config_flags

FLAGS = flags.FLAGS
config_flags.DEFINE_config_file("config", "configs/base.py")
flags.DEFINE_enum("mode", "train", ["train", "eval"], "")

def main(argv):
    if FLAGS.mode == "train":
        c = FLAGS.config
        train(c.optim.lr, c.batch_size, c.epochs)

if __name__ == "__main__":
    app.run(main)
""",
    "configs/base.py": "import ml_collections\ndef get_config(size=''):\n    c = ml_collections.ConfigDict()\n"
    "    c.optim = optim = ml_collections.ConfigDict()\n    optim.lr = 0.5\n    c.batch_size = 8\n"
    "    c.epochs = {'long': 20}.get(size, 2)\n    return c\n",
}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("--config=configs/base.py:long --config.optim.lr=0.01", (0.01, 8, 20)),
        ("--config configs/base.py --config.batch_size 16", (0.5, 16, 2)),
        ("", (0.5, 8, 2)),
    ],
)
def test_flags_of_a_config_file_take_an_argument_and_overrides(read, words, found):
    job = read(FLAGS, f"python main.py {words}")
    assert (job.learning_rate, job.batch_size, job.epochs) == found
    assert read(FLAGS, f"python main.py {words} --mode=eval").is_training is not True


def test_keras_models_tell_their_optimizer_and_their_fit(read):
    program = """
import keras
from keras import layers

(x, y), _ = keras.datasets.cifar10.load_data()
model = keras.Sequential([layers.Conv2D(32, 3), layers.Flatten(), layers.Dense(10)])
model.compile(optimizer=keras.optimizers.RMSprop(learning_rate=0.002), loss="mse")
model.fit(x, y, batch_size=64, epochs=7)
"""
    job = read({"train.py": program}, "python train.py")
    assert (job.is_training, job.optimizer, job.learning_rate) == (True, "RMSprop", 0.002)
    assert (job.batch_size, job.epochs, job.dataset_name) == (64, 7, "CIFAR-10")


def test_mlxu_flags_reach_into_mappings(read):
    program = (
        HEAD
        + LOOP
        + """
import mlxu

def defaults():
    config = mlxu.config_dict()
    config.lr = 0.5
    config.rounds = 2
    return config

FLAGS, FLAGS_DEF = mlxu.define_flags_with_default(batch_size=8, optimizer=defaults())

def main(argv):
    train(FLAGS.optimizer.lr, FLAGS.batch_size, FLAGS.optimizer.rounds)

if __name__ == "__main__":
    mlxu.run(main)
"""
    )
    job = read({"train.py": program}, "python train.py --batch_size=16 --optimizer.lr=0.01")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 2)


def test_gin_makes_what_a_reference_names_with_its_scope_and_its_arguments(read):
    program = (
        HEAD
        + LOOP.replace("def train(lr, batch_size, epochs)", "@gin.configurable\ndef fit(plan)").replace(
            "    model =", "    lr, batch_size, epochs = plan.lr, plan.batch_size, plan.epochs\n    model =", 1
        )
        + """
@gin.configurable
class Plan:
    def __init__(self, lr, batch_size, epochs=2):
        self.lr, self.batch_size, self.epochs = lr, batch_size, epochs

gin.parse_config_file("job.gin")
fit()
"""
    )
    bindings = "fit.plan = @long/Plan()\nPlan.lr = 0.5\nlong/Plan.lr = 0.01\nPlan.batch_size = 16\n"
    job = read({"train.py": "import gin\n" + program, "job.gin": bindings}, "python train.py")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 2)


def test_a_configuration_is_filtered_by_a_function_that_calls_itself(read):
    program = (
        HEAD
        + LOOP
        + """
from collections.abc import Mapping, Sequence
import yaml

def without_marks(node):
    if isinstance(node, Mapping):
        return {key: without_marks(value) for key, value in node.items() if not key.startswith("__")}
    if isinstance(node, Sequence) and not isinstance(node, str):
        return [without_marks(value) for value in node]
    return node

cfg = without_marks(yaml.safe_load(open("a.yaml")))
train(cfg["run"]["optim"]["lr"], cfg["run"]["batch_size"], cfg["run"]["epochs"])
"""
    )
    text = "__note: 1\nrun: {optim: {lr: 0.01, __seen: 2}, batch_size: 16, epochs: 3}\n"
    job = read({"train.py": program, "a.yaml": text}, "python train.py")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 3)


PLAN = """
from dataclasses import dataclass, field

@dataclass(frozen=True)
class Optim:
    lr: float = 0.5

@dataclass(frozen=True)
class Plan:
    name: str
    optim: Optim = field(default_factory=Optim)
    batch_size: int = 8
    epochs: int = 1
"""


def test_a_record_is_picked_by_its_name_and_overridden(read):
    program = (
        HEAD
        + LOOP
        + PLAN
        + """
import tyro

PLANS = [Plan(name="quick", epochs=3), Plan(name="slow_one", optim=Optim(lr=0.25), epochs=9)]

def main(plan: Plan):
    train(plan.optim.lr, plan.batch_size, plan.epochs)

main(tyro.extras.overridable_config_cli({plan.name: (plan.name, plan) for plan in PLANS}))
"""
    )
    job = read({"train.py": program}, "python train.py slow_one --batch-size 16")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.25, 16, 9)
    assert read({"train.py": program}, "python train.py quick --optim.lr=0.01").learning_rate == 0.01
    assert read({"train.py": program}, "python train.py other").learning_rate is None


@pytest.mark.parametrize("maker", ["dacite.from_dict(data_class=Plan, data=data)", "cattrs.structure(data, Plan)"])
def test_a_mapping_is_turned_into_records(read, maker):
    made = f"import cattrs, dacite, yaml\ndata = yaml.safe_load(open('plan.yaml'))\nplan = {maker}\n"
    program = HEAD + LOOP + PLAN + made + "train(plan.optim.lr, plan.batch_size, plan.epochs)\n"
    text = "name: a\noptim: {lr: 1.0e-2}\nbatch_size: 16\n"
    job = read({"train.py": program, "plan.yaml": text}, "python train.py")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 1)


def test_a_record_of_pydantic_is_no_network(read):
    program = (
        "import torch\nfrom pydantic import BaseModel\n"
        "class Statistics(BaseModel):\n    mean: float = 0.0\n"
        "known = Statistics.model_validate({'mean': 0.5})\n"
        "weight = torch.nn.Parameter(torch.zeros(4))\noptimizer = torch.optim.SGD([weight], lr=0.1)\n"
        "for epoch in range(3):\n    (weight * known.mean).sum().backward()\n    optimizer.step()\n"
    )
    job = read({"train.py": program}, "python train.py")
    assert (job.model_name, job.learning_rate, job.epochs) == (None, 0.1, 3)
