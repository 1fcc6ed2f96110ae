"""Time stamps: forms whose parts no colon parts."""

from datetime import datetime, timedelta

import pytest

from schedmate import Tracker
from schedmate.readers.progress.lines.clocks import stamp_s


@pytest.mark.parametrize(
    "form", ["%Y%m%d-%H%M%S", "[%Y%m%d %H%M%S]", "%Y%m%dT%H%M%S", "%Y-%m-%d-%H-%M-%S", "%Y%m%d%H%M%S"]
)
def test_a_date_and_a_time_of_day_as_file_names_have_them(form):
    began = datetime(2032, 2, 28, 23, 50, 30)
    tracker = Tracker("job.log", formats=())
    for n in range(1, 25):
        tracker.feed(f"{began + timedelta(seconds=35 * n):{form}} it={70 * n} loss={5 / n:.3f}\n".encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step == 1680
    assert tracker.metrics().step_time_s == pytest.approx(0.5, rel=0.02)


@pytest.mark.parametrize(
    "numbers", [["20320228"], ["2032022", "1234567"], ["99999999", "999999"], ["20320230", "235959"]]
)
def test_other_digits_make_no_time_or_one_that_can_be(numbers):
    found = stamp_s("compact", numbers)
    assert found is None or found > 0


@pytest.mark.parametrize("name", ["20320228-1004{:02d}", "2032-02-28-10-04-{:02d}"])
def test_a_folder_that_is_named_after_a_moment_is_no_clock(name):
    tracker = Tracker("job.log", formats=())
    for n in range(1, 25):
        tracker.feed(f"step={50 * n} loss={5 / n:.3f} from old/{name.format(2 * n)}/model\n".encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step == 1200
    assert tracker.metrics().step_time_s is None


def test_thousandths_since_1970_before_a_line_are_its_clock():
    tracker = Tracker("job.log", formats=())
    for n in range(1, 25):
        tracker.feed(f"{1930000000250 + 25000 * n} INFO step={50 * n} loss={5 / n:.3f}\n".encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step == 1200
    assert tracker.metrics().step_time_s == pytest.approx(0.5, rel=0.02)


@pytest.mark.parametrize(("name", "wanted"), [("time_per_update", 0.25), ("time_since_last_log", None)])
def test_the_time_of_a_step_as_a_clock_writes_it(name, wanted):
    tracker = Tracker("job.log", formats=())
    for n in range(219, 229):
        tracker.feed(f"Epoch {n}/400 {name}: 00:00:00.25 loss: {5 / n:.3f}\n".encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step_time_s == wanted


@pytest.mark.parametrize(("unit", "per"), [("hours", 3600), ("minutes", 60)])
def test_a_clock_may_be_named_by_its_unit_alone(unit, per):
    tracker = Tracker("job.log", formats=())
    for n in range(1, 10):
        tracker.feed(f"step {1000 * n} loss {5 / n:.3f} {unit} {500 * n / per:.3f}\n".encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step_time_s == pytest.approx(0.5, rel=0.02)
