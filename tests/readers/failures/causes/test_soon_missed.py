"""A device that its driver gave up just before the last steps is what ranks waited for; one long before is not."""

import pytest

from schedmate import diagnose

STEPS = [
    f"0: 2031-03-31 04:{40 + step // 10}:{6 * (step % 10):02}.445 lab.fit:91 INFO [step={step}/90000] loss=2.{step:03}"
    for step in range(140)
]
WAITED = (
    "5: [E ProcessGroupNCCL.cpp:475] [Rank 5] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=59, "
    "OpType=ALLREDUCE, NumelIn=512, NumelOut=512, Timeout(ms)=1800000) ran for 1800329 milliseconds before timing out."
)
ENDED = ["srun: error: kiln3: task 5: Aborted (core dumped)", "##### kiln3: journalctl -k"]
NVLINK = "NVRM: Xid (PCI:0000:65:00): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 3(0x1)"
PROGRAMS = "NVRM: Xid (PCI:0000:65:00): 13, pid=911, name=python, Graphics Exception: ESR 0x505730=0x1"
OLDER = ["Mar 31 02:11:08 kiln3 kernel: docker0: port 1(veth1) entered blocking state"]
LATER = [f"Mar 31 05:2{minute}:08 kiln3 slurmd[44]: slurmd: epilog took {minute} s" for minute in range(4, 8)]


def read(tmp_path, stamp, told):
    dump = [*OLDER, f"Mar 31 {stamp} kiln3 kernel: {told}", *LATER]
    (tmp_path / "job.log").write_text("\n".join([*STEPS, WAITED, *ENDED, *dump]) + "\n")
    return diagnose(tmp_path / "job.log")


def test_a_link_that_failed_as_the_last_steps_were_made(tmp_path):
    found = read(tmp_path, "04:53:10", NVLINK)
    assert (found.failure_id, found.root_line, found.root_host) == ("gpu.xid_74", len(STEPS) + 5, "kiln3")


@pytest.mark.parametrize(("stamp", "told"), [("04:41:10", NVLINK), ("04:53:10", PROGRAMS)])
def test_one_that_failed_long_before_and_what_a_program_did_explain_nothing(tmp_path, stamp, told):
    assert read(tmp_path, stamp, told).root_line == len(STEPS) + 1
