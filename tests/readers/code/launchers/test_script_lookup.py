"""Find the file that a name means: from the working directory, from the root, or under another machine's path."""

import pytest

from schedmate.readers.code.reader import read_code
from schedmate.tools.repository import Repository
from tests.readers.code.programs import FIT_BATCHES, on_device


def test_a_script_may_be_named_from_above_the_clone(read):
    files = {f"tools/{name}": text for name, text in on_device().items()}
    files["job.sbatch"] = "#!/bin/bash\n#SBATCH --nodes=1\nsrun python my_clone/tools/train.py\n"
    assert read(files, "sbatch job.sbatch").epochs == 3


SMALL = """
import tensorflow as tf

for step in range(40):
    tf.train.AdamOptimizer().minimize(tf.constant(1.0))
"""


def test_without_an_init_file_the_repository_is_no_package(read):
    assert read({"small.py": SMALL}, "python -m other.small").is_training is None


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


@pytest.mark.parametrize("there", ["/scratch/someone/project/pack", "$HOME/code/pack", "~/pack", "${WORK}/a/pack"])
def test_a_configuration_is_found_by_its_path_on_another_machine(read, there):
    code = (
        FIT_BATCHES
        + "import sys, yaml\ncfg = yaml.safe_load(open(sys.argv[1]))\nfit(cfg['lr'], 3, batch=cfg['size'])\n"
    )
    files = {"pack/train.py": code, "pack/configs/base.yaml": "lr: 0.3\nsize: 11\n", "base.yaml": "lr: 9\n"}
    job = read(files, f"python {there}/train.py {there}/configs/base.yaml")
    assert (job.learning_rate, job.batch_size) == (0.3, 11)
