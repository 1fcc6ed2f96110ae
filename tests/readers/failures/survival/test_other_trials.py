"""The end of one trial is not that of a search in which others are at work behind it."""

import pytest

from schedmate import diagnose

OLD = [
    "2031-04-05 10:05:01,221\tERROR trial_runner.py:980 -- Trial fit_a1_00001: Error processing event.",
    "Traceback (most recent call last):",
    '  File "/opt/acme/ray/tune/ray_trial_executor.py", line 989, in get_next_executor_event',
    "ray.exceptions.RayTaskError(ValueError): ray::ImplicitFunc.train() (pid=211, ip=10.0.0.2)",
    '  File "/home/acme/tune.py", line 31, in fit',
    "ValueError: hidden_size must be divisible by num_heads",
]
NEW = [
    "2031-04-05 10:05:01,221\tERROR tune_controller.py:1331 -- Trial task failed for trial fit_a1_00001",
    *OLD[1:],
    "Trial fit_a1_00001 errored after 0 iterations at 2031-04-05 10:05:01. Total running time: 5min 1s",
]
OLD_GO_ON = ["Result for fit_a1_00002:", "  training_iteration: 1", "  loss: 0.71", "the best: {'lr': 0.01}"]
NEW_GO_ON = ["Trial fit_a1_00002 finished iteration 1 at 2031-04-05 10:06:01. Total running time: 6min 1s"]
SUM = "2031-04-05 10:09:02,221\tERROR tune.py:1037 -- Trials did not complete: [fit_a1_00001]"
GAVE_UP = [
    "Traceback (most recent call last):",
    '  File "tune.py", line 80, in <module>',
    "    analysis = tune.run(fit, config=cfg)",
    "ray.tune.error.TuneError: ('Trials did not complete', [fit_a1_00001])",
]
CANCELLED = "slurmstepd: error: *** JOB 771 ON kiln07 CANCELLED AT 2031-04-05T11:00:00 ***"


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("lines", [[*OLD, *OLD_GO_ON], [*NEW, *NEW_GO_ON, SUM, "the best: {'lr': 0.01}"]])
def test_a_search_goes_on_without_one_trial(tmp_path, lines):
    assert read(tmp_path, *lines).category == "none"
    found = read(tmp_path, *lines, CANCELLED)
    assert (found.category, found.root_line) == ("other", len(lines) + 1)


@pytest.mark.parametrize("lines", [[*OLD_GO_ON, *OLD], [*NEW_GO_ON, *NEW]])
def test_a_trial_that_worked_before_shows_no_search_that_goes_on(tmp_path, lines):
    assert read(tmp_path, *lines).root_excerpt == OLD[-1]


def test_what_came_out_at_the_top_of_the_search_ended_more_than_a_trial(tmp_path):
    search = [*OLD[:2], '  File "/home/acme/tune.py", line 80, in <module>', *OLD[4:]]
    left = "srun: error: kiln07: task 0: Exited with exit code 1"
    assert read(tmp_path, *search, *OLD_GO_ON, left).root_line == len(search)


def test_a_tuner_that_gives_up_for_it_is_ended_by_it(tmp_path):
    assert read(tmp_path, *OLD, *OLD_GO_ON, *GAVE_UP).root_line == len(OLD)


@pytest.mark.parametrize("lines", [OLD, [*NEW, SUM], [*NEW, NEW_GO_ON[0].replace("00002", "00001")]])
def test_a_trial_behind_which_no_other_works_is_the_cause(tmp_path, lines):
    assert read(tmp_path, *lines).root_line == len(OLD)


@pytest.mark.parametrize(
    "fault", ["CUDA error: uncorrectable ECC error encountered", "NVRM: Xid 79, GPU has fallen off"]
)
def test_a_machine_that_broke_in_one_trial_stays_told(tmp_path, fault):
    found = read(tmp_path, *OLD[:-1], f"RuntimeError: {fault}", *OLD_GO_ON)
    assert (found.category, found.root_line) == ("infrastructure", len(OLD))
