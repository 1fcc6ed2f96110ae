"""Weigh each line by the part it plays, how loud it speaks, and whether the job outlived it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import re2

from schedmate.knowledge.catalogue import Failure
from schedmate.readers.failures.dumps import dump_around
from schedmate.readers.failures.exceptions import failure_of
from schedmate.readers.failures.life import got_over, in_buffer_reach, outlived
from schedmate.readers.failures.reading import Reading
from schedmate.readers.failures.scan import Sighting
from schedmate.readers.failures.stalls import stalled_since
from schedmate.readers.failures.tone import is_hardware, is_root, tone_of
from schedmate.readers.failures.tracebacks import bare_exception

ROLE_FACTOR = {"root": 1.0, "cascade": 0.45, "teardown": 0.2, "health": 0.0}
SURVIVED_FACTOR = 0.15
SURVIVED_HARDWARE_FACTOR = 0.3
"""A fact about the machine that the job outlived explains a bad end only where nothing else does."""
DUMPED_FACTOR = 0.85
ENDED_FACTOR = 0.4
"""A time limit or a hand from outside ends what has long hung: any cause before it is the better answer."""
AT_THE_STALL_S, AT_THE_STALL_FACTOR = 90.0, 1.2
UNKNOWN_WEIGHT, UNKNOWN_GRAVE_WEIGHT = 0.12, 0.3
BARE_EXCEPTION_WEIGHT = 0.45
UNKNOWN_ID = "unknown"
UNKNOWN = Failure(
    id=UNKNOWN_ID,
    pattern="",
    role="root",
    category="script",
    restart="no",
    weight=UNKNOWN_WEIGHT,
    literals=(),
    meaning="No entry of the catalogue knows this line.",
    action="Read the lines around it.",
    source="",
    samples=(),
    near_misses=(),
)
GRAVE = re2.compile(
    r"\b(?:FATAL|CRITICAL|PANIC|ERROR|[Ff]atal|panic|[Kk]illed|[Aa]borted|core dumped)\b|^[Ee]rror\b|^F \S+\.\w+:\d+\]"
)


@dataclass(frozen=True, slots=True)
class Suspect:
    """A sighting, how much speaks for its being the first cause, and what it can be instead of one."""

    sighting: Sighting
    score: float
    survived: bool
    effect: bool = False
    """what an end from outside or another rank's death produces, if it was not the first to happen"""
    maybe: bool = False
    """outlived only by what may have lain in buffers: the process may have died of it all the same"""
    dumped: bool = False
    """stands in a dump that was appended: it looks back further than the lines around it"""


def weigh_all(sightings: Sequence[Sighting], readings: Sequence[Reading]) -> tuple[list[Suspect], float | None]:
    """Weigh all sightings of a job's logs together; also say since when its ranks waited in vain, if known."""
    known = [only_carried(item) if is_named(item) else unknown(item) for item in sightings if not is_health(item)]
    stalled_s = stalled_since(known)
    past = [outlived(item, readings) for item in known]
    dumped = [is_dumped(item, readings[item.source]) for item in known]
    facts = list(zip(known, past, dumped, strict=True))
    badly = any(item.failure and item.failure.weight and not gone and not old for item, gone, old in facts)
    suspects = [weigh(item, gone, stalled_s, badly) for item, gone, _ in facts]
    late = [gone and not old and may_be_late(item, readings) for item, gone, old in facts]
    suspects = [in_its_place(*row) for row in zip(suspects, dumped, late, strict=True)]
    ends = [one for one in suspects if is_end(one.sighting) and not one.survived]
    return [in_the_light_of(one, ends) for one in suspects], stalled_s


def in_its_place(one: Suspect, dumped: bool, maybe: bool) -> Suspect:
    """Note where a line stands; in a dump nothing tells it from older trouble but its clock."""
    return replace(one, dumped=dumped, maybe=maybe, score=one.score * (DUMPED_FACTOR if dumped else 1.0))


