"""Batches, steps, devices and sizes that belong to another phase, another loader or another part of the job."""

import pytest

from tests.readers.code.programs import TORCH_HEAD

CUT_BY_HAND = (
    TORCH_HEAD
    + """
def check(net, rows, minibatch_size=1):
    return [net(rows[place:place + minibatch_size]) for place in range(0, 90, minibatch_size)]

import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--test-batch-size", type=int, default=1)
args = parser.parse_args()
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
rows = torch.load("rows.pt")
for step in range(40):
    net(rows[step : step + args.batch_size]).sum().backward()
    optimizer.step()
    check(net, rows, args.test_batch_size)
"""
)


def test_a_batch_of_tests_under_another_name_is_not_that_of_training(read):
    job = read({"go.py": CUT_BY_HAND}, "python go.py --batch-size 24 --test-batch-size 2")
    assert job.batch_size == 24


PREPARES = """
import argparse
from torch.utils.data import DataLoader
from voices import Settings, Trainer, read_samples

def write_masks(samples):
    size = 16
    for batch in DataLoader(samples, batch_size=size):
        print(batch)

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=4)
args = parser.parse_args()
settings = Settings(batch_size=args.batch_size)
if not settings.has_masks:
    write_masks(read_samples())
trainer = Trainer(settings)
trainer.fit()
"""


def test_a_loader_that_may_only_prepare_gives_way_to_what_the_command_asks_for(read):
    assert read({"go.py": PREPARES}, "python go.py --batch_size 48").batch_size == 48


ROUNDS = """
import agents
import gym
import torch

num_iterations, training_steps = {rounds}, {steps}
env = gym.make("Pong-v0")
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--num_iterations", type=int, default=30)
parser.add_argument("--training_steps", type=int, default=5000)
args = parser.parse_args()

runner = agents.Runner(args.num_iterations, args.training_steps, env, net, optimizer)
while runner.goes_on():
    net(runner.seen()).backward()
    optimizer.step()
"""


def test_an_agent_trains_so_many_rounds_of_so_many_steps(read):
    job = read(
        {"go.py": ROUNDS.format(rounds=30, steps=5000)}, "python go.py --num_iterations 20 --training_steps 4000"
    )
    assert job.total_steps == 80_000


OLD = """
import argparse
import pytorch_lightning as pl
from torch.utils.data import DataLoader

class Net(pl.LightningModule):
    pass

args = argparse.Namespace()
args.gpus = -1
args.accelerator = {accelerator!r}
args.max_epochs = 4
trainer = pl.Trainer.from_argparse_args(args)
trainer.fit(Net(), DataLoader(range(64), batch_size=8))
"""


@pytest.mark.parametrize(("accelerator", "strategy"), [("ddp", "DDP"), ("dp", "DataParallel")])
def test_old_trainers_of_lightning_are_told_their_strategy_as_an_accelerator(read, accelerator, strategy):
    job = read({"go.py": OLD.format(accelerator=accelerator)}, "python go.py")
    assert (job.distributed, job.num_gpus, job.batch_size) == (strategy, None, 8)
    assert job.global_batch_size == (8 if accelerator == "dp" else None)


SHALLOW = """
import torch
import xgboost as xgb

class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def forward(self, rows):
        return self.layer(rows)

encoder = Encoder()
with torch.no_grad():
    features = encoder(torch.ones(3, 4))
xgb.XGBClassifier().fit(features, [0, 1, 1])
"""


def test_a_network_that_only_works_features_out_has_not_the_models_size(read):
    job = read({"go.py": SHALLOW}, "python go.py")
    assert (job.model_name, job.param_size) == ("XGBClassifier", None)


UNKNOWN_ROWS = """
import os
import torch
from torch.utils.data import DataLoader, Dataset

def rows_of(folder):
    rows = []
    for name in os.listdir(folder):
        rows.append([name, 1])
    return rows

class Rows(Dataset):
    def __init__(self):
        rows = []
        for folder in os.listdir("people"):
            {grow}
        self.rows = [(row, 0) for row in rows]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, place):
        return self.rows[place]

net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader(Rows(), batch_size=2, shuffle=True)
for epoch in range(9):
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize("grow", ["rows += rows_of(folder)", "rows.extend(rows_of(folder))"])
def test_steps_over_lists_that_grow_by_what_is_not_known_are_open(read, grow):
    job = read({"go.py": UNKNOWN_ROWS.format(grow=grow)}, "python go.py")
    assert (job.epochs, job.total_steps) == (9, None)


def test_how_often_an_agent_goes_over_its_rollouts_is_no_number_of_epochs(read):
    code = ROUNDS.format(rounds=3, steps=4).replace("args.num_iterations, ", "n_epochs, ") + "print(n_epochs)\n"
    code = code.replace("import argparse", "n_epochs = 8\nimport argparse").replace("num_iterations", "rounds")
    code = code.replace(
        'parser.add_argument("--rounds"',
        'parser.add_argument("--n_epochs", type=int, default=8)\nparser.add_argument("--rounds"',
    )
    assert read({"go.py": code}, "python go.py").epochs is None


ENGINE = """
import deepspeed
import torch
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2")
engine, _, _, _ = deepspeed.initialize(model=model, config="engine.json")
for step in range(6):
    engine.backward(engine(step))
    engine.step()
"""


def test_an_engine_that_places_the_model_by_itself_does_not_run_on_the_cpu(read):
    assert read({"go.py": ENGINE, "engine.json": "{}"}, "python go.py").num_gpus != 0
