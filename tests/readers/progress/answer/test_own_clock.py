"""What a follower's own clock tells of a log that prints no times, and of one that stands still."""

from schedmate.readers.progress.answer.own_clock import BY_OWN_CLOCK
from schedmate.readers.progress.tracker import Tracker
from schedmate.readers.progress.watch import Watch


def fed(steps, pause_s, total=100):
    tracker = Tracker()
    for place, step in enumerate(steps):
        tracker.feed(f"step {step}/{total} loss {3 - step / total:.3f}\n".encode(), 1000 + place * pause_s)
        tracker.catch_up()
    return tracker


def test_a_log_without_times_is_timed_by_when_it_moved():
    tracker = fed(range(10, 30), pause_s=6)
    found = tracker.metrics(now_s=1120)
    assert (found.step_time_s, found.eta_s, found.phase) == (6.0, 6.0 * 71, "train")
    assert BY_OWN_CLOCK in found.notes
    assert tracker.metrics().step_time_s is None, "who reads it once has seen nothing move"


def test_what_the_log_prints_goes_before_our_own_clock():
    tracker = Tracker()
    for step in range(1, 20):
        tracker.feed(f"step {step}/100 loss 0.5 0.250 s/it\n".encode(), 1000 + 6 * step)
        tracker.catch_up()
    assert tracker.metrics(now_s=1120).step_time_s == 0.25


def test_a_counter_that_begins_anew_is_timed_anew():
    tracker = fed([*range(50, 60), *range(1, 9)], pause_s=2)
    assert tracker.metrics(now_s=1040).step_time_s == 2.0


def test_a_log_that_stood_still_before_anybody_looked_has_stalled(tmp_path):
    log = tmp_path / "job.log"
    log.write_text("".join(f"step {step}/90 loss 0.5 2.00 s/it\n" for step in range(1, 20)))
    changed_s = log.stat().st_mtime
    watch = Watch([str(log)])
    watch.poll(changed_s + 1)
    assert watch.metrics(changed_s + 20)[0].phase == "train"
    assert watch.metrics(changed_s + 60)[0].phase == "stalled"


def test_a_log_that_ends_in_a_fatal_error_is_dead_and_not_slow(tmp_path):
    log = tmp_path / "job.log"
    log.write_text(
        "".join(f"step {step}/90 loss 0.5 2.00 s/it\n" for step in range(1, 20))
        + "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 'lr'\n"
    )
    watch = Watch([str(log)])
    watch.poll(log.stat().st_mtime)
    found = watch.metrics(log.stat().st_mtime + 3600)[0]
    assert (found.phase, found.eta_s) == ("failed", None)
    assert "line 22 ended it: KeyError: 'lr'" in found.notes[-1]
