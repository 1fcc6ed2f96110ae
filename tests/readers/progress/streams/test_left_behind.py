"""One line of a bar that was drawn over and left behind tells nothing of the passes that came after it."""

from schedmate import Tracker


def read(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def passes(first, last):
    return "".join(
        f"Epoch {at}:\n  [TRAIN] acc: 0.9{at % 10} loss: {1 / at:.4f}\n"
        f"  [VALID] acc: 0.8{at % 10} loss: {1.2 / at:.4f}\n"
        for at in range(first, last + 1)
    )


LEFT = "Epoch [9/40]: [60/90]  67%|██████      , loss=0.412 [00:48<00:24]  [TRAIN] acc: 0.91 loss: 0.3911\n"


def test_passes_that_went_on_without_another_such_line_count():
    found = read(passes(1, 8) + LEFT + passes(10, 30))
    assert found.step_time_s is None
    assert found.epoch == 30
    assert found.loss == 0.0333


def test_a_line_amid_the_newest_pass_is_where_the_run_stands():
    found = read(passes(1, 8) + LEFT)
    assert (found.step, found.epoch) == (60, 9)
