"""Errors that a program raises where files are missing: users' runs have them, and go on."""

import pytest

PROGRAM = """
import torch

def load(folder):
    found = []
    if not found:
        raise FileNotFoundError(folder)
    return found

def main():
    {before}
        files = load("scans")
        model = torch.nn.Linear(4, 2)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
        for name in range(3):
            model(name).sum().backward()
            optimizer.step()
    {after}

main()
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("try:", "finally:\n        print('done')"),
        ("try:", "except OSError:\n        print('no scans')\n        raise"),
        ("try:", "except OSError as error:\n        import sys\n        sys.exit(1)"),
        ("if True:", ""),
    ],
)
def test_an_error_that_would_end_the_program_is_not_what_the_run_does(read, before, after):
    found = read({"go.py": PROGRAM.format(before=before, after=after)}, "python go.py")
    assert (found.is_training, found.learning_rate) == (True, 0.02)


def test_an_error_that_is_caught_is_followed_to_what_comes_instead(read):
    program = PROGRAM.format(before="try:", after="except OSError:\n        files = []")
    assert read({"go.py": program}, "python go.py").learning_rate is None


def test_python_2_of_which_nothing_is_lost_is_read_to_its_end(read):
    program = """
    import torch
    print "tides", 3
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for batch in range(10):
        model(batch).sum().backward()
        optimizer.step()
    """
    assert read({"go.py": program}, "python go.py").precision == "fp32"


ADAPTED = """
import inspect
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

accepted = set(inspect.signature(TrainingArguments.__init__).parameters)
taken = {}
for name, value in {"learning_rate": 0.0003, "num_train_epochs": 7}.items():
    target = next((one for one in (name, "set_" + name) if one in accepted), None)
    if target is not None:
        taken[target] = value
trainer = Trainer(model=AutoModelForCausalLM.from_pretrained("gpt2"), args=TrainingArguments(**taken))
trainer.train()
"""


def test_settings_under_names_that_are_not_known_leave_no_default(read):
    found = read({"go.py": ADAPTED}, "python go.py")
    assert (found.is_training, found.epochs in (None, 7.0)) == (True, True)
    assert found.batch_size is None
    assert found.learning_rate in (None, 0.0003)


BARE = {
    "fit_reeds.py": "import torch\nfrom reeds import reed_net\nnet = reed_net.ReedNet()\n"
    "torch.optim.Adam(net.parameters(), lr=0.004)\n",
    "reed_net.py": "import torch\nclass ReedNet(torch.nn.Module):\n    pass\n",
}


def test_a_repository_is_the_package_that_its_files_are_imported_from(read):
    assert read(BARE, "python fit_reeds.py").model_name == "ReedNet"


def test_what_is_installed_is_not_looked_for_among_the_files(read):
    assert read({**BARE, "requirements.txt": "torch\nreeds==2.1\n"}, "python fit_reeds.py").model_name is None
    common = {"fit.py": BARE["fit_reeds.py"].replace("reed_net", "utils"), "utils.py": BARE["reed_net.py"]}
    assert read(common, "python fit.py").model_name is None


FILES = {
    "configs/sub/job.yaml": "rate: 0.25\nrows: 8\n",
    "settings/job.json": '{"rate": 0.25, "rows": 8}\n',
    "parts/job_of_mine.py": "RATE, ROWS = 0.25, 8\n",
    "pkg/__init__.py": "",
    "pkg/job.json": '{"rate": 0.25, "rows": 8}\n',
    "pkg/net.py": "class Net:\n    def __init__(self, rows):\n        self.rows = rows\ndef other():\n    pass\n",
}
FOUND_HEAD = "import glob, json, os, yaml\nfrom enum import Enum\nfrom pathlib import Path\n"


@pytest.mark.parametrize(
    "guard",
    [
        "if not os.path.exists('configs/own.yaml'):\n    print('copy it first')\n    sys.exit(1)\n",
        "if Path('configs/own.yaml').is_file():\n    pass\nelse:\n    sys.exit(1)\n",
        "from os.path import exists\nif not exists('configs/own.yaml'):\n    sys.exit(1)\n",
        "if not os.path.isfile('configs/own.yaml'):\n    raise SystemExit('copy it first')\n",
        "if not os.path.isfile('configs/own.yaml'):\n    os._exit(1)\n",
    ],
)
def test_a_program_went_on_that_ends_for_want_of_a_file(outcome, guard):
    assert outcome(f"{FOUND_HEAD}import sys\n{guard}x = 8\n", "", FILES | {"configs/example.yaml": "rate: 1\n"}) == 8


@pytest.mark.parametrize("name", ["secrets", "user", "local"])
def test_other_modules_are_there(outcome, name):
    assert outcome(f"try:\n    import {name}\n    x = 8\nexcept ImportError:\n    x = 3\n") == 8


UNSET = """
import os, sys, torch
place = os.getenv("ROWS")
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=0.25)
if TEST:
    print("set ROWS first")
    END
net(torch.ones(2)).sum().backward()
optimizer.step()
"""


@pytest.mark.parametrize("test", ["place is None", "not place", "os.getenv('MORE') is None"])
def test_a_run_has_the_variables_without_which_the_program_ends(read, test):
    code = UNSET.replace("TEST", test)
    assert read({"go.py": code.replace("END", "sys.exit(1)")}, "python go.py").learning_rate == 0.25


def test_a_variable_that_is_not_set_is_taken_as_that_where_nothing_ends(outcome):
    assert outcome("import os\nplace = os.getenv('ROWS')\nx = 1 if place is None else 2\n") == 1
    assert outcome("import os\nx = 3\nif not os.getenv('ROWS'):\n    x = 4\n") == 4
