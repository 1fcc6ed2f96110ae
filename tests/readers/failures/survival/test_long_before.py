"""Rows of an event log from months before the job say nothing of its end."""

import pytest

from schedmate import diagnose

STEPS = [f"2031-07-30 04:31:{second:02d} iteration {second}/9000 | loss: 2.{second:03d}" for second in range(40)]
RAISED = ["Traceback (most recent call last):", '  File "/app/a.py", line 1, in <module>', "KeyError: 'labels'"]
ROW = " 1a | {} | 04:09:13 | Power Supply PSU3 | Power Supply AC lost | Asserted"


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("end", [[], RAISED])
def test_a_row_of_another_month_ended_nothing(tmp_path, end):
    found = read(tmp_path, *STEPS, *end, "events of kiln07, newest last:", ROW.format("03/20/2031"))
    assert found.category == ("script" if end else "none")


def test_a_row_of_the_day_counts(tmp_path):
    found = read(tmp_path, *STEPS, "srun: error: Node failure on kiln07", ROW.format("07/30/2031"))
    assert (found.subcategory, found.root_line) == ("other", 42)


def test_a_year_that_is_only_guessed_makes_nothing_old(tmp_path):
    steps = [step.removeprefix("2031-") for step in STEPS]
    found = read(tmp_path, *steps, "srun: error: Node failure on kiln07", ROW.format("07/30/2025"))
    assert (found.subcategory, found.root_line) == ("other", 42)


def test_of_a_list_of_several_days_only_the_newest_row_may_be_of_the_job(tmp_path):
    rows = ["2030-11-02 04:10  kiln01  fan tray changed", "2031-01-08 04:47  kiln03  GPU 3 Xid 79, fallen off the bus"]
    newest = "2031-03-12 18:38  kiln01  reinstalled"
    assert read(tmp_path, *rows, newest, "reading the data of the lab", *RAISED).root_excerpt == RAISED[-1]
    assert read(tmp_path, *rows, "reading the data of the lab").category == "infrastructure"


FELL = "2031-07-30 04:31:50 kiln07 kernel: NVRM: Xid (PCI:0000:52:00): 79, pid=61, GPU has fallen off the bus."


@pytest.mark.parametrize("said", ["slurmstepd: error: *** JOB 7 ON kiln07 CANCELLED AT {} DUE TO TIME LIMIT ***", "{}"])
@pytest.mark.parametrize("steps", [STEPS, [step.split(maxsplit=2)[2] for step in STEPS]])
def test_a_job_that_hung_for_days_behind_a_fault_ended_of_it(tmp_path, steps, said):
    end = said.format("2031-08-05T04:31:50" if " " in said else "2031-08-05 04:31:50 the job's time is over")
    assert read(tmp_path, *steps, FELL, end).root_line == len(steps) + 1


@pytest.mark.parametrize("said", ["(vbios 2029-01-02)", "driver 570.3 built 2029-01-02 here"])
def test_the_date_of_a_build_is_none_of_a_fault(tmp_path, said):
    fault = f"NVRM: Xid (PCI:0000:52:00): 79, GPU has fallen off the bus {said}"
    assert read(tmp_path, *STEPS, fault, "RuntimeError: NCCL communicator was aborted").root_line == len(STEPS) + 1


def test_a_row_of_the_day_of_the_steps_counts_though_the_list_goes_on(tmp_path):
    rows = [
        "Xid 79 fallen off     root      2031-07-30T04:31:50 kiln07",
        "no answer    root    2031-08-09T10:01:00 kiln08",
    ]
    lost = "RuntimeError: NCCL communicator was aborted"
    assert read(tmp_path, *STEPS, *rows, lost).root_line == len(STEPS) + 1


@pytest.mark.parametrize("state", ["TIMEOUT", "OUT_OF_MEMORY", "CANCELLED"])
def test_an_account_of_a_job_that_is_over_is_of_another_where_steps_follow(tmp_path, state):
    told = ["the run before this one:", f"State: {state} (exit code 0)"]
    path = tmp_path / "job.log"
    path.write_text("\n".join([*told, "going on from step 40", "step 41 loss 2.5", "step 42 loss 2.4"]) + "\n")
    assert diagnose(path).category == "none"
    path.write_text("\n".join(["step 41 loss 2.5", "step 42 loss 2.4", *told[1:]]) + "\n")
    assert diagnose(path).root_line == 3
