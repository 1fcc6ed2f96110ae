"""Who tells of its training only when it evaluates counts the steps of the training all the same."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def stamp(at_s):
    return f"2031-04-05 {at_s // 3600:02d}:{at_s // 60 % 60:02d}:{at_s % 60:02d}"


def lines(step_of):
    """Write ten passes of eight evaluations each, 20 s apart."""
    for place in range(80):
        if place % 8 == 0:
            yield f"{stamp(20 * place)} INFO Epoch [{place // 8 + 1}/10]"
        told = f"Dev Loss: {3 / (place + 1):.4f} | Dev F1: 0.8{place:02d}"
        yield f"{stamp(20 * place + 15)} INFO Iter: {step_of(place)} | {told}"


def test_evaluations_whose_steps_go_on_through_the_passes_count_those_of_the_training():
    found = read(lines(lambda place: 100 * (place + 1)))
    assert found.step == 8000
    assert found.step_time_s == pytest.approx(0.2, rel=0.1)


def test_an_evaluation_that_counts_its_own_batches_anew_in_each_pass_counts_none():
    found = read(lines(lambda place: 100 * (place % 8 + 1)))
    assert found.step_time_s is None or found.step_time_s > 100


def test_a_tagged_line_trains_whatever_heading_stands_above_it():
    rows = [
        f"[TRAIN] epoch=1/9, iter={10 * n}/500, loss={5 / n:.3f}, lr=0.01, batch_cost: 0.25 s" for n in range(1, 20)
    ]
    again = [row.replace("/500", "/900").replace("0.25", "0.75") for row in rows]
    found = read([*rows, "val dataset", *again])
    assert found.total_steps == 900 * 9 or found.total_steps == 900
    assert found.step_time_s == pytest.approx(0.75, rel=0.1)


@pytest.mark.parametrize("tag", ["[eval][train]", "[train]"])
def test_an_evaluation_on_the_data_of_the_training_stays_one(tag):
    rows = [f"[train] Iter {10 * n}/1000 loss {5 / (n + 1):.3f} lr 0.01" for n in range(50)]
    seen = [f"{tag} Iter {10 * n}/200 loss 1.5{n:02d}" for n in range(20)]
    found = read([*rows, "Evaluating", *seen])
    assert (found.step, found.total_steps) == (490, 1000)
