"""Of several runs in one file the newest is told of."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def stamped(now_s, text):
    return f"2031-04-05 11:{int(now_s) // 60:02d}:{int(now_s) % 60:02d} {text}"


def run(start_s, pace_s, count=9):
    return [stamped(start_s + 10 * n * pace_s, f"step {10 * n}/900 loss {5 / n:.3f}") for n in range(1, count + 1)]


def test_a_counter_that_begins_anew_begins_another_run():
    assert read(run(0, 0.3) + run(120, 1.2)).step_time_s == pytest.approx(1.2, rel=0.05)


def test_a_run_that_has_only_begun_does_not_speak_for_itself():
    found = read(run(0, 0.3, count=20) + run(120, 1.2, count=2))
    assert found.step_time_s == pytest.approx(0.3, rel=0.1)


def test_a_clock_that_runs_on_is_that_of_one_run():
    rows = [f"batch {10 * (n % 6 + 1)} loss {5 / (n + 1):.3f} time {4.0 * (n + 1):.1f} s" for n in range(11)]
    assert read(rows).step_time_s == pytest.approx(0.4, rel=0.05)


def epochs(epoch, steps, pace_s, start_s=0):
    return [
        stamped(start_s + 10 * n * pace_s, f"Ep. {epoch} : Up. {step} : loss 1.{n}") for n, step in enumerate(steps)
    ]


def test_two_reports_of_a_newer_run_are_enough_behind_hardly_more():
    old, new = range(489040, 489070, 10), range(518010, 518030, 10)
    found = read([*epochs(13, old, 0.6), "the other one:", *epochs(12, new, 0.9, 30)])
    assert found.step_time_s == pytest.approx(0.9, rel=0.1)


def test_they_are_not_behind_many():
    found = read([*epochs(13, range(489040, 489240, 10), 0.6), *epochs(12, range(489240, 489260, 10), 0.9, 300)])
    assert found.step_time_s == pytest.approx(0.6, rel=0.1)


def test_the_time_of_a_pass_is_not_that_of_a_run_that_began_since():
    passes = [f"Epoch[{n}] Batch [{at}] loss={1 / (n + 1):.3f}" for n in range(9) for at in (20, 40)]
    timed = [row for n in range(9) for row in (*passes[2 * n : 2 * n + 2], f"Epoch[{n}] Time cost=101.{n}")]
    assert read(timed).step_time_s == pytest.approx(2.5, rel=0.3)
    assert read([*timed, "Epoch[0] Batch [20] loss=4.100"]).step_time_s is None
