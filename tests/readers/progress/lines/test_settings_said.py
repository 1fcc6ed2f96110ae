"""A setting that is said once is the run's; lines that give it ever other values set nothing."""

import pytest

from schedmate import Tracker
from schedmate.readers.progress.lines.settings_said import MAX_KINDS, MOST_VALUES, SettingsSaid


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


ITERS = [f"Iter #{n}: {480 + n % 3}.5 img/sec per GPU" for n in range(12)]


def test_ever_other_batches_of_others_leave_the_runs_own_known():
    others = [f"Epochs = {n % 5}, batch size = {n}, learning rate = 1e-{n % 7}" for n in range(1, 30)]
    found = read([*others, "Model: resnet50", "Batch size: 96", *others, *ITERS])
    assert found.step_time_s == pytest.approx(96 / 481.5, rel=0.02)


@pytest.mark.parametrize("sizes", [(96, 64), range(8, 8 + MOST_VALUES)])
def test_a_few_batches_of_one_kind_of_lines_are_of_equal_right(sizes):
    tried = [f"Batch size: {size}" for size in sizes]
    assert read([*tried, "default batch size = 32", *ITERS]).step_time_s is None


def test_it_keeps_within_bounds():
    said = SettingsSaid()
    for at in range(4 * MAX_KINDS):
        name = chr(0x4E00 + at)
        for value in range(1, 2 * MOST_VALUES):
            said.keep("batch_size", value, at, f"{name}: {value}")
    assert len(said.kinds["batch_size"]) == MAX_KINDS
    assert "batch_size" not in said.values
    said.keep("pass_steps", 90, 1, "90 steps a pass")
    assert [value for value, _, _ in said.values["pass_steps"]] == [90], "another setting is heard all the same"
