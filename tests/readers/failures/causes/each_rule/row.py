"""One rule's row: a log that it decides, one near it that it leaves alone, and what such logs are put together of."""

from collections.abc import Sequence
from typing import NamedTuple

ROOT, WITHOUT, OTHERWISE = "  <- root", "  <- root without the rule", "  <- root, of another class without the rule"
"""What stands behind a line; where none is marked, the job was well."""
MARKS = (ROOT, WITHOUT, OTHERWISE)


class Row(NamedTuple):
    """What shows that a rule is asked, and asked rightly."""

    rule: str
    decides: Sequence[str]
    leaves: Sequence[str]


class Marked(NamedTuple):
    """A log without its marks, and the lines that they stood at."""

    text: str
    root: int | None
    without: int | None


def marked(lines):
    """Take the marks off a log."""
    at = {mark: number for number, line in enumerate(lines, 1) for mark in MARKS if line.endswith(mark)}
    text = "".join(f"{line.partition('  <- ')[0]}\n" for line in lines)
    both = at.get(OTHERWISE)
    return Marked(text, at.get(ROOT, both), at.get(WITHOUT, both))


def steps(first, last, form="step {}/900 loss 2.{:03}"):
    """Write what a training says of its steps."""
    return [form.format(step, 999 - step) for step in range(first, last + 1)]


def raised(error, frame="<module>", who=""):
    """Write an exception that came out of a function, by default at the top of its program."""
    stack = [
        "Traceback (most recent call last):",
        f'  File "/home/lea/fit.py", line 31, in {frame}',
        "    fit(options)",
    ]
    return [f"{who}{line}" for line in (*stack, error)]


def waited(rank, mark="", kind="ALLREDUCE", numbers=4096):
    """Write what a rank's watchdog says of a collective that did not end, and of the group that it is of."""
    head = f"[rank{rank}]:[E512 09:14:07.22{rank} ProcessGroupNCCL.cpp:"
    return [
        f"{head}629] [Rank {rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=510, OpType={kind}, "
        f"NumelIn={numbers}, NumelOut={numbers}, Timeout(ms)=600000) ran for 600041 milliseconds before timing out."
        f"{mark}",
        f"{head}2168] [PG ID 0 PG GUID 0(default_pg) Rank {rank}]  failure detected by watchdog at sequence id: 510",
    ]
