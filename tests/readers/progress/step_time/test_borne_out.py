"""A newest time that differs is the pace now where a clock says the same of the last report."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log")
    tracker.feed(("\n".join(rows) + "\n").encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def episodes(times):
    """Tell of episodes in long lines that end with the date and the time of day."""
    rows, now = [], 0.0
    for at, time in enumerate(times):
        now += time
        clock = f"{10 + int(now) // 3600:02d}:{int(now) // 60 % 60:02d}:{int(now) % 60:02d}"
        told = f"Episode {at} - Steps this episode {2100 + at} - Learning Rate 0.00019{at:02d}5175904"
        told += f" - Cumulative Reward -{7818.5 + at} - Max Length 3 - Mean Loss {0.9 - at / 90:.3f}"
        told += f" - Time Delta {time:.3f} - Time 2031-04-06T{clock}"
        rows.append(told)
    return rows


SLOWER = [35.2, 34.9, 35.6, 36.1, 35.0, 34.4, 35.8, 36.0, 35.1, 34.7, 35.3, 53.6, 55.1, 55.4, 55.2]


def test_the_time_of_day_that_ends_a_long_line_is_no_counter():
    assert read(episodes(SLOWER)).step == 14


def test_a_pace_that_has_changed_is_borne_out_by_the_clock():
    assert read(episodes(SLOWER)).step_time_s == pytest.approx(55.2, rel=0.05)


def test_one_pause_is_no_new_pace_for_the_clock_either():
    assert read(episodes([*SLOWER[:11], 55.2])).step_time_s == pytest.approx(35.2, rel=0.05)
