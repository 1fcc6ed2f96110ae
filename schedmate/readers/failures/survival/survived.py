"""Tell what a job has outlived: progress of any rank, the same process going on, the clock of a dump appended later."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, takewhile

from schedmate.readers.failures.lines.steps import StepMark, is_progress, mark_of
from schedmate.readers.failures.lines.tracebacks import bare_exception
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.daemon_lines import DAEMON
from schedmate.readers.failures.sightings.loudness import (
    is_hardware,
    is_of_machine,
)
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.bars_drawn_again import that_advanced, without_bars_drawn_again
from schedmate.readers.failures.survival.buffers_in_turn import handed_over_in_turn
from schedmate.readers.failures.survival.dump_clocks import outlived_dump
from schedmate.readers.failures.survival.late_output import (
    AT_ONCE,
    BUFFER_CHARS,
    died_of_it,
    fits_a_buffer,
    steps_after,
    time_of,
)
from schedmate.readers.failures.survival.ordinary_lines import INFORMS, is_ordinary
from schedmate.readers.failures.survival.pod_events import started_all_the_same
from schedmate.readers.failures.survival.said_amid import said_amid
from schedmate.readers.lines import NOBODY, Line, Speaker
from schedmate.readers.templates import mask_line
from schedmate.tools.late_patterns import late_re2

SUSTAINED_STEPS, CAUGHT_STEPS, SUSTAINED_S = 3, 2, 60.0
"""What ran on for a moment, out of buffers or on other ranks, reports a couple of steps; behind what was caught, with
others before it, two tell that one was made.
"""
BEFORE_BYTES, AFTER_BYTES, MOST_LINES = 1 << 15, 1 << 16, 400
OWN_LINES, OTHERS_A_SPEAKER, SOMEBODYS_LINES, ANY_LINES = 3, 2, 10, 30

OF_A_RUN = 4
"""So many lines are of a run that began; fewer may all speak of its being asked for."""
BREAKS = frozenset({"network.ib_completion_error", "network.efa_failure", "script.ran_out_of_data"})
"""What breaks a communicator for good, or leaves it."""
CARDS = frozenset({"gpu", "nvlink"})

CONTAINED = late_re2(r"(?i)\bXid\b.{0,60}: (?:63|92|94),|\bcontained\b|\bcorrect(?:ed|able)\b|\brecovered\b")
"""What ends one program on a card at most, and leaves the others at work."""

UNDER_WAY, UNDER_WAY_S = 4, 600.0
"""So few steps behind, made so soon, lay in buffers or were under way."""

LEAVES = late_re2(
    r"(?i)\b(?:shutting down|shut down|tearing down|cleaning up|clean-?up|exiting|exited|terminat(?:ed|ing))\b"
    r"|\btermination request\b"
    r"|^torch\.distributed\.elastic\.multiprocessing\.errors\.ChildFailedError:"
    r"|^Training errored after \d+ iterations\b"
)
"""From here on a process or its launcher ends, however much it, or what a script lists behind it, still has to say."""
READINGS = late_re2(r"^[a-z][\w./@-]{1,40}\[[^\]]{1,63}\] ")
"""How an exporter begins its readings: its name and the host."""


WAYS = {
    "began anew": "the next run began in the same file behind it",
    "pod came": "the pod that it tells of started all the same",
    "clock of a dump": "its clock is older, or its lines were streamed, and steps came behind it",
    "steps behind": "steps were made behind it, by whatever rank: more than lie in buffers",
}
"""How it is known that a job got over something."""


def way_outlived(
    item: Sighting, readings: Sequence[FailureReading], dump: Sequence[Line], stamps: Sequence[float]
) -> str:
    """Tell how a job showed that it got over a sighting, mostly by sustained progress; empty where it did not.

    `dump` is what the sighting stands in, `stamps` are those of all that was sighted in its log.
    Lines of a kernel that more steps follow than a buffer holds were streamed, however much they look like a dump.
    """
    own = readings[item.source]
    if own.parts and began_again(item, own):
        return "began anew"
    if started_all_the_same(item, own):
        return "pod came"
    time_s = item.line.time_s if item.line.clock == "epoch" else None
    after = that_advanced(steps_after(item, own), item, own)
    if dump:
        if item.start < own.front.end and own.front.since(item.line) is not None:
            return "clock of a dump" if own.front.is_older(item.start, item.line) else ""
        streamed = sustained(after, None) and not fits_a_buffer(after)
        return "clock of a dump" if streamed or outlived_dump(item, own, dump, stamps) else ""
    if time_s is not None:
        others = (mark for other in readings if other.source != item.source for mark in other.marks)
        after += [mark for mark in others if mark.time_s is not None and mark.time_s > time_s]
    since_s = time_s if time_s is not None else time_before(own.marks, item.start)
    if len(after) <= UNDER_WAY and breaks_for_good(item) and not took_long(after, time_s):
        return ""
    caught = was_printed_only(item) and any(mark.start < item.start for mark in own.marks)
    return "steps behind" if sustained(after, since_s, CAUGHT_STEPS if caught else SUSTAINED_STEPS) else ""


def breaks_for_good(item: Sighting) -> bool:
    """Tell what ends a card or what joins the ranks: nothing mends it, the job may only be done without it."""
    failure = item.failure
    if failure is None or CONTAINED.search(item.line.text):
        return False
    return failure.id in BREAKS or (failure.subcategory in CARDS and is_hardware(item))


def took_long(after: Sequence[StepMark], said_s: float | None) -> bool:
    """Tell steps that were made for longer than what was under way can take."""
    last_s = max((mark.time_s for mark in after if mark.time_s is not None), default=None)
    return last_s is not None and said_s is not None and last_s - said_s > UNDER_WAY_S


def was_printed_only(item: Sighting) -> bool:
    """Tell an exception that something below the top of its process caught and printed."""
    raised = item.raised
    return raised is not None and bool(raised.frames) and not (raised.leaves or raised.thread or raised.follows)


def began_again(item: Sighting, own: FailureReading) -> bool:
    """Tell what was said, in one of several files that were joined, before the next run began in that file.

    What stands there and bears a later stamp was put in front of it: a dump of a kernel's log.
    """
    part = own.part_of(item.start)
    places = (place for place in own.findings.told.resumed if item.start < place < part.end)
    last = max(places, default=None)
    if last is None:
        return False
    opened = list(islice(own.log.lines(last, part.end), OF_A_RUN))
    stamps = (mark_of(own.cleaner.take(raw), raw.start).time_s for raw in opened)
    began_s = next((stamp for stamp in stamps if stamp is not None), None)
    said_s = item.line.time_s if item.line.clock == "epoch" else None
    return len(opened) == OF_A_RUN and (began_s is None or said_s is None or said_s <= began_s)


def sustained(after: Sequence[StepMark], since_s: float | None, enough: int = SUSTAINED_STEPS) -> bool:
    """Tell sustained progress from what was under way: distinct steps count, or time."""
    steps = {mark.step for mark in after}
    if len(steps) >= enough:
        return True
    last_s = max((mark.time_s for mark in after if mark.time_s is not None), default=None)
    return len(steps) > 1 and last_s is not None and since_s is not None and last_s - since_s >= SUSTAINED_S


def time_before(marks: Iterable[StepMark], start: int) -> float | None:
    """Give the time of the last step before a place, for lines that tell none."""
    return max((mark.time_s for mark in marks if mark.start < start and mark.time_s is not None), default=None)


def goes_on(first: Sighting, last: Sighting, reading: FailureReading) -> bool:
    """Tell whether the process that printed a fault prints its ordinary output after it as it did before.

    One process that repeats what it said before, or informs, is enough; of others, each may still say a little. What
    left a process with its stack is cleared by that process alone, and by more than its buffer held if it ended there.
    """
    amid = said_amid(first, last, reading)
    after = [line for line in heard_after(last, reading) if not amid or mask_line(line.text) not in amid]
    plain = {line.text for line in after}
    if len(plain) < OWN_LINES:
        return False
    known = said_before(first, reading)
    if may_be_its_buffer(last, [line for line in after if is_its_own(line, known)], reading):
        return False
    own: set[str] = set()
    others: set[str] = set()
    own_speaker = last.line.speaker
    since_s, until_s = last.line.time_s, last.line.time_s
    for line in after:
        familiar = mask_line(line.text) in known
        if line.speaker == own_speaker and (familiar or line.level == "I" or INFORMS.search(line.text)):
            own.add(line.text)
        elif familiar:
            others.add(line.text)
        if line.time_s is not None and line.clock == last.line.clock:
            until_s = line.time_s
    if since_s is not None and until_s is not None and until_s <= since_s:
        return False
    if (last.raised and last.raised.fatal) or ended_a_rank(last, after):
        return len(own) >= (OWN_LINES if own_speaker != NOBODY else SOMEBODYS_LINES)
    speakers = len(set(known.values()))
    alone = own_speaker != NOBODY or speakers == 1
    many = len(own | others) >= OWN_LINES + OTHERS_A_SPEAKER * speakers or len(plain) >= ANY_LINES
    return many or (alone and len(own) >= OWN_LINES)


def heard_after(last: Sighting, reading: FailureReading) -> list[Line]:
    """Give the ordinary lines behind a fault, until somebody leaves; what other watchers report of it is none."""
    log, start = reading.log, last.start
    end = min(reading.part_of(start).end, start + AFTER_BYTES)
    cleaned = (reading.cleaner.take(raw) for raw in islice(log.lines(start, end), 1, MOST_LINES))
    told_s = time_of(last, reading)
    there = takewhile(lambda line: not LEAVES.search(line.text), cleaned)
    said = without_bars_drawn_again(list(there), last, reading)
    heard = (line for line in said if is_ordinary(line) and not made_before(line, told_s))
    watched = last.failure is not None and (last.failure.daemon or is_of_machine(last))
    return [line for line in heard if not (watched and is_watchers(line))]


def fell_silent(first: Sighting, last: Sighting, reading: FailureReading) -> bool:
    """Tell a process that says nothing more after its trouble while others, which have names too, say a lot.

    Where one alone talks, mostly rank 0, it speaks for all: then only a trouble that was told again counts.
    """
    speakers = [line.speaker for line in heard_after(last, reading)]
    own = last.line.speaker
    if own == NOBODY or own in speakers or 2 * speakers.count(NOBODY) >= len(speakers):
        return False
    return len(set(speakers) - {NOBODY}) > 1 or last.number > first.number


def is_watchers(line: Line) -> bool:
    """Tell what another watcher of the site reports: it goes on whatever becomes of the job."""
    return bool(DAEMON.search(line.text) or READINGS.search(line.text)) and not is_progress(line.text)


def ended_a_rank(item: Sighting, after: Sequence[Line]) -> bool:
    """Tell an exception under the prefix of a rank, as torch's hook prints what nothing caught: lines that bear no
    such prefix are of others.
    """
    if item.line.rank is None or any(line.rank is not None for line in after):
        return False
    return bare_exception(item.number, item.start, item.line) is not None


def made_before(line: Line, told_s: float | None) -> bool:
    """Tell a line that was printed late by its clock."""
    return told_s is not None and line.time_s is not None and line.clock == "epoch" and line.time_s < told_s


def said_before(first: Sighting, reading: FailureReading) -> dict[str, Speaker]:
    """Give what was printed before a fault was first stated, without its figures, and by whom it was last."""
    log, start = reading.log, first.begins
    rows = islice(log.lines_backward(start, max(reading.part_of(start).start, start - BEFORE_BYTES)), MOST_LINES)
    return {mask_line(line.text): line.speaker for line in map(reading.cleaner.take, rows)}


def may_be_its_buffer(item: Sighting, after: Sequence[Line], reading: FailureReading) -> bool:
    """Tell what a process that is dead may have held back, unless clocks or the way that it was printed tell else."""
    dead = item.raised.leaves if item.raised else died_of_it(item, reading)
    if not dead:
        return False
    much = sum(len(line.text) for line in after) > BUFFER_CHARS
    at_once = bool(after) and all(AT_ONCE.search(line.text) or line.level == "I" for line in after)
    if (much or at_once) and not handed_over_in_turn(item, reading):
        return False
    stamps = [line.time_s for line in after if line.time_s is not None and line.clock == "epoch"]
    return not stamps or item.line.time_s is None or max(stamps) <= item.line.time_s


def is_its_own(line: Line, known: Mapping[str, Speaker]) -> bool:
    """Tell a line of a kind that the program had printed before; what others say as they end is of another."""
    return is_progress(line.text) or mask_line(line.text) in known
