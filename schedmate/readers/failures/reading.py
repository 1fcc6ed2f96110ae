"""Read one log as far as a diagnosis needs it: its attempts, its last progress, and what is worth weighing."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from schedmate.errors import InputError
from schedmate.knowledge.catalogue import Failure
from schedmate.readers.failures.lines.exceptions import SHELLS, by_its_stack, failure_of, is_a_trackers
from schedmate.readers.failures.lines.line_cleaner import Cleaner, year_of
from schedmate.readers.failures.lines.machine_marks import is_machines
from schedmate.readers.failures.lines.own_prefixes import own_prefixes
from schedmate.readers.failures.lines.put_in_front import NO_FRONT, Front, front_of
from schedmate.readers.failures.lines.steps import (
    StepMark,
    last_marks,
    marks_of_counters,
    marks_of_known_formats,
    marks_of_parts,
)
from schedmate.readers.failures.lines.tracebacks import Raised, is_printed_only
from schedmate.readers.failures.runs.attempts import Attempt, split_attempts
from schedmate.readers.failures.runs.bars import without_farewells
from schedmate.readers.failures.runs.begun_anew import begun_anew
from schedmate.readers.failures.runs.joined_files import parts_of
from schedmate.readers.failures.runs.last_runs import answered, ended_badly, is_shells_last_word
from schedmate.readers.failures.runs.next_programs import unannounced
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.failures.sightings.exception_chains import (
    is_only_a_kind,
    shrugged_off,
    with_their_blocks,
    with_their_chains,
    without_what_ends_led_to,
)
from schedmate.readers.failures.sightings.last_lines import by_their_words
from schedmate.readers.failures.sightings.loudness import is_handled, tone_of
from schedmate.readers.failures.sightings.scan import scan
from schedmate.readers.failures.sightings.sighting import OF_ONE_TEST, QUITS, Findings, Sighting
from schedmate.readers.failures.sightings.stack_lines import in_a_span, is_of_a_stack, spans_of
from schedmate.readers.failures.sightings.with_daemons import with_daemons
from schedmate.tools.logfile import LogFile

SAMPLE_BYTES = 1 << 15

TRACEBACK_WEIGHT = 0.75
"""How surely an exception that left the program with its whole stack is a cause, however general its name."""
MOST_BINARY = 0.05
PASSED_OVER = "teardown.exception_ignored"

FEW_MARKS = 12
"""Fewer reports of steps than this may be those of evaluation alone, in a log whose steps nobody knows."""
LEAST_RUNS, LEAST_SAID = 3, 8
"""Of so many runs the last may be known by how far it got, where those before it said so many lines."""
CONTROL = bytes(set(range(32)) - set(b"\t\n\r\x0b\x0c\x1b\b\x00\x07"))


@dataclass(frozen=True, slots=True)
class FailureReading:
    """One log of a job, read."""

    log: LogFile
    source: int
    rank: int | None
    attempts: tuple[Attempt, ...]
    attempt: Attempt
    marks: tuple[StepMark, ...]
    findings: Findings
    cleaner: Cleaner
    """what gives its lines without their prefixes"""
    parts: tuple[int, ...] = ()
    """where each of the files begins that somebody joined in this log"""
    again: Attempt | None = None
    """the run in which the job was at work again when its log ended"""
    front: Front = NO_FRONT
    """a dump that somebody put in front of all runs"""

    def part_of(self, place: int) -> Attempt:
        """Give the part of the run, in order of time, that a place lies in: one file of those that were joined."""
        if not self.parts:
            return self.attempt
        after = bisect_right(self.parts, place)
        start = self.parts[after - 1] if after else 0
        end = self.parts[after] if after < len(self.parts) else self.log.size
        return Attempt(max(start, self.attempt.start), min(end, self.attempt.end))

    def later_marks(self, item: Sighting) -> list[StepMark]:
        """Give the steps that stand behind a line, in one file with it."""
        end = self.part_of(item.start).end
        return [mark for mark in self.marks if item.start < mark.start < end]

    def suspects(self, attempt: Attempt | None = None) -> list[Sighting]:
        """Give the last (or one) run's sightings, with tracebacks in the place of the lines that they are made of."""
        attempt = attempt or self.attempt
        raised = [item for item in self.findings.raised if attempt.holds(item.start)]
        spans = spans_of(raised)
        begun = attempt.start in self.findings.told.resumed and any(one.fatal for one in raised)
        first = attempt.start + begun  # why a run was begun is of the one before
        kept = [item for item in self.findings.sightings if first <= item.start < attempt.end or self.is_ahead(item)]
        passed_over = {item.number for item in kept if item.failure and item.failure.id == PASSED_OVER}
        outside = [
            shrugged_off(item) if item.number - 1 in passed_over else item
            for item in kept
            if not in_a_span(item, spans) and not is_of_a_stack(item, self.log, self.cleaner)
        ]
        told = without_what_ends_led_to(with_their_chains([self.sighting_of(item) for item in raised]))
        return with_their_blocks(sorted([*outside, *told], key=lambda item: item.start))

    def is_ahead(self, item: Sighting) -> bool:
        """Tell what stands in front of all runs, but by its clock was said when the last steps were made, or later."""
        return item.start < min(self.front.end, self.attempt.start) and self.front.tells_of_end(item.line)

    def sighting_of(self, raised: Raised) -> Sighting:
        """Look a traceback's last line up in the catalogue; without an entry the general reader classes it."""
        found = ready_entries().match(raised.line.text) if raised.qualified else None
        failure, named = found or (failure_of(raised), {})
        if (failure.wording or failure.general) and (plain := failure_of(raised)).role != "root":
            failure = plain
        failure = by_its_stack(failure, raised)
        if not raised.fatal or is_a_trackers(raised):
            failure = passed_over(failure, raised)
        elif failure.role == "root" and failure.general:
            failure = failure._replace(weight=max(failure.weight, TRACEBACK_WEIGHT))
        return Sighting(self.source, raised.number, raised.start, raised.line, failure, named, raised)


