"""What a watch tells of jobs that die, hang, diverge, slow down or fall behind, and that it tells it once."""

import os

import pytest

from schedmate.watching.finding import output_beside
from tests.watching.conftest import stamp

TRACEBACK = """Traceback (most recent call last):
  File "/home/u/train.py", line 41, in <module>
    loss = table[batch["kind"]]
KeyError: 'kind'
"""


def test_a_death_is_told_once_within_thirty_seconds(site):
    site.train("a.log", 1, 20)
    site.write("a.log", TRACEBACK)
    died_s = site.now_s
    site.pass_by(30, every_s=1)
    assert site.kinds == ["died"]
    event = site.told[0]
    assert event.at_s - died_s <= 30
    assert event.diagnosis.failure_id == "python.key_error"
    assert event.log == site.path("a.log")
    assert event.step == 20
    assert "KeyError" in event.evidence[0].quote
    site.pass_by(3600, every_s=60)
    assert site.kinds == ["died"]


def test_a_watch_started_again_tells_nothing_twice_and_what_happened_meanwhile(site):
    site.train("a.log", 1, 20)
    site.write("a.log", TRACEBACK)
    site.pass_by(30)
    site.stop()
    site.train("b.log", 1, 5, look=False)
    site.write("b.log", TRACEBACK)
    site.now_s += 3600
    site.start()
    site.pass_by(60)
    assert site.kinds == ["died", "died"]
    assert [event.log for event in site.told] == [site.path("a.log"), site.path("b.log")]


def test_what_was_written_long_before_the_first_watch_is_passed_by(site):
    site.stop()
    os.unlink(site.folder / "data" / "watch.jsonl")
    site.train("old.log", 1, 5, look=False)
    site.write("old.log", TRACEBACK)
    site.now_s += 3600
    site.start()
    site.pass_by(60)
    assert site.kinds == []
    site.write("old.log", TRACEBACK)  # but not what comes now
    site.pass_by(60)
    assert site.kinds == ["died"]


def test_who_asks_for_what_was_long_before_is_told_of_it_once_also_after_a_first_watch(site):
    site.train("old.log", 1, 5, look=False)
    site.write("old.log", TRACEBACK)
    site.stop()
    os.unlink(site.folder / "data" / "watch.jsonl")
    site.now_s += 20 * 86400
    site.start()
    site.pass_by(60)
    assert site.kinds == []
    site.stop()
    site.start(since_s=30 * 86400.0, is_asked=True)
    site.pass_by(60)
    assert site.kinds == ["died"]
    followed = site.watch.jobs[site.path("old.log")]
    site.pass_by(60)
    assert site.watch.jobs[site.path("old.log")] is followed  # not found and read anew each time
    site.stop()
    site.start(since_s=30 * 86400.0, is_asked=True)
    site.pass_by(60)
    assert site.kinds == ["died"]


def test_a_job_that_goes_on_after_all_takes_its_death_back(site):
    site.train("a.log", 1, 20)
    site.write("a.log", TRACEBACK)
    site.pass_by(30)
    site.train("a.log", 10, 30)
    assert site.kinds == ["died", "went_on"]
    site.write("a.log", TRACEBACK)
    site.pass_by(60)
    assert site.kinds == ["died", "went_on", "died"]


def test_an_error_that_the_job_outlives_is_no_death(site):
    site.train("a.log", 1, 20)
    site.write("a.log", "WARNING: ConnectionError while writing metrics, trying again in 30 s\n")
    site.pass_by(30)
    site.train("a.log", 21, 40)
    assert site.kinds == []


def test_a_hang_names_since_when_and_ends_when_the_job_moves(site):
    site.train("a.log", 1, 20)
    site.pass_by(170)
    assert site.kinds == []
    site.pass_by(60)
    assert site.kinds == ["stalled"]
    assert "hangs: no step since" in site.told[0].said
    site.pass_by(3600, every_s=60)
    assert site.kinds == ["stalled"]
    site.train("a.log", 21, 30)
    assert site.kinds == ["stalled", "went_on"]
    site.pass_by(1900)
    assert site.kinds == ["stalled", "went_on", "stalled"]


