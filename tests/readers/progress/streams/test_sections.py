"""What a heading says of the lines beneath it."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def block(name, took, loss):
    return [name, f"\tTime: {took:.3f}", f"\tAvg. Loss: {loss:.4f}", "\tAccuracy"]


def test_what_stands_under_the_heading_of_an_evaluation_is_its():
    rows = []
    for n in range(1, 9):
        rows += [f"Epoch: {n}", *block("TRAIN", 52 + n % 3, 4 / n), *block("DEV", 2.5, 0), *block("TEST", 4.1, 0)]
    found = read(rows[:-4])
    assert found.epoch == 8
    assert found.loss == pytest.approx(0.5)
    assert found.step_time_s == pytest.approx(53, rel=0.05)


def passed(epoch, step, end, took, loss):
    return f"Epoch: [{epoch}]  [{step}/{end}]  loss: {loss:.4f}  iter-time: {took:.4f}"


@pytest.mark.parametrize("passes", [1, 3])
def test_what_counts_anew_to_a_much_nearer_end_in_a_pass_that_is_over_evaluates_it(passes):
    rows = []
    for epoch in range(1, passes + 1):
        rows += [passed(epoch, step, 40, 2.5, 3 / epoch) for step in (0, 10, 20, 30, 39)]
        rows += [f"Epoch: [{epoch}] Total time: 0:01:40 (2.5 s / it)"]
        rows += [passed(epoch, step, 6, 0.4, 0.1) for step in (0, 5)]
        rows += [f"Epoch: [{epoch}] Total time: 0:00:03 (0.4 s / it)"]
    found = read(rows)
    assert (found.step, found.total_steps) == (39, 40)
    assert found.step_time_s == pytest.approx(2.5, rel=0.05)
    assert found.loss == pytest.approx(3 / passes, rel=0.01)


def test_parts_of_a_pass_that_are_about_as_long_are_all_trained_on():
    rows = [passed(1, step, end, 2.5, 1 / part) for part, end in ((1, 40), (2, 36)) for step in (10, 20, 30, end)]
    found = read(rows)
    assert (found.step, found.total_steps) == (36, 36)


def bars(end, took, loss, every=20):
    spent = [(n, n * took) for n in range(every, end + 1, every)]
    return [
        f"batch_loss: {loss:.4f}, loss: {loss:.4f} ||: {100 * n // end:3}%|████  | {n}/{end} "
        f"[{int(s) // 60:02}:{int(s) % 60:02}<00:09, {f'{took:.2f}s/it' if took > 1 else f'{1 / took:.2f}it/s'}]"
        for n, s in spent
    ]


def test_a_bar_of_the_same_looks_that_is_much_shorter_evaluates_what_the_long_one_trained():
    once = [*bars(1200, 1.25, 0.9, 40), *bars(110, 0.06, 0.4, 11)[:-1]]
    twice = [*once, *bars(1200, 1.25, 0.7, 40), *bars(110, 0.06, 0.3, 11)[:-1]]
    for rows, loss in ((once, 0.9), (twice, 0.7)):
        found = read(rows)
        assert found.step_time_s == pytest.approx(1.25, rel=0.02)
        assert (found.total_steps, found.loss) == (1200, loss)


def test_a_shorter_loader_whose_steps_take_as_long_is_trained_on_in_each_pass():
    rows = []
    for epoch in range(1, 4):
        rows += [passed(epoch, step, 400, 0.4, 2 - step / 1000) for step in range(0, 400, 10)]
        rows += [passed(epoch, step, 100, 0.4, 0.7 - step / 1000) for step in range(0, 60 if epoch == 3 else 100, 10)]
    found = read(rows)
    assert (found.step, found.total_steps, found.phase) == (50, 100, "train")


def test_an_evaluation_s_bar_that_is_drawn_before_its_first_step_is_no_training():
    drawn = "batch_loss: 0.4000, loss: 0.4000 ||:   0%|      | 0/110 [00:00<?, ?it/s]"
    found = read([*bars(1200, 1.25, 0.9, 40), drawn, *bars(110, 0.06, 0.4, 11)[:-1]])
    assert (found.step, found.total_steps, found.loss) == (1200, 1200, 0.9)


def test_a_second_stage_that_is_shorter_and_as_slow_is_no_evaluation():
    rows = [row for loss in (1.5, 1.2, 0.9) for row in bars(1000, 0.5, loss, 50)]
    assert read([*rows, *bars(300, 0.5, 0.8, 50)[:-1]]).phase == "train"


@pytest.mark.parametrize("name", ["valid", "validation", "evaluation"])
def test_a_numbered_heading_begins_an_evaluation(name):
    rows = []
    for epoch in range(2):
        rows += [f"Epoch {epoch} train:"]
        rows += [f"  batch {at}/200 loss 1.{90 - at // 50} {500 + at // 50}ms/batch" for at in range(50, 250, 50)]
        rows += [f"Epoch {epoch} {name}:"]
        rows += [f"  batch {at}/400 loss 2.{90 - at // 50} {120 + at // 50}ms/batch" for at in range(50, 450, 50)]
    found = read(rows)
    assert (found.step, found.total_steps) == (200, 200)
    assert found.step_time_s == pytest.approx(0.5, rel=0.05)


def test_the_next_numbered_heading_ends_it():
    rows = []
    for epoch in range(3):
        rows += [f"Epoch {epoch} valid:", "  accuracy 0.71", f"Epoch {epoch} train:"]
        rows += [f"  batch {at}/200 loss 1.{90 - at // 50} {500 + at // 50}ms/batch" for at in range(50, 250, 50)]
    found = read(rows)
    assert (found.step, found.total_steps, found.step_time_s) == (200, 200, pytest.approx(0.5, rel=0.05))
