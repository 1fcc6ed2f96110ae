"""Find the thread whose death left its program waiting: of those who waited in vain it is the cause."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from schedmate.readers.failures.causes.suspect import Suspect
from schedmate.readers.failures.causes.suspects import SURVIVED_FACTOR
from schedmate.readers.failures.reading import FailureReading
from schedmate.tools.late_patterns import late

IN_THREAD = late(r"^Exception in thread (\S.{0,120}?):? ?$")
"""How Python heads the stack of an exception that ends a thread, and nothing else."""
FEEDS = late(
    r"(?i)feed|(?<!up)load|fetch|reader|(?<![a-z])read_|queue|produc|decod|stream|buffer|sampl|batch|(?<!up)data|shard"
    r"|stage|staging|ingest|rollout|(?<![a-z])actor"
)
"""What a thread does that others wait for."""


def left_waiting(chosen: Suspect, suspects: Sequence[Suspect], readings: Sequence[FailureReading]) -> Suspect:
    """Give the last thread that died and fed the rest, where all that is left is that ranks waited; else the choice."""
    failure = chosen.sighting.failure
    if not chosen.effect or failure is None or "peer" not in failure.after:
        return chosen
    dead = [one for one in suspects if one.survived and is_dead_feeder(one, readings)]
    if not dead:
        return chosen
    last = max(dead, key=lambda one: (one.sighting.source, one.sighting.start))
    return replace(last, survived=False, silent=True, score=last.score / SURVIVED_FACTOR)  # never surely


def is_dead_feeder(one: Suspect, readings: Sequence[FailureReading]) -> bool:
    """Tell an exception that ended a thread which, by its name or its code, others take their work from."""
    raised = one.sighting.raised
    if raised is None or not raised.thread or one.sighting.failure is None or one.sighting.failure.role != "root":
        return False
    own = readings[one.sighting.source]
    head = own.log.line_offset(raised.head_number)
    above = next((own.cleaner.take(raw) for raw in islice(own.log.lines_backward(head), 1)), None)
    named = IN_THREAD.match(above.text) if above else None
    told = f"{named[1]} {' '.join(frame.function for frame in raised.frames)}" if named else ""
    return bool(FEEDS.search(told))
