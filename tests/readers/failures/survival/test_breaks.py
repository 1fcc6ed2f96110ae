"""A few steps behind what breaks a card or a communicator do not show that it was got over; many, or long ones, do."""

import pytest

from schedmate import diagnose

BROKEN = (
    "kiln04:15:16 [3] NCCL WARN NET/IB: Got completion from peer 10.9.8.7<50247> with status=12 opcode=0 len=0 vendor"
    " err 129 (Recv)"
)
FELL_OFF = "Mar 14 02:11:09 kiln04 kernel: NVRM: Xid (PCI:0000:9b:00): 79, pid='<unknown>', GPU has fallen off the bus."
CONTAINED = (
    "Mar 14 02:11:09 kiln04 kernel: NVRM: Xid (PCI:0000:9b:00): 94, pid=77, name=python, Contained: Data Leakage"
)
STACK = ["Traceback (most recent call last):", '  File "fit.py", line 31, in <module>', "    fit(options)"]
KEY = [*STACK, "KeyError: 'plums'"]
WAITED = "[rank{0}]: [E PG.cpp:607] [Rank {0}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9)"


def steps(first, last, hour=2, every=10):
    """Write steps, some seconds apart."""
    told = []
    for step in range(first, last):
        at = step * every
        moment = f"{hour + at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}"
        told.append(f"[2031-03-14 {moment}] step {step}/900 loss {9 - step / 100:.3f}")
    return told


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize(("behind", "is_root"), [(0, True), (3, True), (40, False)])
def test_steps_behind_a_broken_transfer(tmp_path, behind, is_root):
    ended = [WAITED.format(rank) for rank in range(3)]
    found = read(tmp_path, [*steps(0, 60), BROKEN, *steps(60, 60 + behind), *ended])
    assert (found.root_line == 61) == is_root


@pytest.mark.parametrize(
    ("said", "every", "is_root"), [(FELL_OFF, 10, True), (FELL_OFF, 1200, False), (CONTAINED, 10, False)]
)
def test_steps_behind_a_broken_card(tmp_path, said, every, is_root):
    placed = said.replace("02:11:09", f"{2 + 6 * every // 3600:02}:{6 * every // 60 % 60:02}:{6 * every % 60:02}")
    found = read(tmp_path, [*steps(0, 7, every=every), placed, *steps(7, 11, every=every), *KEY])
    assert (found.root_line == 8) == is_root
