"""What stands before every message may be the name of what is counted, and is no logger's then."""

from schedmate import Tracker


def read(lines):
    tracker = Tracker("job.log")
    tracker.feed("".join(f"{line}\n" for line in lines).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_a_pass_before_every_message_is_counted():
    rows = []
    for n in range(1, 12):
        head = f"2031-04-05 {10 + n // 6}:{n % 6 * 10:02d}:"
        rows += [f"{head}00,000 - INFO - epoch: {n} start, learning rate: 0.001"]
        rows += [f"{head}40,000 - INFO - epoch: {n} end, loss: 2.{60 - n}", f"{head}45,000 - INFO - epoch: {n} saved"]
    assert read(rows).epoch == 11


def test_numbers_in_one_pair_of_brackets_stay_together():
    rows = []
    for n in range(1, 20):
        rows += [f"INFO:root:[1, {n * 25}/ 900] - loss: 5.{90 - n} (250.0 ms)", f"INFO:root:[1, {n * 25}] stats: 0.4"]
    assert (read(rows).step, read(rows).epoch) == (475, 1)
