"""Shell text behind a command: `sbatch job.sh`, `--wrap`, a here-document, `bash -c` behind a launcher."""

import pytest

from tests.readers.code.programs import FIT_BATCHES

SHIFTED = """
#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --image=some/image:1
srun shifter{option} bash -c "python train.py"
"""


@pytest.mark.parametrize("option", ["", " --image=other:2", " --module gpu"])
def test_shifter_takes_no_image_before_the_program(read, option):
    job = read({"run.sh": SHIFTED.format(option=option), "train.py": FIT_BATCHES + "fit(0.1, 5)\n"}, "sbatch run.sh")
    assert (job.is_training, job.num_nodes, job.learning_rate) == (True, 2, 0.1)
