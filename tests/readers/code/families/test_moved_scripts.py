"""Scripts that have moved since the command was written: the only file of the name is read, and a note says so."""

import pytest

from schedmate.readers.code.reader import read_code
from schedmate.tools.repository import Repository

PROGRAM = """
import torch

model = torch.nn.Linear(3, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.6)
for epoch in range(4):
    model(torch.zeros(2, 3)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("command", "epochs"),
    [
        ("python tools/prune_trees.py", 4),
        ("bash jobs/start_pruning.sh", 4),
        ("python tools/absent.py", None),
        ("python /srv/tools/absent.py", None),
    ],
)
def test_the_only_file_of_the_name_is_read(write, command, epochs):
    root = write({"orchard/prune_trees.py": PROGRAM, "shell/start_pruning.sh": "python orchard/prune_trees.py\n"})
    reading = read_code(Repository(root), command)
    assert reading.workload.epochs == epochs
    assert any("the only file of that name" in note for note in reading.notes) == (epochs is not None)


def test_of_two_files_of_the_name_none_is_meant(write):
    root = write({"orchard/prune_trees.py": PROGRAM, "old/prune_trees.py": PROGRAM})
    assert read_code(Repository(root), "python tools/prune_trees.py").workload.epochs is None


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
