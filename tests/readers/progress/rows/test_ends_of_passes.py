"""What a pass took, told behind its last step without its number, over a counter that goes on through all passes."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log")
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def run(took, passes=9, length=130, told_every=130):
    rows = []
    for at in range(passes * length):
        rows.append(f"Iteration: {at:07d}, Rate: 0.0000778, Maker Loss : {9 / (at + 1):.3f}, Judge Loss : 1.{at % 9}")
        if at % told_every == told_every - 1:
            rows += ["=====save model=====", f"Time Elapsed for This Epoch: {took(at)}"]
    return rows


def test_a_pass_shares_its_time_among_its_steps():
    found = read(run(lambda at: f"00:02:1{at // 130 * 3 % 5}"))
    assert found.step_time_s == pytest.approx(1.02, rel=0.05)
    assert found.confidence < 0.5


def test_the_time_of_a_pass_so_far_is_none_of_a_whole_one():
    found = read(run(lambda at: f"00:0{(at % 520 + 1) * 4 // 260}:{(at % 520 + 1) * 4 % 240 // 4:02d}"))
    assert found.step_time_s is None


def test_passes_of_other_lengths_are_not_added_up():
    rows = [row for at, row in enumerate(run(lambda _: "00:02:10")) if at % 7 or at > 700]
    rows = [row for at, row in enumerate(rows) if "Elapsed" not in row or at % 4]
    found = read(rows)
    assert found.step_time_s is None or found.step_time_s == pytest.approx(1, rel=0.1)
