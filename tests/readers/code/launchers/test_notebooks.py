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


SETTINGS = "import argparse, yaml\nparser = argparse.ArgumentParser()\nparser.add_argument('--config')\n" + (
    "given = yaml.safe_load(open(parser.parse_args().config))\n"
)
TRAIN = (
    CODE.replace("%matplotlib inline\n", SETTINGS)
    .replace("range(3)", "range(given['epochs'])")
    .replace("lr=0.1", "lr=given['lr']")
)


@pytest.mark.parametrize(
    "cell",
    [
        "%%writefile made.yaml\nepochs: 7\nlr: 0.2\n",
        'import yaml\ntext = """\nepochs: 7\nlr: 0.2\n"""\nwith open("made.yaml", "w") as f:\n'
        "    yaml.dump(yaml.safe_load(text), f)\n",
        'open("made.yaml", "w").write("""epochs: 7\nlr: 0.2\n""")\n',
    ],
    ids=["magic", "dump", "text"],
)
def test_settings_that_a_notebook_writes_are_those_of_the_program_that_it_starts(read, cell):
    book = notebook(cell, "!python train.py --config made.yaml\n")
    job = read({"a.ipynb": book, "train.py": TRAIN}, "jupyter nbconvert --execute a.ipynb")
    assert (job.epochs, job.learning_rate) == (7, 0.2)
    assert {one.path for one in job.evidence["learning_rate"]} & {"a.ipynb"}


PLAIN = CODE.replace("%matplotlib inline\n", "import sys\n").replace("lr=0.1", "lr=float(sys.argv[1])")


@pytest.mark.parametrize(
    "cell",
    ["!python train.py \\\n    0.4\n", "rate = 0.4\n!python train.py {rate}\n", "%%bash\npython train.py \\\n  0.4\n",
     "rate = 0.4\ncommand = f'python train.py {rate}'\n!{command}\n"],
    ids=["continued", "filled", "bash", "named"],
)  # fmt: skip
def test_a_shell_line_is_followed_however_a_cell_writes_it(read, cell):
    job = read({"a.ipynb": notebook(cell), "train.py": PLAIN}, "jupyter nbconvert --execute a.ipynb")
    assert (job.is_training, job.learning_rate) == (True, 0.4)


def test_of_several_programs_that_a_notebook_starts_the_job_is_the_one_that_trains(read):
    book = notebook("!python prepare_data.py train.json\n", "!torchrun --nproc_per_node 2 train.py 0.4\n")
    files = {"a.ipynb": book, "train.py": PLAIN, "prepare_data.py": "import json\nprint(json.load(open('x.json')))\n"}
    job = read(files, "jupyter nbconvert --execute a.ipynb")
    assert (job.is_training, job.num_gpus, job.learning_rate) == (True, 2, 0.4)


JOB = """#!/bin/bash
DIR=/home/someone/project/notebooks
python - <<PY
import json
print(len(json.load(open("$DIR/train.ipynb"))["cells"]))
PY
papermill "$DIR/train.ipynb" out.ipynb
"""


def test_the_notebook_of_a_batch_script_is_found_where_it_lies_here_and_is_the_job(read):
    cells = [{"cell_type": "code", "source": CODE}]
    files = {"notebooks/train.ipynb": json.dumps({"cells": cells}, indent=1), "job.sh": JOB}
    found = read(files, "sbatch job.sh")
    assert (found.is_training, found.epochs, found.learning_rate) == (True, 3, 0.1)


def test_half_a_character_in_a_notebook_and_in_its_program_ends_no_reading(read):
    found = read(
        {"a.ipynb": notebook(CODE + "name = 'net\ud83d'\n", "note = '\\ud800'\n")}, "papermill a.ipynb out.ipynb"
    )
    assert (found.is_training, found.epochs, found.learning_rate) == (True, 3, 0.1)


def test_what_a_notebook_printed_is_no_code_to_be_read(read):
    printed = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo" * 100_000}}
    code = "from parts import fit\nfit(0.1)\n"
    cells = [{"cell_type": "code", "source": code, "outputs": [printed]}]
    parts = """
        import torch

        def fit(rate):
            model = torch.nn.Linear(2, 2)
            optimizer = torch.optim.SGD(model.parameters(), lr=rate)
            for epoch in range(3):
                model(1).backward()
                optimizer.step()
        """
    files = {"a.ipynb": json.dumps({"cells": cells}, indent=1), "parts.py": parts}
    found = read(files, "jupyter nbconvert --execute a.ipynb")
    assert (found.is_training, found.epochs, found.learning_rate) == (True, 3, 0.1)


@pytest.mark.parametrize(
    "command",
    [
        "jupyter nbconvert --to notebook --execute Study.IPYNB",
        "runipy Study.IPYNB",
        "jupytext --execute Study.IPYNB",
        "jupyter nbconvert --to script Study.IPYNB && python Study.py",
        "jupyter nbconvert --to python --output work Study.IPYNB; python work.py",
        "jupytext --to py:percent Study.IPYNB -o made/work.py && python made/work.py",
    ],
)
def test_a_notebook_is_run_by_other_names_and_as_the_program_that_is_made_of_it(read, command):
    job = read({"Study.IPYNB": notebook(CODE)}, command)
    assert (job.is_training, job.epochs, job.learning_rate) == (True, 3, 0.1)


@pytest.mark.parametrize("command", ["jupyter nbconvert --to html study.ipynb", "jupytext --to py study.ipynb"])
def test_a_notebook_that_is_only_turned_into_something_is_not_run(read, command):
    assert read({"study.ipynb": notebook(CODE)}, command).is_training is None
