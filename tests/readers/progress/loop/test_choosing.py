"""A log that comes in pieces is read as one that is there: what was seen of it first does not decide."""

import random

import pytest

from schedmate import Tracker


def folds():
    """Train two folds of 14 passes, the second one after a long search, with a line for each pass alone."""
    rows, now = [], 30000
    for fold in (1, 2):
        for at in range(1, 15):
            now += 480 + 7 * (at % 3) + (3600 if at == 1 else 0)
            clock = f"{now // 3600 % 24:02d}:{now // 60 % 60:02d}:{now % 60:02d}"
            rows.append(f"2031-05-06 {clock},250 - INFO - Epoch {at}: Train Loss: {4 / at:.4f}, Val Loss: {5 / at:.4f}")
        rows.append(f"2031-05-06 {clock},400 - INFO - Fold {fold}, k=20: hits = 0.49")
    return rows


def slower_later():
    """Count steps with a clock whose pace changes after a while."""
    rows, now = [], 0.0
    for step in range(10, 900, 10):
        now += 0.9 if step < 200 else 6.0
        rows.append(f"step {step}/5000 loss {9 / step:.4f} elapsed {now:.1f}s")
    return rows


def two_kinds():
    """Report the same steps in two ways, of which the one that tells their time begins late."""
    rows = []
    for step in range(1, 120):
        rows.append(f"iter {step} loss {3 / step:.4f}")
        if step > 20:
            rows.append(f"[{step}/400] loss={3 / step:.4f} step_time=0.8{step % 9}s lr=0.001")
    return rows


@pytest.mark.parametrize("rows", [folds(), slower_later(), two_kinds()], ids=["folds", "slower later", "two kinds"])
@pytest.mark.parametrize("seed", range(4))
def test_pieces_are_read_as_the_whole(rows, seed):
    data = ("\n".join(rows) + "\n").encode()
    whole, pieces, dice, place = Tracker("job.log"), Tracker("job.log"), random.Random(seed), 0
    whole.feed(data, now_s=0)
    whole.finish()
    while place < len(data):
        size = dice.choice((9, 70, 300, 2000))
        pieces.feed(data[place : place + size], now_s=float(place))
        pieces.metrics()
        place += size
    pieces.finish()
    one, other = whole.metrics(), pieces.metrics()
    assert (other.step, other.epoch, other.loss, other.phase) == (one.step, one.epoch, one.loss, one.phase)
    assert other.step_time_s == pytest.approx(one.step_time_s, rel=0.05)
