"""Find where one run ends and the next begins in a log that several runs were appended to."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from schedmate.readers.failures.lines.run_boundaries import Boundaries
from schedmate.readers.failures.lines.steps import counts_of, is_progress, marks_in
from schedmate.readers.failures.sightings.stack_lines import CODE_INDENT
from schedmate.readers.lines import NOT_KNOWN, Line, Own, clean
from schedmate.tools.logfile import LogFile

SEARCH_OPENINGS_BYTES = 256 << 20

RIGHT_AFTER_BYTES = 1 << 13
"""A new run opens right after the last one's end; workers that repeat the opening in the middle of a run do not."""
NEAR_STEPS_BYTES = 1 << 17

STEPLESS_BYTES = 1 << 16
"""A run that is at work prints a step within so much."""
FEW_STEPS = 3
OPENING_LINES, OPENING_BYTES = 3, 1 << 16

POSTSCRIPT_LINES, FOLLOWING_LINES = 2, 200
"""LSF says under its report where standard error went."""
MAX_OPENINGS = MAX_RESTARTS = 1000
LEAST_OPENING_CHARS, LEAST_OPENING_LETTERS = 16, 6
DIGITS = re.compile(r"\d+")
FIXED = re.compile(rb"[A-Za-z_][A-Za-z_ ./=:,'()-]{11,}")


class Attempt(NamedTuple):
    """One run's part of the log, by offset."""

    start: int
    end: int

    def holds(self, offset: int) -> bool:
        """Tell whether an offset lies in this run."""
        return self.start <= offset < self.end


def split_attempts(
    log: LogFile,
    told: Boundaries,
    ends: Sequence[int],
    trouble_from: int,
    signs: Sequence[int],
    own: Own = NOT_KNOWN,
    scripts: Sequence[tuple[int, str]] = (),
) -> list[Attempt]:
    """Cut the log behind reports of what is over, at announced restarts that a sign of life follows, and where it
    opens anew after a run has ended.

    A requeue is often the last thing that a scheduler says in a log: what follows it is the old run dying. What is said
    between two runs, after the end of one, needs no sign of life: the next one may fail before it gets on. `scripts`
    are those that ended with an exception, and where.
    """
    last_sign = max(signs, default=-1)
    restarts = (cut for cut in told.restarts[-MAX_RESTARTS:] if cut < last_sign and more_follows(log, cut))
    cuts = {cut for cut in restarts if begins_anew(log, cut)}
    over = sorted([*ends, *told.stopped])
    for earlier, resumed in told.handovers():
        if had_ended(log, resumed, over):
            cuts.difference_update(earlier)
            cuts.add(resumed)
    reports = told.reports[-MAX_RESTARTS:]
    cuts.update(cut for cut in reports if cut < max(reports[-1], last_sign) and more_follows(log, cut))
    if ends and log.size <= SEARCH_OPENINGS_BYTES:
        opened = without_bystanders(list(repeated_openings(log, trouble_from, own)), told.stacks)
        again = (place for place in opened if not is_next_command(place, scripts))
        openings = [*first_behind_each(again, ends), *told.openings[-MAX_OPENINGS:]]
        begun = sorted(cuts)
        after_an_end = (place for place in openings if is_right_behind(place, ends, begun))
        cuts.update(place for place in after_an_end if begins_anew(log, place))
    anew = made_anew(log, told.recreated[-MAX_RESTARTS:], over, last_sign)
    cuts.update([place for place in anew if not is_same_restart(log, place, cuts)])
    cuts.update([place for end, place in told.taken_up if not any(end < cut <= place for cut in cuts)])
    edges = [0, *sorted(cuts), log.size]
    return [Attempt(start, end) for start, end in pairwise(edges) if end > start] or [Attempt(0, log.size)]


def made_anew(log: LogFile, places: Sequence[int], over: Sequence[int], last_sign: int) -> Iterator[int]:
    """Give where pods were made again after a run had ended, before the next one got on: the last of several."""
    for place, after in pairwise([*places, log.size]):
        together = after < log.size and next(marks_in(log, place, after), None) is None
        if place < last_sign and not together and had_ended(log, place, over) and begins_anew(log, place):
            yield place


def is_same_restart(log: LogFile, place: int, cuts: Iterable[int]) -> bool:
    """Tell pods that are made for a run which was said to begin before: no steps between but what lay in buffers."""
    before = max((cut for cut in cuts if cut <= place), default=-1)
    return before >= 0 and len(list(islice(marks_in(log, before, place), FEW_STEPS))) < FEW_STEPS


