"""A printed time that is of all since the last report: as the clock says, or as reports of more steps take longer."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def stamped(name, time_s, every_s=30):
    return [
        f"2031-03-04 09:{at * every_s // 60:02}:{at * every_s % 60:02} Epoch [{at // 6}] {name} [{100 * (at % 6)}] "
        f"loss 1.{90 - at} {time_s[0]} {time_s[1] * (1 + at % 3 / 100):.3f}"
        for at in range(1, 17)
        if at % 6
    ]


@pytest.mark.parametrize("name", ["Batch", "Iter"])
def test_a_clock_tells_that_a_batch_s_time_is_that_of_a_report(name):
    found = read(stamped(name, ("batch_time", 30)))
    assert found.step_time_s == pytest.approx(0.3, rel=0.02)
    assert found.step == 400


def test_where_the_clock_says_no_such_thing_the_time_is_not_divided():
    assert read(stamped("Batch", ("batch_time", 0.3))).step_time_s == pytest.approx(0.3, rel=0.05)


def passes(long_s, short_s, end=21):
    for n in range(8, 12):
        for at, time_s in ((0, short_s), (10, long_s), (20, long_s)):
            yield f"[{n}/100], [{at}/{end}], step: {n * end + at}, batch_loss: 0.{n}{at}, time:{time_s + n / 1e3:.4f}"


def test_reports_of_more_steps_that_take_as_much_longer_tell_all_since_the_last():
    assert read(passes(3.1, 0.31)).step_time_s == pytest.approx(0.31, rel=0.05)


@pytest.mark.parametrize(("long_s", "short_s", "end"), [(0.31, 0.31, 21), (0.31, 3.1, 21), (0.31, 2.4, 78)])
def test_times_that_do_not_grow_with_a_report_s_steps_are_those_of_a_step(long_s, short_s, end):
    assert read(passes(long_s, short_s, end)).step_time_s == pytest.approx(0.32, rel=0.1)


def test_what_sums_up_a_pass_without_a_name_for_it_counts_no_steps():
    rows = list(passes(3.1, 0.31))
    summed = [f"[{n}/100], train_loss: 0.5{n}, time: 6.5{n}, lr: 0.0001" for n in range(8, 12)]
    found = read(row for at in range(4) for row in (*rows[3 * at : 3 * at + 3], summed[at]))
    assert found.total_steps == 21
    assert found.step_time_s == pytest.approx(0.31, rel=0.05)


def test_a_step_without_a_name_that_no_other_line_calls_its_pass_stays_one():
    rows = [f"[{n}/100], train_loss: 0.5{n}, time: 3.4{n}, lr: 0.0001" for n in range(8, 12)]
    found = read(rows)
    assert (found.step, found.total_steps) == (11, 100)
