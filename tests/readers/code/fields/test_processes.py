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