def first_behind_each(openings: Iterable[int], ends: Sequence[int]) -> Iterable[int]:
    """Give of the openings behind one end the first: the launchers of a run's other machines open alike."""
    first: dict[int, int] = {}
    for place in openings:
        first.setdefault(last_before(place, ends), place)
    return first.values()


def without_bystanders(openings: Sequence[int], stacks: Sequence[tuple[int, int]]) -> Sequence[int]:
    """Leave out openings of which one stands in the middle of a stack: another writer says them over and over."""
    ordered = sorted(stacks)
    before = ((place, bisect_left(ordered, (place, 0))) for place in openings)
    inside = any(at and place < ordered[at - 1][1] for place, at in before)
    return () if inside else openings


def is_right_behind(place: int, ends: Sequence[int], begun: Sequence[int]) -> bool:
    """Tell what stands right behind an end, where nothing said yet that the next run has begun."""
    end = last_before(place, ends)
    return 0 < place - end < RIGHT_AFTER_BYTES and last_before(place, begun) < end


def is_next_command(place: int, scripts: Sequence[tuple[int, str]]) -> bool:
    """Tell two commands of one job by the scripts that ended around a place; they may open alike, as a library does."""
    before = bisect_left(scripts, (place, ""))
    return 0 < before < len(scripts) and scripts[before - 1][1] != scripts[before][1]


def had_ended(log: LogFile, place: int, ends: Sequence[int]) -> bool:
    """Tell whether no step stands between the last end of a run and a place."""
    end = last_before(place, ends)
    return end >= 0 and next(marks_in(log, max(end, place - STEPLESS_BYTES), place), None) is None


def more_follows(log: LogFile, place: int) -> bool:
    """Tell whether more than a postscript stands behind a report."""
    filled = (line for line in islice(log.lines(place, log.size), FOLLOWING_LINES) if line.raw.strip())
    return len(list(islice(filled, POSTSCRIPT_LINES + 1))) > POSTSCRIPT_LINES


def last_before(place: int, ends: Sequence[int]) -> int:
    """Give the last of ordered places that stands before another; without one, somewhere out of reach."""
    before = bisect_left(ends, place)
    return ends[before - 1] if before else -RIGHT_AFTER_BYTES


def begins_anew(log: LogFile, place: int) -> bool:
    """Tell by the step counter whether a run began: processes that start late leave it as it was."""
    before = next(marks_in(log, max(0, place - NEAR_STEPS_BYTES), place), None)
    after = before and next(marks_in(log, place, place + NEAR_STEPS_BYTES, forward=True), None)
    if before is None or after is None:
        return True
    first, second = ([done for done, _ in counts_of(mark.step)] for mark in (before, after))
    return len(first) != len(second) or second <= first


def repeated_openings(log: LogFile, trouble_from: int, own: Own = NOT_KNOWN) -> Iterator[int]:
    """Find where the log's first telling line stands again, of the same rank, followed by one of the next two.

    Only what stands before the first trouble can open a run: what ranks print as they die, they print one by one.
    """
    first = islice(log.lines(0, min(OPENING_BYTES, trouble_from)), 40)
    opening = list(islice((line for line in first if is_telling(clean(line.raw, own=own))), OPENING_LINES))
    cleaned = [clean(line.raw, own=own) for line in opening]
    masked = [mask(line.text) for line in cleaned]
    if len(set(masked)) < 2:
        return
    fragment = max(FIXED.findall(opening[0].raw), key=len, default=b"")
    place = log.buffer.find(fragment, opening[0].start + len(fragment)) if fragment else -1
    for _ in range(MAX_OPENINGS):
        if place < 0:
            return
        start, end = log.bounds(place)
        again = clean(log.window(start, end), own=own)
        if mask(again.text) == masked[0] and again.rank == cleaned[0].rank:
            following = {mask(clean(line.raw, own=own).text) for line in islice(log.lines(end, end + 8192), 12)}
            if following.intersection(masked[1:]):
                yield start
        place = log.buffer.find(fragment, end)


def is_telling(line: Line) -> bool:
    """Leave out rulers, progress, tracebacks with the source in them, and what is too short to know again."""
    text = line.text
    if (
        line.indent >= CODE_INDENT
        or len(text) < LEAST_OPENING_CHARS
        or len(set(text)) <= LEAST_OPENING_LETTERS
        or is_progress(text)
    ):
        return False
    return "Traceback" not in text and not text.startswith('File "')


def mask(text: str) -> str:
    """Make lines equal that differ in numbers only."""
    return DIGITS.sub("#", text[:200])
