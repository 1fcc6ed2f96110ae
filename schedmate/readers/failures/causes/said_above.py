"""Walk back from an end to what stands just above it: why NCCL gave up, a key, where a kernel's report begins."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, takewhile

from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.causes.last_words import of_who_left
from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.lines import Line
from schedmate.tools.raw_lines import RawLine

WARNS = "NCCL WARN "

GAVE_UP = frozenset(
    f"distributed.nccl_{how}" for how in ("unhandled_system", "unhandled_cuda", "internal", "invalid_usage")
)
"""What says only which kind of call failed: NCCL logs the call itself before it returns."""
INTERRUPTED, KEY = "interrupted", "^C"
"""What the catalogue calls the end by Ctrl-C, and how a terminal echoes it."""
LINES_BACK = 60

OUT_OF_MEMORY = frozenset({"node.kernel_oom", "limits.cgroup_memory"})

REPORTS, REPORT_LINES, REPORT_S = b" invoked oom-killer: ", 600, 30.0
"""How a kernel's report of whom it killed begins; between are its memory and a table of all processes."""


def said_before(root: Sighting, case: JobCase) -> Sighting:
    """Give the line above, since the last step, that states what the root only follows from."""
    if root.failure is None:
        return root
    own = case.own(root)
    if root.failure.id in GAVE_UP and WARNS not in root.line.text:
        return warned(root, own)
    if root.failure.id in OUT_OF_MEMORY:
        return head_of_report(root, own)
    if root.failure.fault == INTERRUPTED:
        pressed = (
            replace(root, number=raw.number, start=raw.start, line=line)
            for raw, line in above(root, own)
            if line.text.startswith(KEY) and not is_its_head(raw, root)
        )
        return next(pressed, root)
    return of_who_left(root, own)


def is_its_head(raw: RawLine, root: Sighting) -> bool:
    """Tell the first line of the very stack that a root ends: its last line states what it is, as in any stack."""
    return root.raised is not None and raw.start == root.raised.head_start


def head_of_report(root: Sighting, own: FailureReading) -> Sighting:
    """Give the line with which the kernel's report of a kill begins, of the same host and moment."""
    low = own.attempt.start if root.start >= own.attempt.start else 0
    for raw in islice(own.log.lines_backward(root.start, low), REPORT_LINES):
        if REPORTS not in raw.raw:
            continue
        line = own.cleaner.take(raw)
        return replace(root, number=raw.number, start=raw.start, line=line) if is_of_report(line, root.line) else root
    return root


def is_of_report(head: Line, killed: Line) -> bool:
    """Tell a report's head from that of another host or moment."""
    if head.time_s is None or killed.time_s is None or head.clock != killed.clock:
        return False
    return 0 <= killed.time_s - head.time_s <= REPORT_S and (head.host, head.rank) == (killed.host, killed.rank)


def warned(root: Sighting, own: FailureReading) -> Sighting:
    """Give NCCL's first warning above that no entry knows; one that is known speaks for itself."""
    first = root
    for raw, line in above(root, own):
        if WARNS not in line.text:
            continue
        if (found := ready_entries().match(line.text)) and not found[0].general:
            return root
        first = replace(root, number=raw.number, start=raw.start, line=line)
    return first


def above(root: Sighting, own: FailureReading) -> Iterator[tuple[RawLine, Line]]:
    """Walk back over the lines of the run above a line, up to the last step."""
    lines = islice(own.log.lines_backward(root.start, own.attempt.start), LINES_BACK)
    cleaned = ((raw, own.cleaner.take(raw)) for raw in lines)
    return takewhile(lambda pair: not is_progress(pair[1].text), cleaned)
