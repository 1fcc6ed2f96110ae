"""A line that names a function of C++ and what its call took is no part of a step where it tells a loss or a pass."""

import pytest

from schedmate import Tracker
from schedmate.readers.progress.kinds.shapes import is_traced


@pytest.mark.parametrize(
    "row",
    [
        "[Runner::round()] epoch {at} took 4.50 s, loss={loss:.3f}",
        "epoch {at}/80 Runner::Learn(fold) took 4.50s loss {loss:.3f}",
    ],
)
def test_a_trainer_that_names_its_function_is_read(row):
    tracker = Tracker("job.log", None)
    rows = [row.format(at=at, loss=3 - at / 50) for at in range(1, 50)]
    tracker.feed("".join(f"{one}\n" for one in rows).encode(), now_s=0)
    tracker.finish()
    found = tracker.metrics()
    assert (found.epoch, found.loss) == (49, pytest.approx(2.02))


@pytest.mark.parametrize(
    "line",
    [
        "200: void Wide<16, 4>::onward(board<real> &) [M = 16]: ends. took 1000 nsec",
        "300: real MarginLoss::back(board<real> &): ends. took 7000 nsec",
        "300: real Net::back_pass(4): ends. took 7000 nsec",
    ],
)
def test_a_part_of_a_step_is_a_traced_call(line):
    assert is_traced(line)