def passed_over(failure: Failure, raised: Raised) -> Failure:
    """Weigh an exception that Python survives: what a queue's own thread met may leave its readers waiting."""
    if is_printed_only(raised.frames) and failure.role == "root" and not is_only_a_kind(failure):
        return failure._replace(role="cascade", after=("termination", "peer"))
    return failure._replace(role="teardown", weight=0.0)


def read_log(log: LogFile, source: int = 0, rank: int | None = None) -> FailureReading:
    """Read a log once from start to end, closely where it matters; its rank may be known from its name."""
    check_text(log)
    year = year_of(log)
    own = own_prefixes(log)
    parts = parts_of(log)
    marks = marks_of_parts(log, parts, year, own) if parts else last_marks(log, year, own)
    cleaner = Cleaner(year, own)
    last_step = marks[-1].start if marks else None
    front = front_of(log, marks[-1] if marks else None, cleaner)
    findings = with_daemons(scan(log, last_step, source, year, own), log, source, last_step, cleaner, front)
    if says_nothing(findings):
        said = [*findings.sightings, *by_their_words(log, source, cleaner, last_step)]
        findings = replace(findings, sightings=sorted(said, key=lambda item: item.start))
    trouble = findings.raised or any(is_known(item) for item in findings.sightings)
    if trouble and not marks:
        marks = marks_of_known_formats(log)
    marks = without_farewells(marks, findings.raised, log)
    if trouble and len(marks) < FEW_MARKS:
        marks = max(marks, marks_of_counters(log, year, own), key=len)
    signs = [mark.start for mark in marks]
    begun = begun_anew(findings.sightings, log, year, own)
    told = replace(
        findings.told,
        openings=sorted({*findings.told.openings, *unannounced(findings, log, year, own)}),
        restarts=sorted([*findings.told.restarts, *begun.counted_back]),
        taken_up=begun.taken_up,
        stacks=[(one.head_start, one.start) for one in findings.raised if one.frames],
    )
    where, scripts = trouble_from(findings, log.size), scripts_of(findings)
    cut = [Attempt(0, log.size)] if parts else split_attempts(log, told, ends_of(findings), where, signs, own, scripts)
    attempts = tuple(without_appendix(cut, findings, signs, log, cleaner))
    further = went_further(attempts, findings, log) and not ended_badly(attempts[-1], log, cleaner)
    findings = replace(findings, told=replace(told, served=answered(log, told.served)))
    attempt = attempts[-1] if further else attempt_that_counts(attempts, findings, marks, log)
    inside = tuple(mark for mark in marks if attempt.holds(mark.start))
    return FailureReading(log, source, rank, attempts, attempt, inside, findings, cleaner, parts, front=front)


def without_appendix(
    cut: list[Attempt], findings: Findings, signs: Sequence[int], log: LogFile, cleaner: Cleaner
) -> list[Attempt]:
    """Put what stands behind the word of a restart to the run before, where only machines and the dying speak there.

    Of a run that began there is a step, an exception, or a statement that a program or a launcher makes.
    """
    while len(cut) > 1:
        last = cut[-1]
        raised = {one.start: one.fatal for one in findings.raised if last.holds(one.start)}
        begun = any(last.holds(place) for place in signs) or any(raised.values())
        said = (item for item in findings.sightings if last.holds(item.start) and item.start not in raised)
        told = [item for item in said if is_told_of_a_run(item)]
        if begun or not told or any(not is_machines(log.line_at(item.start), cleaner) for item in told):
            break
        cut = [*cut[:-2], Attempt(cut[-2].start, last.end)]
    return cut


def is_told_of_a_run(item: Sighting) -> bool:
    """Tell what an entry knows for a cause or a proof of health: effects are those of the run that ended."""
    if item.failure is None or item.failure.role not in {"root", "health"} or not item.failure.weight:
        return False
    return is_known(item) and tone_of(item) > 0


def says_nothing(findings: Findings) -> bool:
    """Tell a log in which nothing reads like an error or proves health."""
    return not findings.raised and all(
        item.failure and not item.failure.weight and item.failure.role != "health" for item in findings.sightings
    )