def test_a_pause_that_a_job_came_through_is_told_once(site):
    for first in (1, 21, 41):
        site.train("a.log", first, first + 19)
        site.now_s += 300
        site.look()
    site.train("a.log", 61, 80)
    assert site.kinds == ["stalled", "went_on"]


@pytest.mark.parametrize(("clock", "begin"), [(True, ""), (False, ""), (True, "loading the data set\n")])
def test_what_a_buffer_holds_back_for_as_long_as_before_is_no_hang(site, clock, begin):
    site.write("a.log", begin)
    site.look()
    step = 0
    for _ in range(4):
        for _ in range(60):
            site.now_s += 10
            site.look()
        begun_s = site.now_s - 600
        held = range(step + 1, step + 61)
        lines = [f"step {at}/10000 loss {5 / at:.4f} step_time 10.0 s\n" for at in held]
        site.write("a.log", "".join(f"{stamp(begun_s + 10 * k)} " * clock + line for k, line in enumerate(lines)))
        step += 60
        site.look()
    assert site.kinds == []


def test_other_output_is_a_sign_of_life(site):
    site.train("a.log", 1, 20)
    for part in range(40):
        site.now_s += 10
        site.write("a.log", f"evaluating shard {part} of the held out set\n")
        site.look()
    assert site.kinds == []


@pytest.mark.parametrize("last", ["", "Training complete. Saved model to out/final.pt\n"])
def test_a_job_that_ended_does_not_hang(site, last):
    site.train("a.log", 1, 20, total=20 if not last else 10_000)
    site.write("a.log", last)
    site.pass_by(3600, every_s=30)
    assert site.kinds == []


def test_a_job_without_an_end_in_sight_falls_silent_and_nobody_is_sent_for(site):
    for step in range(1, 21):
        site.now_s += 10
        site.write("a.log", f"step {step} loss {5 / step:.4f} step_time 10.0 s\n")
        site.look()
    site.pass_by(600)
    assert site.kinds == ["silent"]
    assert not site.watch.gathering.waiting


def test_a_hang_is_told_after_a_restart_of_the_watch(site):
    site.train("a.log", 1, 20)
    site.stop()
    site.now_s += 1200
    site.start(since_s=3600.0)
    site.pass_by(30)
    assert site.kinds == ["stalled"]


def test_a_loss_that_is_no_number_is_told_once(site):
    site.train("a.log", 1, 20)
    site.train("a.log", 21, 40, loss=lambda step: float("nan"))
    assert site.kinds == ["not_a_number"]
    assert "loss is nan" in site.told[0].said


def test_a_loss_that_goes_up_for_good_is_told_and_a_peak_is_not(site):
    site.train("a.log", 1, 40, loss=lambda step: 2.0)
    site.train("a.log", 41, 43, loss=lambda step: 30.0)
    site.train("a.log", 44, 60, loss=lambda step: 2.0 + step / 1000)
    assert site.kinds == []
    site.train("a.log", 61, 75, loss=lambda step: 30.0 + step)
    assert site.kinds == ["diverged"]


def test_steps_that_take_much_longer_are_told_once(site):
    site.train("a.log", 1, 40)
    site.train("a.log", 41, 90, every_s=25)
    assert site.kinds == ["slower"]
    assert "2.5 times" in site.told[0].said


def test_steps_that_took_longer_for_a_moment_call_nobody(site):
    """Storage was slow; told while it was, it would be over when somebody looks, and told later, it is over."""
    site.train("a.log", 1, 60)
    for first in (61, 121):
        site.train("a.log", first, first + 11, every_s=14)
        site.train("a.log", first + 12, first + 59)
    assert site.kinds == []


