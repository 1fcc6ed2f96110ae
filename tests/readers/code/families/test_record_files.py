"""Configurations that are records in code, and files and words that fill them."""

import json

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

CLI_MODULE = (
    TORCH_HEAD
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
        TORCH_HEAD
        + TORCH_LOOP
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
    program = TORCH_HEAD + TORCH_LOOP + PLAN + made + "train(plan.optim.lr, plan.batch_size, plan.epochs)\n"
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
