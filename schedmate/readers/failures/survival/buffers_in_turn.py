"""Know the buffers of several processes that are handed over one after the other: the step counter falls back."""

from collections.abc import Iterator

from schedmate.readers.failures.lines.steps import StepMark, counts_of, marks_in
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting

BUFFER_CHARS = 8192

MOST_BYTES, MOST_TURNS = 1 << 20, 512
"""So much is read behind an end, and so many processes may hand over their buffers."""
FALLS_BY = 3
"""Processes that work side by side are hardly ever so many steps apart."""
AT_ONCE = 0.5
"""Each buffer begins about where the first did; a new epoch begins far before that."""
Place = tuple[float, ...]


def handed_over_in_turn(item: Sighting, own: FailureReading) -> bool:
    """Tell whether all steps behind an end are those of several buffers: no job at work goes back and forth so.

    A job that goes on prints more than that, and one that begins anew begins at its first step or ends at its last.
    """
    last = own.part_of(item.start).end
    end = min(last, item.start + MOST_BYTES)
    after = list(marks_in(own.log, item.start, end, own.cleaner.year, own.cleaner.own, forward=True))
    turns = list(turns_of([mark for mark in after if place_of(mark)]))
    if not 1 < len(turns) <= MOST_TURNS or end < last:
        return False
    if any(sum(mark.length for mark in turn) > BUFFER_CHARS for turn in turns):
        return False
    first, furthest = place_of(turns[0][0]), max(place_of(mark) for turn in turns for mark in turn)
    reach = furthest[-1] - first[-1]
    starts = [place_of(turn[0]) for turn in turns]
    return all(start[:-1] == first[:-1] and abs(start[-1] - first[-1]) <= AT_ONCE * reach for start in starts)


def turns_of(marks: list[StepMark]) -> Iterator[list[StepMark]]:
    """Cut steps where the counter falls back by more than processes side by side are apart."""
    turn: list[StepMark] = []
    for mark in marks:
        if turn and falls_back(place_of(turn[-1]), place_of(mark)):
            yield turn
            turn = []
        turn.append(mark)
    if turn:
        yield turn


def falls_back(before: Place, after: Place) -> bool:
    """Tell a counter that was set back: of an earlier epoch, or of an earlier step of the same."""
    return after[:-1] < before[:-1] or (after[:-1] == before[:-1] and before[-1] - after[-1] > FALLS_BY)


def place_of(mark: StepMark) -> Place:
    """Give where a step stands: its counters, the coarsest first."""
    return tuple(done for done, _ in counts_of(mark.step))
