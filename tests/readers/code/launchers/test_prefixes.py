"""Take the launchers off a command, one after the other, until the program itself stands first."""

import pytest

from tests.readers.code.programs import FIT_BATCHES

WRAPPED = """
#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --gres=gpu:v100:4
srun site_wrapper exec deepspeed train.py
"""


def test_a_wrapper_that_nobody_knows_is_taken_off(read):
    job = read({"run.sh": WRAPPED, "train.py": FIT_BATCHES + "fit(0.1, 5)\n"}, "sbatch run.sh")
    assert (job.is_training, job.num_gpus, job.num_nodes, job.learning_rate) == (True, 4, 1, 0.1)


@pytest.mark.parametrize("command", ["site_wrapper train.py", "site_wrapper exec python --version"])
def test_a_program_that_wraps_no_script_is_left_as_it_is(read, command):
    assert read({"train.py": FIT_BATCHES + "fit(0.1, 5)\n"}, command).learning_rate is None


SMALL = """
import tensorflow as tf

for step in range(40):
    tf.train.AdamOptimizer().minimize(tf.constant(1.0))
"""


@pytest.mark.parametrize("start", ["-um small", "-msmall", "-u -B -m small", "-Wignore -um small"])
def test_switches_of_python_may_be_written_together(read, start):
    found = read({"small.py": SMALL}, f"python3 {start}")
    assert (found.total_steps, found.optimizer, found.learning_rate) == (40, "Adam", 0.001)
