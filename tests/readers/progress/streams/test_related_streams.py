"""What stands beside the lines that count."""

import pytest

from schedmate import Tracker


def test_a_time_beside_every_tenth_line_is_found_however_long_the_log_is():
    rows = []
    for n in range(1, 601):
        rows += ["0:02:00.31" if n % 20 else "0:01:59.87"] if n % 10 == 0 else []
        rows += [f"iter {40 * n}:, hard_loss={3 / n:.5f}, mean_dist=4.{n % 9}1, lr=0.0001"]
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step == 24000
    assert tracker.metrics().step_time_s == pytest.approx(0.3, rel=0.02)


def test_a_report_s_own_time_is_no_clock_where_the_last_ones_rise_by_chance():
    took = [f"0:05:0{n}.80" for n in (1, 3, 2, 1, 4, 2, 3, 2)] + [
        "0:05:01.00",
        "0:05:01.20",
        "0:05:01.41",
        "0:05:01.84",
    ]
    rows = []
    for n, each in enumerate(took):
        rows += [
            f"iter {63000 + 1000 * n + 100 * k}:, hard_loss={3 / (10 * n + k + 1):.5f}, lr=0.0001" for k in range(10)
        ]
        rows += [each]
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step_time_s == pytest.approx(0.302, rel=0.02)


def test_a_clock_that_ran_long_before_the_first_step_is_one():
    rows = [f"step {10 * n}: loss={3 / n:.5f}, elapsed {600 + n / 2 + n % 3 / 20:.2f} s" for n in range(1, 6)]
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step_time_s == pytest.approx(0.05, rel=0.2)


@pytest.mark.parametrize("name", ["elapsed", "total time"])
def test_a_clock_that_says_that_it_is_one_runs_on_however_short_the_steps_are(name):
    rows = [f"step {1000 * n}: loss={3 / n:.5f}, {name} {600 + 1.2 * n:.2f} s" for n in range(1, 6)]
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step_time_s == pytest.approx(0.0012, rel=0.02)


def test_a_time_of_day_that_is_said_over_and_over_stands_beside_no_step():
    clock = "time      : 2031-11-21_00:12:21"
    record = [
        "{'train_runtime': 159.06, ",
        " 'train_steps_per_second': 2.169, ",
        " 'train_loss': 0.3333, ",
        " 'epoch': 3.0}",
    ]
    rows = [clock, clock, *record, clock, "***** eval metrics *****", "  epoch                   =        3.0", clock]
    tracker = Tracker("job.log")
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step_time_s == pytest.approx(0.461, rel=0.01)


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_a_clock_of_the_run_may_be_told_as_each_pass_ends():
    rows = []
    for n in range(1, 4):
        rows += [f"Epoch: {n:02d}/04 | Batch {at:03d}/300 | Loss: {2 / n:.3f}" for at in range(0, 300, 50)]
        rows += [f"Epoch: {n:02d}/04 | Accuracy: {70 + n}.5", f"Time elapsed: {1.5 * n:.2f} min"]
    assert read(rows).step_time_s == pytest.approx(0.3, rel=0.05)


def test_what_each_pass_took_is_no_clock_of_the_run():
    rows = []
    for n in range(1, 7):
        rows += [f"Epoch: {n:02d}/09 | Batch {at:03d}/300 | Loss: {2 / n:.3f}" for at in range(0, 300, 50)]
        rows.append(f"Time elapsed: {30.4 + n / 10:.1f} s")
    found = read(rows).step_time_s
    assert found is None or found == pytest.approx(30.5 / 300, rel=0.05)


def test_a_clock_that_is_told_now_and_then_amid_passes_closes_none():
    rows = []
    for n in range(1, 4):
        rows += [f"Epoch: {n:02d}/04 | Batch {at:03d}/300 | Loss: {2 / n:.3f}" for at in range(0, 300, 50)]
        rows.insert(len(rows) - 3, f"Uptime of the node: {1.5 * n:.2f} min")
    assert read(rows).step_time_s is None
