"""What a job is stands in the script that the controller keeps, whatever has become of its file since."""

import json

import pytest

from tests.slurm.conftest import emptied
from tests.slurm.slurm_up import SlurmUp

pytestmark = pytest.mark.slurm

TRAIN = """
import argparse, torch
from torchvision import models
parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=3)
arguments = parser.parse_args()
model = models.resnet50().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(arguments.epochs):
    for x, y in torch.utils.data.DataLoader(data, batch_size=32):
        loss = model(x).sum()
        loss.backward()
        optimizer.step()
"""
LATER = ("--begin=now+1hour", "--gpus=1")


@pytest.fixture
def up(four_nodes, tmp_path):
    made = SlurmUp(tmp_path, four_nodes)
    (made.place_of("games") / "train.py").write_text(TRAIN)
    made.start()
    yield made
    made.close()
    emptied(four_nodes)


def workload(up, name):
    up.until(lambda: (row := up.row(name)) is not None and row.workload)
    return json.loads(up.row(name).workload)


def test_a_script_that_came_through_a_pipe_is_read(up):
    name = up.batch("games", "srun python train.py --epochs 7", *LATER)
    assert (workload(up, name)["epochs"], workload(up, name)["model_name"]) == (7, "resnet50")


def test_a_loop_of_roots_reads_code_as_the_jobs_user_alone(up, tmp_path):
    secret, theirs = tmp_path / "secret.py", up.place_of("games") / "theirs.py"
    secret.write_text(TRAIN)
    secret.chmod(0o600)
    tmp_path.chmod(0o755)
    theirs.symlink_to(secret)
    refused = up.batch("games", "srun python theirs.py --epochs 7", *LATER)
    read = up.batch("games", "srun python train.py --epochs 7", *LATER)
    assert workload(up, read)["model_name"] == "resnet50"
    assert workload(up, refused)["model_name"] is None


def test_an_element_of_an_array_is_read_with_its_script_as_it_was_handed_in(up):
    path = up.place_of("games") / "job.sh"
    path.write_text("#!/bin/bash\ncat <<'END' >/dev/null\nEND\npython train.py --epochs $1\n")
    options = ("--parsable", "-t", "60", "-a", "3-4", *LATER)
    array = up.real.check("sbatch", *options, path, "12", user="games", cwd=path.parent)
    path.write_text("#!/bin/bash\npython train.py --epochs 99\n")
    for name in (f"{array}_3", f"{array}_4"):
        assert workload(up, name)["epochs"] == 12
