"""Let what says why count as much as what only says that something failed."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.sightings.loudness import warns

NATIVE_ERROR, SPEAKERS, NATIVE_LINES = "python.runtime_error", "speakers.", 60
"""A bare exception of native code, lines that are known by who says them, and how far above it they may stand."""


def with_native_words(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let what a driver or run time said just above a bare RuntimeError count as much as that.

    Native code raises one where it gives up, with few words; what happened it has told its own log before.
    """
    raised = [one for one in suspects if one.sighting.raised and named_by(one, NATIVE_ERROR) and not one.survived]
    raised.sort(key=line_of)
    return [lifted(one, raised) if named_by(one, SPEAKERS) else one for one in suspects]


def lifted(one: Suspect, raised: Sequence[Suspect]) -> Suspect:
    """Give a line the score of the exception that it stands above."""
    source, number = line_of(one)
    first = bisect_right(raised, (source, number), key=line_of)
    past = bisect_right(raised, (source, number + NATIVE_LINES), key=line_of)
    near = [other.score for other in raised[first:past]]
    return replace(one, score=max([one.score, *near])) if not one.survived else one


def line_of(one: Suspect) -> tuple[int, int]:
    """Order by log and line."""
    return one.sighting.source, one.sighting.number


def named_by(one: Suspect, name: str) -> bool:
    """Tell what an entry, or an area of entries, knows."""
    return one.sighting.failure is not None and one.sighting.failure.id.startswith(name)


def with_reasons(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let a warning count as much as the exception that states the same fault later: it says why.

    Torch warns that CUDA cannot start and goes on without it; who then misses a GPU only knows that there is none.
    """
    told = list(suspects)
    later: dict[tuple[int, str], tuple[float, str]] = {}
    """what the loudest exception counts that states a fault of a log further down, and which entry knows it"""
    for place in sorted(range(len(told)), key=lambda place: line_of(told[place]), reverse=True):
        one, fault = told[place], (told[place].sighting.source, fault_of(told[place]))
        if not fault[1] or one.survived:
            continue
        score, entry = later.get(fault, (0.0, ""))
        if score > one.score and warns(one.sighting) and not named_by(one, entry):
            told[place] = replace(one, score=score)
        if one.sighting.raised and one.score > score and one.sighting.failure:
            later[fault] = one.score, one.sighting.failure.id
    return told


def fault_of(one: Suspect) -> str:
    """Give what the catalogue calls the fault that several entries state."""
    return one.sighting.failure.fault if one.sighting.failure else ""
