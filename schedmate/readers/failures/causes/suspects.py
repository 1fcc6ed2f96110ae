"""Weigh each line by the part it plays, how loud it speaks, and whether the job outlived it."""

from dataclasses import replace

from schedmate.readers.failures.case import Suspect
from schedmate.readers.failures.sightings.loudness import is_end, is_hardware, tone_of
from schedmate.readers.failures.sightings.sighting import Sighting

ROLE_FACTOR = {"root": 1.0, "cascade": 0.45, "teardown": 0.2, "health": 0.0}
"""What a cause, an effect, what is printed as a job ends, and a proof of health count."""
SURVIVED_FACTOR = 0.15
"""What the job outlived."""
SURVIVED_HARDWARE_FACTOR = 0.3
"""A fact about the machine that the job outlived explains a bad end only where nothing else does."""
ENDED_FACTOR = 0.4
"""A time limit or a hand from outside ends what has long hung: any cause before it is the better answer."""
AT_THE_STALL_S, AT_THE_STALL_FACTOR = 90.0, 1.2
"""What was said about when ranks began to wait in vain."""


def weigh(item: Sighting, survived: bool, stalled_s: float | None = None, ended_badly: bool = True) -> Suspect:
    """Score one sighting by its role, its entry's weight, its tone and whether the job outlived it."""
    assert item.failure
    score = item.failure.weight * ROLE_FACTOR[item.failure.role] * tone_of(item)
    if survived:
        score *= survived_factor(item, ended_badly)
    if is_end(item):
        score *= ENDED_FACTOR
    time_s = item.line.time_s
    if stalled_s is not None and time_s is not None and abs(time_s - stalled_s) <= AT_THE_STALL_S:
        score = min(1.0, score * AT_THE_STALL_FACTOR)
    return Suspect(item, score, survived, item.failure.role != "root")


def survived_factor(item: Sighting, ended_badly: bool) -> float:
    """Give what a line counts that steps stand behind."""
    return SURVIVED_HARDWARE_FACTOR if ended_badly and is_hardware(item) else SURVIVED_FACTOR


def as_got_over(one: Suspect) -> Suspect:
    """Let a suspect count as outlived."""
    return replace(one, score=one.score * SURVIVED_FACTOR, survived=True)


def is_health(item: Sighting) -> bool:
    """Tell a proof of health from what may be a cause."""
    return item.failure is not None and item.failure.role == "health"
