"""The time of a pass is divided by its own steps, where one counter runs through all passes."""

import pytest

from schedmate import Tracker


def read(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def told(steps, times, begins_anew):
    rows, done = [], 0
    for epoch, spent in enumerate(times):
        for at in range(50, steps + 1, 50):
            rows.append(f"step {at + (0 if begins_anew else done)}: loss {3 / (1 + epoch + at / 500):.3f}")
        done += steps
        rows.append(f"epoch {epoch} took {spent} sec, test accuracy: 0.8{epoch}")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("begins_anew", [True, False])
def test_a_counter_may_begin_anew_in_each_pass_or_run_through_all(begins_anew):
    metrics = read(told(500, [1000.5, 1010.2, 990.4, 1003.1, 1001.0], begins_anew))
    assert metrics.step_time_s == pytest.approx(2.0, rel=0.1)


def summed_up(steps, spent, reports):
    for epoch in range(1, 7):
        for at in range(1, reports + 1):
            step = (epoch - 1) * steps + at * steps // reports
            yield f"epoch {epoch} step {step} loss {3 / step:.4f} epoch_time {spent + epoch * (1 + 0.1 * at):.1f}"


def test_the_only_report_of_each_pass_is_that_of_its_end():
    assert read("\n".join(summed_up(200, 100, 1))).step_time_s == pytest.approx(0.52, rel=0.05)


def test_of_several_that_tell_a_pass_s_time_none_need_be_its_last():
    found = read("\n".join(summed_up(200, 100, 4)))
    assert found.step_time_s != pytest.approx(2.08, rel=0.2), "no report's steps are all of a pass"
