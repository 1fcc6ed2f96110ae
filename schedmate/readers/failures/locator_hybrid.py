"""Choose the first cause among everything that looks like one.

Three questions decide. What part does the line play: cause, effect, or tidying up? Did the job get on after it? And
which came first, by the ranks' own clocks? An effect stands for the cause only while nothing better explains it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import re2

from schedmate.knowledge.catalogue import Failure
from schedmate.readers.failures.exceptions import failure_of
from schedmate.readers.failures.reading import Reading
from schedmate.readers.failures.scan import Sighting
from schedmate.readers.failures.stalls import stalled_since
from schedmate.readers.failures.tone import (
    SOFT_FACTOR,
    announces,
    is_hardware,
    is_root,
    may_share,
    tone_factor,
    words_raised,
)
from schedmate.readers.failures.tracebacks import bare_exception

ROLE_FACTOR = {"root": 1.0, "cascade": 0.45, "teardown": 0.2, "health": 0.0}
SURVIVED_FACTOR = 0.15
SURVIVED_HARDWARE_FACTOR = 0.7
"""A GPU that has fallen off the bus stays a fact although the other ranks trained on for a while."""
SURVIVED_MARKS = 2
ONE_STEP_FACTOR = 0.6
CLOSE_TO_BEST = 0.85
LEAST_SCORE, LEAST_SURVIVED_SCORE = 0.04, 0.16
AT_THE_STALL_S = 90.0
AT_THE_STALL_FACTOR = 1.2
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
    """A sighting and how much speaks for its being the first cause."""

    sighting: Sighting
    score: float
    survived: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """The first cause, None when the job was well; what else was weighed; the line that proves health."""

    root: Sighting | None
    suspects: tuple[Suspect, ...] = ()
    healthy: Sighting | None = None
    stalled_s: float | None = None
    chunks_read: int = 0


def locate(readings: Sequence[Reading]) -> Verdict:
    """Weigh the sightings of all of a job's logs together."""
    sightings = [item for reading in readings for item in reading.suspects()]
    known = [item if is_named(item) else unknown(item) for item in sightings if not is_health(item)]
    stalled_s = stalled_since(known)
    ended = end_by_hand(known)
    badly = [ends_badly(reading, known) for reading in readings]
    suspects = [weigh(item, readings[item.source], stalled_s, badly[item.source]) for item in known]
    suspects = [after_the_end(one, ended) for one in suspects]
    raised = words_raised(known)
    suspects = [softened(one) if announces(one.sighting, raised) else one for one in suspects]
    healthy = last_proof_of_health(sightings, suspects)
    root = None if healthy else first_cause(suspects)
    return Verdict(root, tuple(suspects), healthy, stalled_s)


def is_health(item: Sighting) -> bool:
    """Tell a proof of health from what may be a cause."""
    return item.failure is not None and item.failure.role == "health"


def is_named(item: Sighting) -> bool:
    """Tell a line that an entry knows, or an exception with its stack, from what can only be read by its words."""
    return item.failure is not None and (item.raised is not None or not item.failure.wording)


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


def weigh(item: Sighting, reading: Reading, stalled_s: float | None, ended_badly: bool = True) -> Suspect:
    """Score one sighting by its role, its entry's weight and what happened after it."""
    assert item.failure
    score = item.failure.weight * ROLE_FACTOR[item.failure.role] * tone_factor(item)
    after = [mark for mark in reading.marks if mark.start > item.start and may_share(mark.rank, item.line.rank)]
    survived = len(after) >= SURVIVED_MARKS
    if survived:
        score *= SURVIVED_HARDWARE_FACTOR if ended_badly and is_hardware(item) else SURVIVED_FACTOR
    elif after and item.raised is None:
        score *= ONE_STEP_FACTOR
    time_s = item.line.time_s
    if stalled_s is not None and time_s is not None and abs(time_s - stalled_s) <= AT_THE_STALL_S:
        score = min(1.0, score * AT_THE_STALL_FACTOR)
    return Suspect(item, score, survived)


def ends_badly(reading: Reading, known: Sequence[Sighting]) -> bool:
    """Tell whether anything that belongs to a failure stands after the last progress."""
    last = reading.marks[-1].start if reading.marks else -1
    own = [item for item in known if item.source == reading.source and item.start > last and item.failure]
    return any(item.failure and item.failure.weight > 0 for item in own)


def end_by_hand(known: Sequence[Sighting]) -> Sighting | None:
    """Find the line that says that a limit or a person ended the job."""
    return next((item for item in known if item.failure and item.failure.category == "other" and is_root(item)), None)


def softened(one: Suspect) -> Suspect:
    """Let a suspect count as much as a warning does."""
    return replace(one, score=one.score * SOFT_FACTOR)


def after_the_end(one: Suspect, ended: Sighting | None) -> Suspect:
    """Let what a job prints while it is being ended weigh little."""
    late = ended and one.sighting.source == ended.source and one.sighting.start > ended.start
    return replace(one, score=one.score * SURVIVED_FACTOR) if late else one


def last_proof_of_health(sightings: Sequence[Sighting], suspects: Sequence[Suspect]) -> Sighting | None:
    """Find the line that proves the job well: nothing of weight may stand after it."""
    proofs = [item for item in sightings if is_health(item) and item.failure and item.failure.weight > 0]
    if not proofs:
        return None
    last = proofs[-1]
    after = [one for one in suspects if one.sighting.source == last.source and one.sighting.start > last.start]
    return None if any(one.score >= LEAST_SURVIVED_SCORE for one in after) else last


def first_cause(suspects: Sequence[Suspect]) -> Sighting | None:
    """Take the earliest of those that speak about equally loud."""
    heard = [one for one in suspects if one.score >= (LEAST_SURVIVED_SCORE if one.survived else LEAST_SCORE)]
    if not heard:
        return None
    best = max(heard, key=lambda one: one.score)
    close = [one for one in heard if one.score >= CLOSE_TO_BEST * best.score]
    loud = [one.sighting for one in close if best.survived or not one.survived]
    return min(loud, key=lambda item: order_of(item, loud))


def order_of(item: Sighting, among: Sequence[Sighting]) -> tuple[float, int, int]:
    """Order by clock where all have the same kind of clock, else by place."""
    clocks = {other.line.clock for other in among}
    time_s = item.line.time_s if len(clocks) == 1 and item.line.time_s is not None else 0.0
    return time_s, item.source if not time_s else 0, item.number