def may_be_late(item: Sighting, readings: Sequence[Reading]) -> bool:
    """Tell an uncaught exception or a fact about the machine after which only buffers may have been printed."""
    fatal = bool(item.raised and item.raised.fatal and is_root(item)) or is_hardware(item)
    reading = readings[item.source]
    return fatal and in_buffer_reach(item, reading) and not got_over(item, reading)


def is_dumped(item: Sighting, reading: Reading) -> bool:
    """Tell a line of an appended dump."""
    return bool(dump_around(reading.log, item, reading.year))


def is_health(item: Sighting) -> bool:
    """Tell a proof of health from what may be a cause."""
    return item.failure is not None and item.failure.role == "health"


def is_named(item: Sighting) -> bool:
    """Tell a line that an entry knows, or an exception with its stack, from what can only be read by its words."""
    return item.failure is not None and (item.raised is not None or not item.failure.wording)


def is_end(item: Sighting) -> bool:
    """Tell a line by which somebody outside ended the job: a limit, a person, a preemption."""
    failure = item.failure
    if failure is None or not is_root(item) or "termination" in failure.after:
        return False
    return failure.outside or failure.category == "other"


def only_carried(item: Sighting) -> Sighting:
    """Know an exception that only carries the news of another, where its stack is not in the log."""
    if item.raised or not item.failure or not item.failure.general:
        return item
    bare = bare_exception(item.number, item.start, item.line)
    plain = failure_of(bare) if bare else None
    return replace(item, failure=plain) if plain and plain.role != "root" else item


def unknown(item: Sighting) -> Sighting:
    """Weigh a line that no entry knows: an exception without its stack, what calls itself fatal, what merely failed.

    Its words may tell its class; how much it counts they do not change.
    """
    if bare := bare_exception(item.number, item.start, item.line):
        plain = failure_of(bare)
        worded = item.failure if item.failure and plain.role == "root" else plain
        return replace(item, failure=replace(worded, weight=BARE_EXCEPTION_WEIGHT))
    weight = UNKNOWN_GRAVE_WEIGHT if GRAVE.search(item.line.text) else UNKNOWN_WEIGHT
    return replace(item, failure=replace(item.failure or UNKNOWN, weight=weight))


def weigh(item: Sighting, survived: bool, stalled_s: float | None = None, ended_badly: bool = True) -> Suspect:
    """Score one sighting by its role, its entry's weight, its tone and whether the job outlived it."""
    assert item.failure
    score = item.failure.weight * ROLE_FACTOR[item.failure.role] * tone_of(item)
    if survived:
        score *= SURVIVED_HARDWARE_FACTOR if ended_badly and is_hardware(item) else SURVIVED_FACTOR
    if is_end(item):
        score *= ENDED_FACTOR
    time_s = item.line.time_s
    if stalled_s is not None and time_s is not None and abs(time_s - stalled_s) <= AT_THE_STALL_S:
        score = min(1.0, score * AT_THE_STALL_FACTOR)
    return Suspect(item, score, survived, item.failure.role != "root")


def in_the_light_of(one: Suspect, ends: Sequence[Suspect]) -> Suspect:
    """See what an end from outside explains: lines that one produces, and whatever was printed after it."""
    failure = one.sighting.failure
    if not ends or failure is None or is_end(one.sighting):
        return one
    if "termination" in failure.after:
        one = replace(one, effect=True)
    own = (end.sighting for end in ends if end.sighting.source == one.sighting.source)
    first = min(own, key=start_of, default=None)
    if first and one.sighting.start > first.start and not happened_before(one.sighting, first):
        one = replace(one, score=one.score * SURVIVED_FACTOR)
    return one


def start_of(item: Sighting) -> int:
    """Order by place."""
    return item.start


def happened_before(item: Sighting, end: Sighting) -> bool:
    """Tell what was printed late by clocks that agree."""
    if item.line.clock != end.line.clock or item.line.time_s is None or end.line.time_s is None:
        return False
    return item.line.time_s < end.line.time_s - 1.0
