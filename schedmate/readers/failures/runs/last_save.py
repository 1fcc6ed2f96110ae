"""When a dead job last said that it had saved: what its death threw away, where the log's lines bear a clock."""

from collections.abc import Iterable
from typing import NamedTuple

import re2

from schedmate.readers.lines import Line, clean
from schedmate.tools.logfile import open_log

TAIL_BYTES = 8 << 20
"""Older saves are not looked for: what lies before so much output counts as not told."""
NEAR_LINES = 40
"""A line without a clock is as old as one that has a clock so near."""
DAY_S = 86_400.0
WHAT = r"(?:check-?_?points?|ckpts?|snapshots?|model|weights|(?:training |trainer |current )?states?|state_dict)"

DONE = re2.compile(
    rf"(?i)\b(?:saved|wrote|written|stored|committed)\b.{{0,60}}\b{WHAT}\b|\b{WHAT}\b.{{0,160}}\b(?:saved|written|stored|committed)\b"
)
"""Says that it was saved."""
BEGUN = re2.compile(rf"(?i)\b(?:saving|writing|storing|dumping)\b.{{0,60}}\b{WHAT}\b")
"""Says that it is being saved: true once the job has gone on."""
NOT = re2.compile(
    r"(?i)\b(?:fail\w*|errors?|unable|cannot|can't|couldn't|not|no|skip\w*|will|would|every|each|if|when|disabled?|enabled?"
    r"|warn\w*|should|resum\w*|load\w*|restor\w*|best)\b|\b(?:true|false)\b|\bsave_\w+|\w+_(?:interval|steps|freq)"
)
"""Says when it would be, or that it was not; a best model is kept for its score, and is often older than the last."""
ON = re2.compile(r"(?i)\b(?:step|steps|iter|iteration|epoch|batch|loss)\b|\bit/s|s/it\b|\d%\|")
"""Is printed by a job that goes on."""


class LastSave(NamedTuple):
    """The last line that says so, and how long the log went on after it."""

    quote: str
    lost_s: float


def last_save(path: str) -> LastSave | None:
    """Read the end of a log; None where it tells of no save, or not when."""
    with open_log(path) as log:
        data = log.window(max(0, log.size - TAIL_BYTES), log.size)
    return find_save(data.splitlines())


def find_save(lines: list[bytes]) -> LastSave | None:
    """Look for the last save, from the end."""
    told = [number for number, line in enumerate(lines) if may_tell(line)]
    goes_on = None
    for number in reversed(told):
        text = clean(lines[number]).text
        if len(text) > 400 or NOT.search(text):
            continue
        if not DONE.search(text):
            if not BEGUN.search(text):
                continue
            goes_on = last_on(lines) if goes_on is None else goes_on
            if goes_on <= number:
                continue
        saved, over = clock_at(lines, number), clock_before(lines, len(lines))
        if saved is None or over is None or saved.clock != over.clock:
            return None
        lost_s = (over.time_s or 0.0) - (saved.time_s or 0.0)
        lost_s += DAY_S if lost_s < 0 and saved.clock != "epoch" and lost_s > -DAY_S else 0.0
        return LastSave(text.strip(), lost_s) if lost_s >= 0 else None
    return None


def may_tell(line: bytes) -> bool:
    """Tell quickly whether a line may speak of saving."""
    low = line[:2000].lower()
    return any(word in low for word in (b"sav", b"writ", b"wrote", b"stor", b"dumping", b"committed"))


def last_on(lines: list[bytes]) -> int:
    """Give the last line of a job that goes on; saves' own lines name steps, too."""
    for number in range(len(lines) - 1, -1, -1):
        if not may_tell(lines[number]) and ON.search(clean(lines[number]).text):
            return number
    return -1


def clock_at(lines: list[bytes], number: int) -> Line | None:
    """Give the clock of a line, or that of one that is near: the one before it first."""
    low, high = max(0, number - NEAR_LINES), number + 1 + NEAR_LINES
    return clocked(lines[number::-1][: number + 1 - low]) or clocked(lines[number + 1 : high])


def clock_before(lines: list[bytes], end: int) -> Line | None:
    """Give the last clock before a line."""
    return clocked(lines[end - 1 :: -1])


def clocked(lines: Iterable[bytes]) -> Line | None:
    """Give the first line that bears a clock."""
    found = (clean(line) for line in lines)
    return next((line for line in found if line.time_s is not None), None)
