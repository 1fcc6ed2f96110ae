"""What a machine hands over as it comes up is of a crash before that: of the job's only where it came up behind it."""

import pytest

from schedmate import diagnose

STEPS = [f"iteration {number}/900 loss 3.{900 - number}" for number in range(40)]
DATED = [f"2031-04-02 08:10:{number:02d} {step}" for number, step in enumerate(STEPS)]
WAITED = (
    "[rank3]:[E402 11:20:13.1 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=81, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600017 milliseconds before timing out."
)
BOOT = [
    "[    0.000000] Linux version 6.8.0-41 (lab@kiln)",
    "[    2.041000] BERT: Error records from previous boot:",
    "[    2.041001] [Hardware Error]: event severity: fatal",
    "[    9.120000] systemd[1]: Reached target Basic System.",
]
RECORD = "2031-04-0{} kiln7 kernel: BERT: Total records found: 1"


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("later", [[], ["[1209600.512000] docker0: port 2(veth1) entered disabled state"]])
def test_of_a_dump_that_begins_with_its_boot_it_tells_nothing_of_the_job(tmp_path, later):
    assert read(tmp_path, *STEPS, WAITED, "kernel messages:", *BOOT, *later).root_line == len(STEPS) + 1


@pytest.mark.parametrize(("when", "failure"), [("2T08:21:07", "node.crash_record"), ("1T23:50:01", None)])
def test_its_clock_tells_whether_it_came_up_behind_the_last_step(tmp_path, when, failure):
    found = read(tmp_path, *DATED, RECORD.format(when))
    assert found.failure_id == failure


def test_what_firmware_reports_while_the_kernel_runs_is_of_now(tmp_path):
    live = "[512004.201000] {1}[Hardware Error]: event severity: fatal"
    found = read(tmp_path, *STEPS, live)
    assert (found.subcategory, found.root_line) == ("node", len(STEPS) + 1)


@pytest.mark.parametrize(("last", "category"), [("[   31.1000] ready", "infrastructure"), ("[864000.1000] a", "none")])
def test_a_log_of_the_machine_alone_tells_of_its_crash_if_it_has_just_come_up(tmp_path, last, category):
    assert read(tmp_path, *BOOT, last).category == category
