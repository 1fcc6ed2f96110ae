"""Find where one run ends and the next begins in a log that several runs were appended to."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

import re2

from schedmate.readers.failures.progress import counts_of, is_progress, marks_in
from schedmate.readers.lines import clean
from schedmate.tools.logfile import LogFile

RESTART = re2.compile(
    r"(?i)will restart worker group|restarting worker group|attempts? left; (?:will )?restart"
    r"|DUE TO (?:JOB REQUEUE|PREEMPTION|(?:TO )?NODE FAIL)"
    r"|^[=#*-]{3,} ?(?:attempt|restart|try|run)\b[ #:]{0,3}\d+"
    r"|\b(?:job|pod|container) (?:was )?(?:requeued|restarted)\b"
    r"|^(?:this is )?restart (?:number|count|attempt)\W{1,3}[1-9]|SLURM_RESTART_COUNT[=:] ?[1-9]"
)
STOPPED = re.compile(r"DUE TO (?:JOB REQUEUE|PREEMPTION|(?:TO )?NODE FAIL)")
RESUMED = re.compile(r"(?i)^(?:this is )?restart (?:number|count|attempt)\W{1,3}[1-9]|SLURM_RESTART_COUNT[=:] ?[1-9]")
"""What a scheduler says of a run that it ends, and what only the next run says: its steps may go on from there."""
SUMMED_UP = re2.compile(r"^The output \(if any\) is above this job summary")
"""What a scheduler writes last into the file of a job that is over: LSF's report, to which the next job's is added."""
OPENED = re2.compile(r"^nohup: ignoring input")
"""What each run puts first into a file that runs are added to."""
RESTART_WORDS = ("restart", "due to preemption", "due to node fail", "due to job requeue", "attempt", "requeued")
BOUNDARY_WORDS = (*RESTART_WORDS, "above this job summary", "nohup: ignoring input")
RESTART_PARTS = (b"estart", b"ESTART", b"DUE TO", b"ttempt", b"TTEMPT", b"equeued")
SUMMED_UP_PART, OPENED_PART = b"above this job summary", b"nohup: ignoring input"
"""What is searched for, and what a line must hold to be tried; case is folded only where it varies."""

SEARCH_OPENINGS_BYTES = 256 << 20
RIGHT_AFTER_BYTES = 1 << 13
"""A new run opens right after the last one's end; workers that repeat the opening in the middle of a run do not."""
NEAR_STEPS_BYTES = 1 << 17
OPENING_LINES, OPENING_BYTES = 3, 1 << 16
POSTSCRIPT_LINES, FOLLOWING_LINES = 2, 200
"""LSF says under its report where standard error went."""
MAX_OPENINGS = MAX_RESTARTS = 1000
LEAST_OPENING_CHARS, LEAST_OPENING_LETTERS = 16, 6
DIGITS = re.compile(r"\d+")
FIXED = re.compile(rb"[A-Za-z_][A-Za-z_ ./=:,'()-]{11,}")


@dataclass(slots=True)
class Boundaries:
    """Where a log tells that a run ends or begins: behind announced restarts and reports, before first lines."""

    restarts: list[int] = field(default_factory=list)
    reports: list[int] = field(default_factory=list)
    openings: list[int] = field(default_factory=list)
    stopped: list[int] = field(default_factory=list)
    """those of the restarts that say that a run was ended"""
    resumed: list[int] = field(default_factory=list)
    """those that only the next run says"""

    def note(self, start: int, raw: bytes, own: str = "") -> None:
        """Take down what a line says of runs."""
        if any(word in raw for word in RESTART_PARTS) and RESTART.search(text := clean(raw, own=own).text):
            self.restarts.append(start + len(raw))
            if STOPPED.search(text):
                self.stopped.append(start + len(raw))
            elif RESUMED.search(text):
                self.resumed.append(start + len(raw))
        elif SUMMED_UP_PART in raw and SUMMED_UP.search(clean(raw, own=own).text):
            self.reports.append(start + len(raw))
        elif OPENED_PART in raw and OPENED.search(clean(raw, own=own).text):
            self.openings.append(start)

    def in_order(self) -> "Boundaries":
        """Give each kind in the order of the log."""
        told = self.restarts, self.reports, self.openings, self.stopped, self.resumed
        return Boundaries(*map(sorted, told))

    def handovers(self) -> Iterator[tuple[list[int], int]]:
        """Give each first word of a run whose predecessor was ended, with the words that said so."""
        reached = 0
        for resumed in self.resumed:
            place = bisect_left(self.stopped, resumed)
            if place > reached:
                yield self.stopped[reached:place], resumed
            reached = place


@dataclass(frozen=True, slots=True)
class Attempt:
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
    own: str = "",
    scripts: Sequence[tuple[int, str]] = (),
) -> list[Attempt]:
    """Cut the log behind reports of what is over, at announced restarts that a sign of life follows, and where it
    opens anew after a run has ended.

    A requeue is often the last thing that a scheduler says in a log: what follows it is the old run dying. `scripts`
    are those that ended with an exception, and where.
    """
    last_sign = max(signs, default=-1)
    cuts = {cut for cut in told.restarts[-MAX_RESTARTS:] if cut < last_sign and begins_anew(log, cut)}
    for ends_told, resumed in told.handovers():
        if resumed < last_sign:
            cuts.difference_update(ends_told)
            cuts.add(resumed)
    reports = told.reports[-MAX_RESTARTS:]
    cuts.update(cut for cut in reports if cut < max(reports[-1], last_sign) and is_followed(log, cut))
    if ends and log.size <= SEARCH_OPENINGS_BYTES:
        again = (place for place in repeated_openings(log, trouble_from, own) if not is_next_command(place, scripts))
        openings = sorted([*again, *told.openings[-MAX_OPENINGS:]])
        after_an_end = (place for place in openings if 0 < place - last_before(place, ends) < RIGHT_AFTER_BYTES)
        cuts.update(place for place in after_an_end if begins_anew(log, place))
    edges = [0, *sorted(cuts), log.size]
    return [Attempt(start, end) for start, end in pairwise(edges) if end > start] or [Attempt(0, log.size)]


def is_next_command(place: int, scripts: Sequence[tuple[int, str]]) -> bool:
    """Tell two commands of one job by the scripts that ended around a place; they may open alike, as a library does."""
    before = bisect_left(scripts, (place, ""))
    return 0 < before < len(scripts) and scripts[before - 1][1] != scripts[before][1]


def is_followed(log: LogFile, place: int) -> bool:
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


def repeated_openings(log: LogFile, trouble_from: int, own: str = "") -> Iterator[int]:
    """Find where the log's first telling line stands again, of the same rank, followed by one of the next two.

    Only what stands before the first trouble can open a run: what ranks print as they die, they print one by one.
    """
    first = islice(log.lines(0, min(OPENING_BYTES, trouble_from)), 40)
    opening = list(islice((line for line in first if is_telling(clean(line.raw, own=own).text)), OPENING_LINES))
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


def is_telling(text: str) -> bool:
    """Leave out rulers, progress, tracebacks and what is too short to know again."""
    if len(text) < LEAST_OPENING_CHARS or len(set(text)) <= LEAST_OPENING_LETTERS or is_progress(text):
        return False
    return "Traceback" not in text and not text.startswith('File "')


def mask(text: str) -> str:
    """Make lines equal that differ in numbers only."""
    return DIGITS.sub("#", text[:200])