def is_known(item: Sighting) -> bool:
    """Tell a line that an entry knows from one that is classed by its words at most."""
    return item.failure is not None and not item.failure.wording


def ends_of(findings: Findings) -> list[int]:
    """List where a run may have ended: uncaught exceptions, what launchers and schedulers say, what ends a process."""
    ends = [item.start for item in findings.raised if item.fatal]
    return sorted([*ends, *(item.start for item in findings.sightings if is_known(item) and may_end(item))])


def scripts_of(findings: Findings) -> list[tuple[int, str]]:
    """List the scripts that an exception ended at their top, and where."""
    left = (one for one in findings.raised if one.leaves and one.frames and one.frames[0].function == "<module>")
    return [(one.start, PurePosixPath(one.frames[0].path).name) for one in left if one.name not in SHELLS]


def may_end(item: Sighting) -> bool:
    """Tell a line that can be the last of a run: any cause or effect that is sure enough, no passing trouble."""
    failure = item.failure
    assert failure
    grave = failure.role == "root" and failure.weight >= TRACEBACK_WEIGHT
    return (grave or failure.outside or "termination" in failure.after) and not is_handled(item.line.text)


def trouble_from(findings: Findings, size: int) -> int:
    """Find where the first line stands that may be a cause or an effect; the log's size where none does."""
    known = [item for item in findings.sightings if is_known(item)]
    graves = [item.start for item in known if item.failure and item.failure.role in {"root", "cascade"}]
    return min([*graves, *(item.start for item in findings.raised)], default=size)


def attempt_that_counts(
    attempts: tuple[Attempt, ...], findings: Findings, marks: list[StepMark], log: LogFile
) -> Attempt:
    """Choose the last run, unless it merely began: then the last that got on, failed or ended well.

    What launchers say of processes that ended belongs to the run that they ended, so it makes none count, nor does what
    is said of the restart itself. A shell that tells of a kill when the last run has said a lot speaks of that one.
    """
    if len(attempts) == 1:
        return attempts[0]
    own = [mark.start for mark in marks] + [item.start for item in findings.raised if item.name not in SHELLS]
    told = [item for item in findings.sightings if item.start not in {attempt.start for attempt in attempts[1:]}]
    weighty = [item for item in told if item.failure and item.failure.weight > 0 and tone_of(item)]
    weighty = [item for item in weighty if item.failure and item.failure.id not in OF_ONE_TEST]
    own += [item.start for item in weighty if item.failure and item.failure.role in {"root", "health"}]
    own += findings.told.served
    own += [item.start for item in told[-1:] if is_shells_last_word(item, attempts[-1], log)]
    misused = weighty and not findings.raised and all(map(is_misuse, weighty))
    if misused and is_most_of_it(attempts) and not attempts[-1].holds(weighty[-1].start):
        return attempts[-1]
    for signs in (own, [item.start for item in weighty]):
        if telling := [attempt for attempt in attempts if any(map(attempt.holds, signs))]:
            return telling[-1]
    return attempts[-1]


def went_further(attempts: tuple[Attempt, ...], findings: Findings, log: LogFile) -> bool:
    """Tell a last run without a word of trouble that says more than the one before it had said as it died."""
    troubles = [item.start for item in findings.sightings if item.failure is None or item.failure.weight > 0]
    signs = [*troubles, *(item.start for item in findings.raised)]
    if len(attempts) < LEAST_RUNS or any(map(attempts[-1].holds, signs)):
        return False
    before, last = attempts[-2:]
    died = [one.head_number for one in findings.raised if before.holds(one.start)]
    said = died[-1] - log.line_number(before.start) if died else 0
    return LEAST_SAID <= said < log.line_number(last.end) - log.line_number(last.start)


def is_most_of_it(attempts: Sequence[Attempt]) -> bool:
    """Tell a last run that says more than all before it: it did more than begin, steps or not."""
    return len(attempts) > 1 and attempts[-1].end - attempts[-1].start > attempts[-1].start


def is_misuse(item: Sighting) -> bool:
    """Tell a program's word that it was called wrongly: nothing ran, and who starts it again has corrected that."""
    return item.failure is not None and item.failure.id in QUITS


def check_text(log: LogFile) -> None:
    """Refuse what is no text: an empty file, or one full of control characters; holes of zero bytes are none."""
    if not log.size:
        raise InputError(
            f"{log.name} is empty", "the job may have died before it wrote anything: see the scheduler's log"
        )
    places = (0, log.size // 2, log.size - SAMPLE_BYTES)
    sample = b"".join(log.window(place, place + SAMPLE_BYTES) for place in places).replace(b"\x00", b"")
    if not sample.strip():
        raise InputError(f"{log.name} holds nothing but blanks", "the job may have died before it wrote anything")
    control = len(sample) - len(sample.translate(None, CONTROL))
    if control > MOST_BINARY * len(sample):
        raise InputError(f"{log.name} is binary, not a log", "name the text that the job printed")
