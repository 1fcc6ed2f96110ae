"""Find where the next program began behind the end of the only one: it counts from where that began, or runs at all."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise

from schedmate.readers.failures.lines.steps import StepMark, marks_in
from schedmate.readers.failures.lines.tracebacks import Raised
from schedmate.readers.failures.runs.appended_runs import SHELLS_LINE, is_last_word, is_shared, runs_in_a_row
from schedmate.readers.failures.runs.bars import LOOKS_BACK, is_a_new_bar
from schedmate.readers.failures.runs.behind_misuse import behind_misuse
from schedmate.readers.failures.runs.counted_again import SeenStep, counted_again, step_at
from schedmate.readers.failures.runs.failed_early import failed_early
from schedmate.readers.failures.runs.unread_scripts import behind_unread_scripts
from schedmate.readers.failures.sightings.loudness import is_hardware, is_root
from schedmate.readers.failures.sightings.sighting import Findings
from schedmate.readers.lines import NOBODY, Own, clean
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import split_lines

NEAR_BYTES, FAR_BYTES, MOST_ENDS, MOST_STEPS = 1 << 17, 1 << 19, 32, 1000

NOT_LOADED = frozenset(("ImportError", "ModuleNotFoundError"))
"""What a program dies of that has not begun: it has nothing to save, and nothing of it draws a bar."""


def unannounced(findings: Findings, log: LogFile, year: int, own: Own) -> Iterator[int]:
    """Give where runs open that nobody announces."""
    yield from runs_in_a_row(findings, log)
    yield from next_programs(findings, log, year, own)
    yield from behind_unread_scripts(findings, log)
    yield from behind_misuse(findings, log)
    yield from failed_early(findings, log, year, own)


def next_programs(findings: Findings, log: LogFile, year: int, own: Own) -> Iterator[int]:
    """Give the place behind each such exception, if no fault of a machine came before it: the next program may meet it.

    A script starts programs one after the other, for seeds or sets, and goes on when one fails. What a dead program
    held back goes on from what it had printed: its own counter does not go back.
    """
    if is_shared(findings):
        return
    ends = [one for one in findings.raised if is_last_word(one, None) and one.line.speaker == NOBODY][-MOST_ENDS:]
    faulty_from = min((item.start for item in findings.sightings if is_hardware(item)), default=log.size)
    begun = 0
    for one, following in pairwise([*ends, None]):
        if one is None or one.start >= faulty_from:
            return
        end, limit = log.bounds(one.start)[1], following.start if following else log.size
        after = marks_in(log, end, min(limit, end + FAR_BYTES), year, own, forward=True)
        first = next(after, None)
        if first is not None and not looks_back(log, end, first):
            before = steps_before(log, begun, one.start, year, own) or steps_before(log, 0, one.start, year, own)
            steps = (step_at(mark, log) for mark in chain((first,), after))
            if counted_again(before, steps) or (not before and is_begun_otherwise(one, first, findings, log)):
                yield end + 1
        begun = end


def steps_before(log: LogFile, start: int, end: int, year: int, own: Own) -> Sequence[SeenStep]:
    """Give the last steps before a place, in order."""
    marks = islice(marks_in(log, max(start, end - NEAR_BYTES), end, year, own), MOST_STEPS)
    return [step_at(mark, log) for mark in marks][::-1]


def looks_back(log: LogFile, start: int, first: StepMark) -> bool:
    """Tell steps that are said to try or draw what was made so far."""
    lines = split_lines(log.window(start, log.bounds(first.start)[1]), 0, start)
    return any(LOOKS_BACK.search(clean(line.raw).text) for line in lines)


def is_begun_otherwise(one: Raised, first: StepMark, findings: Findings, log: LogFile) -> bool:
    """Tell a bar that begins behind a program that was never loaded, where another end is told further on."""
    if one.name not in NOT_LOADED or not is_a_new_bar(first, log):
        return False
    later = (item for item in findings.sightings if item.start > first.start)
    return any(is_root(item) or SHELLS_LINE.search(item.line.text) for item in later)
