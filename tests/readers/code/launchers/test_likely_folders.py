"""Scripts of a name that several folders have: what else the command names tells which folder it was written for."""

import time

import pytest

from schedmate.readers.code.reader import read_code
from schedmate.tools.repository import Repository
from tests.readers.code.programs import on_device

LOOP = """
import argparse
import torch
import yaml

parser = argparse.ArgumentParser()
parser.add_argument("--plan")
for name in {names}:
    parser.add_argument("--" + name)
told = parser.parse_args()
plan = yaml.safe_load(open(told.plan)) if told.plan else {{}}
model = torch.nn.Linear(3, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=plan.get("rate", {rate}))
for epoch in range(4):
    model(torch.zeros(2, 3)).sum().backward()
    optimizer.step()
"""
FILES = {
    "pears/main.py": LOOP.format(names="['rows', 'seed', 'cut']", rate=0.5),
    "pears/plans/late.yaml": "rate: 0.25\n",
    "plums/main.py": LOOP.format(names="['rows', 'seed', 'depth']", rate=0.7),
    "plums/plans/early.yaml": "rate: 0.125\n",
    "plums/tools/go.py": LOOP.format(names="['rows']", rate=0.9),
    "plums/jobs/far/deep.yaml": "rate: 0.0625\n",
}


@pytest.mark.parametrize(
    ("command", "rate"),
    [
        ("python main.py --plan plans/early.yaml", 0.125),
        ("torchrun main.py --plan=plans/late.yaml", 0.25),
        ("python main.py --rows 3 --seed 4 --cut 5", 0.5),
        ("python main.py --rows 3 --seed 4 --depth 5", 0.7),
        ("cd jobs/far && python ../../tools/go.py --plan deep.yaml", 0.0625),
        ("python ../../tools/go.py --plan deep.yaml", 0.0625),
        ("python ../../tools/go.py --rows 4", 0.9),
        ("python main.py --rows 3 --seed 4", None),
        ("python main.py --plan plans/absent.yaml", None),
        ("python main.py", None),
    ],
)
def test_the_folder_that_has_all_that_is_named(write, command, rate):
    reading = read_code(Repository(write(FILES)), command)
    assert reading.workload.learning_rate == rate


def test_a_submitted_script_that_one_folder_has(write):
    root = write({**FILES, "plums/grow.sh": "#SBATCH --nodes=2\npython main.py --plan plans/early.yaml\n"})
    workload = read_code(Repository(root), "sbatch grow.sh").workload
    assert (workload.learning_rate, workload.num_nodes) == (0.125, 2)


def test_many_scripts_of_one_name_in_many_folders_are_told_apart_in_time(write):
    files = {f"part{place}/grow.py": "rows = 3\n" for place in range(30)}
    files |= {f"deep{place}/one/two/note.txt": "" for place in range(1_500)}
    root = write({**files, "grow.py": "rows = 3\n"})
    words = " ".join(f"plan{place}.yaml" for place in range(300))
    started = time.monotonic()
    read_code(Repository(root), f"python ../../grow.py {words}")
    assert time.monotonic() - started < 5


def test_what_lies_elsewhere_is_not_taken_from_here(read):
    files = {"other/train.py": on_device()["train.py"]}
    assert read(files, "python ../other/train.py --x 1").epochs is None
