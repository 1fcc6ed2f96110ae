"""Rows of a counter and one number tell of training only where that falls as a loss does, and the log speaks of it."""

from math import cos, exp, pi, sin

import pytest

from schedmate import Tracker


def read(rows, formats=None):
    tracker = Tracker("job.log", formats)
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def noisy(at):
    return 2 + 3 * exp(-at / 25) + sin(at * at) / 9


def rows_of(value, stamped=True, count=90, head='    "bsize": 64,', spoken='"loss": "margin",'):
    rows = [head, "{", spoken, "}"]
    for at in range(count):
        second = 3 * at
        stamp = f"[Feb 11, 09:{second // 60:02d}:{second % 60:02d}] " if stamped else ""
        rows += [f"{stamp}{at} {value(at):.12f}", "True"]
    return rows


def test_a_number_that_falls_beside_a_counter_is_the_loss_of_a_training():
    found = read(rows_of(noisy))
    assert (found.step, found.loss) == (89, pytest.approx(noisy(89)))
    assert found.step_time_s == pytest.approx(3, rel=0.05)
    assert found.confidence <= 0.8


def test_so_it_is_without_a_clock():
    found = read(rows_of(noisy, stamped=False))
    assert (found.step, found.loss) == (89, pytest.approx(noisy(89)))
    assert found.step_time_s is None


@pytest.mark.parametrize(
    ("value", "head"),
    [
        (noisy, '    "mesh": 64,'),
        (lambda at: 5 + at / 80 + sin(at * at) / 9, '    "bsize": 64,'),
        (lambda at: 0.3 * (1 + cos(pi * at / 200)), '    "bsize": 64,'),
        (lambda at: -noisy(at), '    "bsize": 64,'),
        (lambda at: noisy(at) / 5000, '    "bsize": 64,'),
        (lambda at: 4.5, '    "bsize": 64,'),
        (lambda at: (200 - at) * 0.3 + sin(at * at), '    "bsize": 64,'),
        (lambda at: 60 * (1 - at / 90) ** 2 + 0.5 + sin(at * at) / 9, '    "bsize": 64,'),
        (lambda at: 300 * exp(-at / 60) + 150 + 9 * sin(at * at), '    "bsize": 64,'),
    ],
    ids=["no training", "rises", "by plan", "below nought", "a rate", "stands still", "time left", "runs out", "much"],
)
def test_any_other_number_is_none(value, head):
    found = read(rows_of(value, head=head))
    assert found.loss is None
    assert found.step_time_s is None


def test_where_no_line_speaks_of_a_loss_it_stays_unnamed():
    found = read(rows_of(noisy, spoken='"glossary": "lossless",'))
    assert (found.step, found.loss) == (89, None)
    assert found.step_time_s == pytest.approx(3, rel=0.05)


def test_what_falls_a_little_in_a_straight_line_stays_unnamed():
    found = read(rows_of(lambda at: 5 - at / 300 + sin(at * at) / 90))
    assert (found.step, found.loss) == (89, None)


def test_few_rows_tell_nothing():
    assert read(rows_of(noisy, count=12)).loss is None
