"""Find where the next program began behind the end of the only one: it counts from where that began, or runs at all."""

from collections.abc import Iterator
from itertools import islice, pairwise

import re2

from schedmate.readers.failures.lines.steps import StepMark, counts_of, is_progress, marks_in
from schedmate.readers.failures.runs.appended_runs import NOT_BEGUN, is_last_word, is_shared, runs_in_a_row
from schedmate.readers.failures.sightings.sighting import Findings
from schedmate.readers.lines import NOBODY, Own, clean
from schedmate.readers.templates import mask_line
from schedmate.tools.logfile import LogFile, RawLine

BAR = re2.compile(rb"\d{1,3}%\|")
BEHIND_LINES = 200
WARNED = re2.compile(r"^/?[\w./+~-]{1,300}\.pyx?:\d{1,6}: \w*Warning: ")
NEAR_BYTES, MOST_ENDS, MOST_STEPS = 1 << 17, 32, 40
LEAST_FURTHER = 2
"""So many steps that had been further show that the counter went back; a bar is drawn once more as it is closed."""


def unannounced(findings: Findings, log: LogFile, year: int, own: Own) -> Iterator[int]:
    """Give where runs open that nobody announces."""
    yield from runs_in_a_row(findings, log)
    yield from next_programs(findings, log, year, own)
    yield from behind_unread_scripts(findings, log)


def next_programs(findings: Findings, log: LogFile, year: int, own: Own) -> Iterator[int]:
    """Give the place behind each such exception.

    A script starts programs one after the other, for seeds or sets, and goes on when one fails. What a dead program
    held back goes on from what it had printed: its own counter does not go back.
    """
    if is_shared(findings):
        return
    ends = [one.start for one in findings.raised if is_last_word(one, None) and one.line.speaker == NOBODY]
    for place, following in pairwise([*ends[-MOST_ENDS:], log.size]):
        end = log.bounds(place)[1]
        after = next(marks_in(log, end, min(following, end + NEAR_BYTES), year, own, forward=True), None)
        if after is None:
            continue
        before = list(islice(marks_in(log, max(0, place - NEAR_BYTES), place, year, own), MOST_STEPS))
        further = {one.step for one in before if is_further(one, after, log)}
        if len(further) >= LEAST_FURTHER or (not before and is_a_new_bar(after, log)):
            yield end + 1


def behind_unread_scripts(findings: Findings, log: LogFile) -> Iterator[int]:
    """Give the place behind a script that Python could not read, where a program is at work that raises nothing.

    Such a script has printed nothing and holds nothing back; what a program prints behind it is of a later start.
    """
    raised = {one.start for one in findings.raised}
    last = max((one.start for one in findings.raised if one.leaves), default=-1)
    for item in findings.sightings:
        if item.failure is None or item.failure.id != NOT_BEGUN or item.line.speaker != NOBODY:
            continue
        end = log.bounds(item.start)[1]
        behind = islice(log.lines(end + 1, log.size), BEHIND_LINES) if item.start > last else ()
        if item.start not in raised and any(map(is_of_a_program, behind)):
            yield end + 1


def is_of_a_program(raw: RawLine) -> bool:
    """Tell a step, or what Python warns of in a program: neither is a shell's."""
    text = clean(raw.raw).text
    return is_progress(text) or WARNED.search(text) is not None


def is_a_new_bar(after: StepMark, log: LogFile) -> bool:
    """Tell a bar that begins: it is printed at once, so a program that was dead by then did not draw it."""
    told = counts(after)
    return bool(told) and not told[0] and BAR.search(log.line_at(after.start).raw) is not None


def is_further(before: StepMark, after: StepMark, log: LogFile) -> bool:
    """Tell a step, told in the same words, that was further than a later one."""
    return counts(before) > counts(after) and words_of(before, log) == words_of(after, log)


def words_of(mark: StepMark, log: LogFile) -> str:
    """Give the words of a step's line without its figures."""
    return mask_line(clean(log.line_at(mark.start).raw).text)


def counts(mark: StepMark) -> list[float]:
    """Give a step's counters."""
    return [done for done, _ in counts_of(mark.step)]
