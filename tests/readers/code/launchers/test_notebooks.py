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


def notebook(*cells):
    return json.dumps({"cells": [{"cell_type": "code", "source": source} for source in cells]}, indent=1)


RUN = """import torch
model = torch.nn.Linear(2, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if model:
    !pip install something \\
        --quiet
for epoch in range(3):
    %time model(1).backward()
    optimizer.step()
files = !ls
torch.nn.Linear?
"""


def test_magics_leave_python_behind(read):
    book = notebook("%%bash\nfor x in *; do echo $x; done\n", RUN, "%%time\nlast = 1\n")
    job = read({"a.ipynb": book}, "papermill a.ipynb out.ipynb")
    assert (job.is_training, job.epochs, job.learning_rate) == (True, 3, 0.1)


def test_a_cell_that_cannot_be_parsed_loses_itself_alone(read):
    job = read({"a.ipynb": notebook("this is no python at all (", CODE)}, "papermill a.ipynb out.ipynb")
    assert (job.is_training, job.epochs, job.learning_rate) == (True, 3, 0.1)


def test_a_program_that_a_cell_starts_is_followed(read):
    train = CODE.replace("%matplotlib inline\n", "")
    book = notebook("!pip install torch\n", "!python train.py --lr 1\n")
    job = read({"a.ipynb": book, "train.py": train}, "jupyter nbconvert --execute a.ipynb")
    assert (job.is_training, job.epochs) == (True, 3)


def test_what_cells_printed_does_not_keep_a_notebook_from_being_read(read):
    printed = {"cell_type": "code", "source": CODE, "outputs": [{"data": {"image/png": "x" * 3_000_000}}]}
    job = read({"a.ipynb": json.dumps({"cells": [printed]}, indent=1)}, "papermill a.ipynb out.ipynb")
    assert (job.is_training, job.epochs) == (True, 3)
