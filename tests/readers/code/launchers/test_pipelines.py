"""Jobs that a tool of experiments starts by its file: stages of DVC, a sweep of Weights & Biases."""

TRAIN = """
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float, default=0.5)
parser.add_argument("--rounds", type=int, default=2)
options = parser.parse_args()
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=options.rate)
for epoch in range(options.rounds):
    model(torch.rand(4)).sum().backward()
    optimizer.step()
"""
STAGES = """
stages:
  clean:
    cmd: python clean.py
  learn:
    cmd: python fit.py --rate ${fit.rate} --rounds ${unknown}
"""
FILES = {"fit.py": TRAIN, "clean.py": "print(1)\n", "dvc.yaml": STAGES, "params.yaml": "fit:\n  rate: 0.03\n"}


def test_stages_are_run_with_their_settings(read):
    for command in ("dvc repro", "dvc exp run", "dvc repro learn"):
        job = read(FILES, command)
        assert (job.is_training, job.learning_rate) == (True, 0.03), command
    assert read(FILES, "dvc repro clean").is_training is False


def test_other_words_of_the_tool_start_nothing(read):
    assert read(FILES, "dvc pull").is_training is None


SWEEP = """
program: fit.py
method: random
parameters:
  rate:
    values: [0.1, 0.2]
  rounds:
    value: 6
"""


def test_a_sweep_gives_what_is_the_same_for_all_its_runs(read):
    files = {"fit.py": TRAIN, "search.yaml": SWEEP}
    for command in ("wandb sweep search.yaml", "wandb agent somebody/project/a1b2c3"):
        job = read(files, command)
        assert (job.is_training, job.epochs, job.learning_rate) == (True, 6, None), command


def test_of_two_sweeps_the_command_has_to_name_one(read):
    files = {"fit.py": TRAIN, "search.yaml": SWEEP, "other.yaml": SWEEP.replace("6", "7")}
    assert read(files, "wandb agent somebody/project/a1b2c3").is_training is None
    assert read(files, "wandb sweep other.yaml").epochs == 7


def test_bad_files_start_nothing(read):
    odd = ("stages: [1, 2]", "stages:\n  a: 3", "stages:\n  a: {cmd: [[1]]}", "- x", "stages: &a {b: *a}", "{", "")
    for text in odd:
        assert read({"dvc.yaml": text, "fit.py": TRAIN}, "dvc repro").is_training is not True
    for text in ("program: 3\nmethod: x\nparameters: 4", "program: fit.py\nmethod: x\nparameters: [1]"):
        read({"search.yaml": text, "fit.py": TRAIN}, "wandb sweep search.yaml")


def test_a_variable_that_nobody_sets_stands_for_python_before_its_file(read):
    for started in ("$PYTHON", "${PY}", "%run", "!python"):
        job = read({"fit.py": TRAIN}, f"{started} fit.py --rate 0.2")
        assert (job.is_training, job.learning_rate) == (True, 0.2), started
