"""A bar over what is in each step, as an environment's steps, tells no time of the steps that a table counts."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log")
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def tables(with_rate=True):
    rows = []
    for n in range(1, 20):
        rows += ["---------------------------------", "| time/              |          |"]
        rows += [f"|    fps             | {77 + n % 3}       |"] if with_rate else []
        rows += [
            f"|    iterations      | {n}       |",
            f"|    time_elapsed    | {26 * n + n % 2}       |",
            f"|    total_timesteps | {2048 * n}       |",
            "---------------------------------",
        ]
    return rows


BAR = " 100% ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 38,912/38,900  [ 0:08:14 < 0:00:00 , 59 it/s ]"


def test_the_clock_of_the_table_is_believed_and_no_inner_bar():
    found = read([*tables(), BAR])
    assert found.step_time_s == pytest.approx(26, rel=0.06)
    assert found.confidence <= 0.8


def test_without_a_rate_that_bears_it_out_nothing_is_claimed_for_sure():
    found = read([*tables(with_rate=False), BAR])
    assert found.step_time_s is None or found.confidence <= 0.8
