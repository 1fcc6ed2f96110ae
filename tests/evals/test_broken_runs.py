"""The broken runs: every fault has a truth and words, and a label stands where the log first has them."""

import re
import subprocess
import sys

import pytest

from evals.broken_runs.case import LAUNCHERS, ROOT, Case, fits, plan
from evals.broken_runs.label import find, row
from evals.broken_runs.launch import children, command, confined
from evals.broken_runs.truths import HEALTHY, INSIDE, OUTSIDE, truth_of


def case_of(tmp_path, fault, launcher="torchrun"):
    return Case("run_000", launcher, fault, tmp_path)


@pytest.mark.parametrize("fault", [*INSIDE, *OUTSIDE])
def test_every_fault_has_words_and_a_launcher(fault):
    truth = truth_of(fault)
    assert truth.words
    assert all(re.compile(words) for words in truth.words)
    assert any(fits(launcher, fault) for launcher in LAUNCHERS)


def test_every_bug_of_the_program_is_known(tmp_path):
    text = (ROOT / "evals" / "broken_runs" / "bugs.py").read_text()
    table = text.partition("BUGS: dict")[2].partition("\n}")[0]
    assert set(re.findall(r'^    "(\w+)":', table, re.M)) <= set(INSIDE)


def test_a_plan_is_the_same_for_the_same_seed(tmp_path):
    first, second = (plan(tmp_path, 3, 40) for _ in range(2))
    assert first == second
    assert plan(tmp_path, 4, 40) != first
    assert any(case.fault == "healthy" for case in first)


def test_the_first_of_the_preferred_words_is_the_place(tmp_path):
    case = case_of(tmp_path, "memory", "mpirun")
    died = "mpirun noticed that process rank 1 with PID 7 on node a exited on signal 9 (Killed)."
    case.log.write_text(f"step 1\n{died}\n[1.0] Memory cgroup out of memory: Killed process 7 (python)\n")
    found = find(case)
    assert found is not None
    assert (found.line, found.also) == (3, (2,))
    assert row(case, found)["root_line"] == "3"


def test_a_bar_that_redraws_itself_is_one_line(tmp_path):
    case = case_of(tmp_path, "missing_key")
    case.log.write_bytes(b"\r10%\r20%\r30%\nKeyError: 'position_ids_7f3a'\n")
    found = find(case)
    assert found is not None
    assert found.line == 2


def test_a_log_that_does_not_state_its_fault_has_no_label(tmp_path):
    case = case_of(tmp_path, "missing_key")
    case.log.write_text("step 1\n")
    assert find(case) is None


def test_a_healthy_run_has_no_place(tmp_path):
    case = case_of(tmp_path, "healthy")
    case.log.write_text("training finished\n")
    assert truth_of(case.fault) is HEALTHY
    assert row(case, find(case))["category"] == "none"


@pytest.mark.parametrize("launcher", [name for name in LAUNCHERS if name != "two hosts"])
def test_a_launcher_starts_the_program_on_all_ranks(tmp_path, launcher):
    case = case_of(tmp_path, "disk_full", launcher)
    words = command(case)
    assert "disk_full" in words
    assert any(str(case.ranks) in word for word in words)


def test_a_small_disk_is_mounted_for_the_job_alone(tmp_path):
    case = case_of(tmp_path, "disk_full")
    assert confined(case, ["true"])[:2] == ["unshare", "--mount"]
    assert confined(case_of(tmp_path, "missing_key"), ["true"]) == ["true"]


def test_the_children_of_a_process_are_found():
    nested = "import subprocess,sys; subprocess.run([sys.executable, '-c', 'input()'])"
    with subprocess.Popen([sys.executable, "-c", nested], stdin=subprocess.PIPE) as process:
        while not children(process.pid):
            pass
        assert len(children(process.pid)) == 1
        process.communicate(b"\n")
