"""A step's time that is printed as nought is too short for its digits; what was told before says nothing of it."""

from schedmate import Tracker


def read(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def passes(seconds):
    return "".join(
        f"Epoch {at}/40\n9/9 - {spent}s - loss: {2 / at:.4f} - acc: 0.61\n" for at, spent in enumerate(seconds, 1)
    )


def test_times_that_are_rounded_to_nothing_are_not_those_of_the_first_pass():
    metrics = read(passes([3] + [0] * 9))
    assert metrics.step_time_s is None
    assert metrics.step == 9


def test_one_nought_among_many_times_changes_nothing():
    assert abs(read(passes([9, 9, 9, 0, 9, 9])).step_time_s - 1.0) < 0.1