def test_ranks_are_one_job_and_the_one_that_falls_behind_is_named(site):
    for step in range(1, 61):
        site.now_s += 10
        for rank in range(4):
            if rank != 2 or step <= 20:
                site.write(f"run/rank_{rank}.log", f"step {step}/1000 loss {5 / step:.4f} step_time 10.0 s\n")
        site.look()
    assert site.kinds == ["behind"]
    assert "rank_2.log fell behind: at step 20" in site.told[0].said
    assert site.watch.counts == (4, 1)


def test_a_job_of_many_ranks_dies_once(site):
    for step in range(1, 11):
        site.now_s += 10
        for rank in range(4):
            site.write(f"run/rank_{rank}.log", f"step {step}/1000 loss {5 / step:.4f} step_time 10.0 s\n")
        site.look()
    site.write("run/rank_3.log", TRACEBACK)
    for rank in range(3):
        site.write(f"run/rank_{rank}.log", "RuntimeError: Connection reset by peer\n")
    site.pass_by(120)
    assert site.kinds == ["died"]
    assert site.told[0].diagnosis.root_path == site.path("run/rank_3.log")


def test_a_job_whose_errors_have_a_log_of_their_own_dies_once(site):
    site.write("a.err", "")
    site.train("a.out", 1, 20)
    site.write("a.err", TRACEBACK)
    site.pass_by(3600, every_s=30)
    assert site.kinds == ["died"]
    assert (site.told[0].job, site.told[0].log) == (site.path("a.out"), site.path("a.err"))
    assert site.told[0].step == 20


def test_errors_that_come_before_the_output_are_of_the_same_job(site):
    site.write("run/stderr.log", "loading\n")
    site.look()
    site.train("run/stdout.log", 1, 20)
    assert site.watch.counts == (2, 1)
    site.write("run/stderr.log", TRACEBACK)
    site.pass_by(3600, every_s=30)
    assert site.kinds == ["died"]


def test_a_bar_among_the_errors_that_is_done_falls_behind_nobody(site):
    for step in range(1, 40):
        if step < 10:
            site.write("a.err", f"\r{step}%|#  | {step}/100 [00:10<01:00, 1.0it/s]\n")
        site.train("a.out", step, step)
    assert site.kinds == []


@pytest.mark.parametrize(
    ("errors", "output"),
    [
        ("/x/slurm-7.err", "/x/slurm-7.out"),
        ("/x/train_err.log", "/x/train_out.log"),
        ("/x/train.error", "/x/train.output"),
        ("/x/attempt_0/3/stderr.log", "/x/attempt_0/3/stdout.log"),
        ("/x/err.txt", "/x/out.txt"),
        ("/x/run.e4711", "/x/run.o4711"),
        ("/x/run.e4711-3", "/x/run.o4711-3"),
        ("/x/terror.log", ""),
        ("/x/a.err.log.gz", ""),
        ("/x/a.e", ""),
        ("/x/train.out", ""),
    ],
)
def test_the_output_beside_errors_is_known_by_its_name(errors, output):
    assert output_beside(errors) == output


def test_a_log_that_is_rotated_or_cut_goes_on(site):
    site.train("a.log", 1, 20)
    os.rename(site.path("a.log"), site.path("a.log.1"))
    site.train("a.log", 21, 30)
    with open(site.path("a.log"), "w"):
        pass
    site.train("a.log", 31, 40)
    assert site.kinds == []


def test_a_log_that_goes_away_is_left(site):
    site.train("a.log", 1, 5)
    assert site.watch.counts == (1, 1)
    os.unlink(site.path("a.log"))
    site.pass_by(30)
    assert site.watch.counts == (0, 0)
    assert site.kinds == []


def test_a_run_that_died_before_is_no_news_of_the_one_that_goes_on(site):
    site.train("a.log", 1, 20)
    site.write("a.log", f"{TRACEBACK}[supervise] attempt 1 ended with status 1, restart 2/5\n")
    site.train("a.log", 11, 60)
    told = list(site.kinds)
    site.write("a.log", "RuntimeError: could not send the figures, retrying\n")
    site.train("a.log", 61, 90)
    assert site.kinds == told
