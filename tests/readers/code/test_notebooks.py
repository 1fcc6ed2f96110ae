"""Notebooks, however their JSON is laid out."""

import json

import pytest

CODE = """%matplotlib inline
import torch
model = torch.nn.Linear(2, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model(1).backward()
    optimizer.step()
"""


@pytest.mark.parametrize("layout", ["one string a cell", "list of lines"])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_notebook_of_any_layout_is_followed(read, layout, indent):
    source = CODE if layout == "one string a cell" else CODE.splitlines(keepends=True)
    cells = [{"cell_type": "markdown", "source": "# lr = 5"}, {"cell_type": "code", "source": source}]
    found = read({"a.ipynb": json.dumps({"cells": cells}, indent=indent) + "\n"}, "papermill a.ipynb out.ipynb")
    assert (found.is_training, found.epochs, found.learning_rate) == (True, 3, 0.1)


def test_a_notebook_that_cannot_be_read_whole_is_not_said_not_to_train(read):
    cells = [{"cell_type": "code", "source": ["import torch\n", "model = torch.nn.Linear(2, 2\n", "fit(model)\n"]}]
    found = read({"a.ipynb": json.dumps({"cells": cells}, indent=1)}, "jupyter nbconvert --execute a.ipynb")
    assert found.is_training is not False
