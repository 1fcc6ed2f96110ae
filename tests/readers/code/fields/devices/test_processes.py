"""A job in which no network is met takes no GPU, where all that it uses is known to compute on none."""

import pytest

PLAIN = "import json\nimport numpy as np\nimport parts\nprint(json.dumps(parts.add(np.zeros(3))))\n"
FILES = {"run.py": PLAIN, "parts.py": "import os\ndef add(row):\n    return float(row.sum())\n"}


@pytest.mark.parametrize(
    ("files", "command", "gpus"),
    [
        (FILES, "python run.py", 0),
        (
            {**FILES, "parts.py": "import openmm\ndef add(row):\n    return openmm.minimize(row)\n"},
            "python run.py",
            None,
        ),
        (FILES, "srun --gres=gpu:2 python run.py", None),
        ({"run.py": "import subprocess\nsubprocess.run(['gmx', 'mdrun', '-nb', 'gpu'])\n"}, "python run.py", None),
    ],
)
def test_only_what_computes_on_no_gpu_takes_none(read, files, command, gpus):
    assert read(files, command).num_gpus == gpus


JOINED = """
import argparse
import torch
import torch.distributed as dist
p = argparse.ArgumentParser()
p.add_argument("--processes", type=int, default={default})
a = p.parse_args()
dist.init_process_group("nccl", init_method="env://", rank=0, world_size=a.processes)
{place}
net = torch.nn.Linear(2, 2){to}
adam = torch.optim.Adam(net.parameters())
for step in range(9):
    net(rows()).sum().backward()
    adam.step()
"""


@pytest.mark.parametrize(
    ("default", "place", "to", "gpus"),
    [
        (1, "torch.cuda.set_device(0)", ".cuda()", 1),
        (4, "torch.cuda.set_device(0)", ".cuda()", 4),
        (1, "pass", "", 0),
    ],
)
def test_a_group_of_one_has_one_device(read, default, place, to, gpus):
    assert read({"fit.py": JOINED.format(default=default, place=place, to=to)}, "python fit.py").num_gpus == gpus
