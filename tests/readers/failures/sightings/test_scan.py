"""A log that floods is read to a bound, and its end in full."""

from schedmate.readers.failures.reading import read_log
from schedmate.tools.logfile import open_log


def flood(count):
    stack = 'Traceback (most recent call last):\n  File "/home/u/train.py", line 3, in step\n    step()\n'
    return "".join(f"{stack}ValueError: {number} is bad\n" for number in range(count))


def test_of_a_flood_of_tracebacks_few_are_kept_and_the_last_is(tmp_path):
    path = tmp_path / "job.log"
    path.write_text(flood(15_000))
    with open_log(path) as log:
        raised = read_log(log).findings.raised
    assert len(raised) < 6_000
    assert raised[-1].message == "14999 is bad"


def test_of_a_flood_of_restarts_the_last_count(tmp_path):
    path = tmp_path / "job.log"
    runs = "".join(f"step 1/9 loss 2.0\nrestarting worker group {n}\n" for n in range(1200))
    path.write_text(f"{runs}step 1/9 loss 2.0\nValueError: bad\n")
    with open_log(path) as log:
        reading = read_log(log)
    assert len(reading.attempts) <= 1001
    assert reading.attempt.end == path.stat().st_size
