"""Weighing takes steps in proportion to what was sighted, whatever the sightings have to do with one another."""

import cProfile

import pytest

from schedmate.readers.failures.causes.first_cause import locate
from schedmate.readers.failures.reading import read_log
from schedmate.tools.logfile import open_log

WARNED = (
    "/opt/lib/python3.11/site-packages/torch/cuda/__init__.py:129: UserWarning: CUDA initialization: The NVIDIA driver "
    "on your system is too old (found version 11040). (Triggered internally at ../c10/cuda/CUDAFunctions.cpp:108.)\n"
)
MISSED = (
    'Traceback (most recent call last):\n  File "/app/train.py", line {0}, in main\n    model.cuda()\n'
    "RuntimeError: No CUDA GPUs are available\n"
)
ENDED = "slurmstepd: error: *** STEP {0}.0 ON node-{0} CANCELLED AT 2025-03-04T02:11:09 DUE TO TIME LIMIT ***\n"


def calls(path, text):
    """Count the calls that weighing takes, reading left out."""
    path.write_text(text)
    with open_log(path) as log:
        reading = read_log(log)
        reading.suspects()
        profile = cProfile.Profile()
        profile.runcall(locate, [reading])
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("said", [WARNED + MISSED, ENDED + MISSED], ids=["reasons", "ends"])
def test_four_times_as_many_take_about_four_times_as_many_steps(tmp_path, said):
    few, many = (calls(tmp_path / "job.log", "".join(map(said.format, range(count)))) for count in (100, 400))
    assert many < 6 * few
