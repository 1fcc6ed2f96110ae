"""A program that hands its work to a library that nobody here knows: the work is followed, what it is given is open."""

import pytest

from tests.readers.code.programs import FIT_BATCHES, FIT_STEPS

PROGRAM = """
import argparse
import torch
import {library}

parser = argparse.ArgumentParser()
parser.add_argument("--heat", type=float, default=0.2)
options = parser.parse_args()

def {name}(oven=None):
    net = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=options.heat)
    for epoch in range(12):
        net(torch.zeros(1, 2)).sum().backward()
        optimizer.step()

{library}.kindle({name}, "bread.log")
"""


@pytest.mark.parametrize(
    ("library", "name", "epochs"),
    [("hearth", "main", 12), ("hearth", "train_model", 12), ("hearth", "crumble", None), ("numpy", "main", None)],
)
def test_work_that_is_handed_over_is_followed(read, library, name, epochs):
    job = read({"bake.py": PROGRAM.format(library=library, name=name)}, "python bake.py --heat 0.4")
    assert (job.is_training, job.epochs) == ((True, 12) if epochs else (None, None))
    assert job.learning_rate == (0.4 if epochs else None)


STAGE = (
    FIT_BATCHES
    + """
import somelibrary
class Solver(somelibrary.Base):
    def train(self):
        fit(0.2, 5)
    def run(self):
        self.run_stage("train", self.train)
Solver().run()
"""
)


def test_a_stage_that_a_library_is_told_to_run_is_followed(read):
    job = read({"main.py": STAGE}, "python main.py")
    assert (job.is_training, job.learning_rate) == (True, 0.2)


SETTINGS = """
from confetti import SettingsBase

class Opt(SettingsBase):
    n_steps: int = 300
    learning_rate: float = 5e-3

class Slow(Opt):
    learning_rate: float = 2e-4

class All(SettingsBase):
    seed: int = 1
    opt: Opt = Slow()
"""
READS_SETTINGS = (
    "import torch\nfrom settings import All\n"
    + FIT_STEPS
    + "net = torch.nn.LSTM(2, 2)\nfit(net, torch.optim.Adam(net.parameters(), lr=cfg.opt.learning_rate),"
    " cfg.opt.n_steps, iter([]))\n"
)


def with_settings(read, made, command="python train.py --opt.n_steps 70"):
    code = READS_SETTINGS.replace("net = ", f"import confetti\ncfg = {made}\nnet = ", 1)
    return read({"settings.py": SETTINGS, "train.py": code}, command)


def test_a_record_that_an_unknown_library_reads_from_the_command_line_is_filled(read):
    job = with_settings(read, "confetti.make_from_cli(All)")
    assert (job.total_steps, job.learning_rate) == (70, 2e-4)


def test_such_a_record_is_given_as_a_mapping(read):
    job = with_settings(read, "confetti.parse(All).to_dict()")
    assert (job.total_steps, job.learning_rate) == (70, 2e-4)


def test_a_function_that_does_not_say_that_it_reads_the_command_line_fills_nothing(read):
    job = with_settings(read, "confetti.describe(All)")
    assert (job.total_steps, job.learning_rate) == (None, None)


def test_an_object_that_is_shown_to_a_function_about_arguments_keeps_what_it_holds(read):
    for name in ("print_args", "check_args", "run_cmd", "parse_again"):
        made = f"All()\nconfetti.{name}(cfg)"
        job = with_settings(read, made, "python train.py --opt.n_steps 70 --opt.learning_rate 0.9")
        assert (job.total_steps, job.learning_rate) == (300, 2e-4), name


HANDED_ON = """
import torch
import tideloops

def NAME(told):
    net = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    net(torch.ones(2)).sum().backward()
    optimizer.step()

tideloops.execute(NAME)
"""


@pytest.mark.parametrize(("name", "trains"), [("do_training", True), ("perform_run", True), ("do_nothing", None)])
def test_work_that_is_handed_over_by_another_name_is_followed(read, name, trains):
    assert read({"go.py": HANDED_ON.replace("NAME", name)}, "python go.py").is_training is trains
