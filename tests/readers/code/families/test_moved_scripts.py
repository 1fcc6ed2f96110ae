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
