"""Find where the next program began behind an exception that ended the only one: it counts from where that began."""

from collections.abc import Iterator
from itertools import islice, pairwise

from schedmate.readers.failures.lines.steps import StepMark, counts_of, marks_in
from schedmate.readers.failures.runs.appended_runs import is_last_word, is_shared
from schedmate.readers.failures.sightings.sighting import Findings
from schedmate.readers.lines import NOBODY, Own, clean
from schedmate.readers.templates import mask_line
from schedmate.tools.logfile import LogFile

NEAR_BYTES, MOST_ENDS, MOST_STEPS = 1 << 17, 200, 40
LEAST_FURTHER = 2
"""So many steps that had been further show that the counter went back; a bar is drawn once more as it is closed."""


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
        before = islice(marks_in(log, max(0, place - NEAR_BYTES), place, year, own), MOST_STEPS)
        if after is not None and len({one.step for one in before if is_further(one, after, log)}) >= LEAST_FURTHER:
            yield end + 1


def is_further(before: StepMark, after: StepMark, log: LogFile) -> bool:
    """Tell a step, told in the same words, that was further than a later one."""
    return counts(before) > counts(after) and words_of(before, log) == words_of(after, log)


def words_of(mark: StepMark, log: LogFile) -> str:
    """Give the words of a step's line without its figures."""
    return mask_line(clean(log.line_at(mark.start).raw).text)


def counts(mark: StepMark) -> list[float]:
    """Give a step's counters."""
    return [done for done, _ in counts_of(mark.step)]
