"""Files of the repository that a program names: which file a path means, and `open`."""

import pytest

from tests.readers.code.programs import FIT_BATCHES


def test_lines_of_large_files_are_not_gone_over(outcome):
    code = "x = 0\nfor line in open('c.txt'):\n    x = line\n"
    assert outcome(code, "", {"c.txt": "a=1\n" * 100_000}) == "unknown"


FILES = {
    "configs/sub/job.yaml": "rate: 0.25\nrows: 8\n",
    "settings/job.json": '{"rate": 0.25, "rows": 8}\n',
    "parts/job_of_mine.py": "RATE, ROWS = 0.25, 8\n",
    "pkg/__init__.py": "",
    "pkg/job.json": '{"rate": 0.25, "rows": 8}\n',
    "pkg/net.py": "class Net:\n    def __init__(self, rows):\n        self.rows = rows\ndef other():\n    pass\n",
}
FOUND_HEAD = "import glob, json, os, yaml\nfrom enum import Enum\nfrom pathlib import Path\n"


def test_data_that_is_not_here_may_exist(outcome):
    code = FOUND_HEAD + "x = 0\nif os.path.exists('/data/job.yaml') or os.path.exists('rows.bin'):\n    x = 1\n"
    assert outcome(code, "", FILES) == "unknown"


@pytest.mark.parametrize("path", ["data/words.json", "out/settings.yaml", "weights"])
def test_what_a_program_asks_for_first_may_exist_beside_code_of_that_name(outcome, path):
    files = {"data.py": "", "data/README.md": "", "weights.py": "", "settings.py": ""}
    code = f"import os, sys\nif not os.path.exists({path!r}):\n    sys.exit(1)\nx = 8\n"
    assert outcome(code, "", files) == 8


PROGRAM = """
import torch

model = torch.nn.Linear(3, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.6)
for epoch in range(4):
    model(torch.zeros(2, 3)).sum().backward()
    optimizer.step()
"""
BY_FILE = """
import yaml
from parts.settings import load

told = load("plan.yaml")
""" + PROGRAM.replace("0.6", "told['rate']")


@pytest.mark.parametrize("named", ["plan.yaml", "./plans/plan.yaml", "../plans/plan.yaml"])
def test_settings_that_lie_beside_the_script_are_found_though_it_is_started_elsewhere(read, named):
    place = {"plan.yaml": "orchard/plan.yaml", "./plans/plan.yaml": "orchard/plans/plan.yaml"}
    files = {
        "orchard/prune.py": BY_FILE.replace("plan.yaml", named),
        "orchard/parts/settings.py": "import yaml\ndef load(path):\n    return yaml.safe_load(open(path))\n",
        place.get(named, "plans/plan.yaml"): "rate: 0.75\n",
    }
    assert read(files, "python orchard/prune.py").learning_rate == 0.75


@pytest.mark.parametrize("path", ["/elsewhere/base.yaml", "/up/../configs/base.yaml", "/etc/passwd"])
def test_another_machines_file_is_not_taken_for_one_of_the_same_name_alone(read, path):
    code = FIT_BATCHES + "import sys, yaml\ncfg = yaml.safe_load(open(sys.argv[1]))\nfit(cfg['lr'], 3)\n"
    job = read(
        {"train.py": code, "base.yaml": "lr: 0.3\n", "configs/base.yaml": "lr: 0.4\n"}, f"python train.py {path}"
    )
    assert job.learning_rate is None


@pytest.mark.parametrize(
    ("command", "lies", "rate"),
    [
        ("python go.py config/base.yaml", {"configs/base.yaml": "rate: 0.3\n"}, 0.3),
        ("python go.py config/base.yaml", {"configs/base.yaml": "rate: 0.3\n", "old/base.yaml": "rate: 0.4\n"}, None),
        ("python go.py config/base.yaml", {"configs/base.yaml": "rate: 0.3\n", "config/one.yaml": "rate: 0.4\n"}, None),
        ("python go.py config/base.yaml", {"plums/base.yaml": "rate: 0.3\n"}, None),
        ("python go.py config/red_plums.yaml", {"plums/red_plums.yaml": "rate: 0.3\n"}, 0.3),
        ("python go.py config/red_plums.yaml", {"tests/fixtures/red_plums.yaml": "rate: 0.3\n"}, None),
        ("python go.py outputs/mine/red_plums.yaml", {"plums/red_plums.yaml": "rate: 0.3\n"}, None),
        ("python go.py rows/base.json", {"examples/base.json": '{"rate": 0.3}'}, None),
    ],
)
def test_settings_that_the_command_names_in_no_folder_of_the_repository_are_those_of_that_name(
    read, command, lies, rate
):
    code = "import sys, yaml\ntold = yaml.safe_load(open(sys.argv[1]))\n" + PROGRAM.replace("0.6", "told['rate']")
    assert read({"go.py": code, **lies}, command).learning_rate == rate


@pytest.mark.parametrize(
    ("lies", "rate"),
    [
        ({"recipes/plums/plan/base.yaml": "rate: 0.3\n", "recipes/pears/plan/base.yaml": "rate: 0.4\n"}, 0.3),
        ({"recipes/plums/plan/base.yaml": "rate: 0.3\n", "plan/base.yaml": "rate: 0.5\n"}, 0.5),
        ({"recipes/pears/plan/base.yaml": "rate: 0.4\n", "recipes/apples/plan/base.yaml": "rate: 0.6\n"}, None),
    ],
)
def test_settings_that_lie_beside_the_shell_script_are_found_though_it_is_started_elsewhere(read, lies, rate):
    code = "import sys, yaml\ntold = yaml.safe_load(open(sys.argv[1]))\n" + PROGRAM.replace("0.6", "told['rate']")
    files = {"core/go.py": code, "recipes/plums/run.sh": "python core/go.py plan/base.yaml\n", **lies}
    assert read(files, "bash recipes/plums/run.sh").learning_rate == rate
