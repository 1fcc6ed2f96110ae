"""Leave out bars that are drawn again where they were: only what advances shows that a job goes on."""

from collections.abc import Iterator, Sequence
from itertools import islice

from schedmate.readers.failures.lines.steps import BAR, StepMark, step_of
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.lines import Line, Speaker

BEFORE_BYTES, BEFORE_LINES = 1 << 15, 400

MOST_NESTED = 8
"""So many bars are drawn within each other at most: what shows more steps advances."""
LOOKS = b"%|", b" ["
"""One of them stands in each bar."""
Bar = tuple[Speaker, str, str]
"""Whose bar, what is written before it, and over how many things it runs."""
Drawn = tuple[Bar, tuple[str, ...]]
"""A bar, and where it stands."""


def drawn_in(line: Line) -> Drawn | None:
    """Give the bar that a line shows."""
    bar = BAR.search(line.text)
    if bar is None:
        return None
    end = bar[0].rpartition("/")[2].partition(" ")[0]
    return (line.speaker, line.text[: bar.start()], end), step_of(line.text)


def bars_before(item: Sighting, own: FailureReading) -> set[Drawn]:
    """Give where each bar stood when something was said: nested ones are all drawn again as a program leaves."""
    head = item.begins
    raws = own.log.lines_backward(head, max(own.part_of(head).start, head - BEFORE_BYTES))
    last: dict[Bar, Drawn] = {}
    for raw in islice(raws, BEFORE_LINES):
        if any(look in raw.raw for look in LOOKS) and (drawn := drawn_in(own.cleaner.take(raw))):
            last.setdefault(drawn[0], drawn)
    return set(last.values())


def without_bars_drawn_again(said: Sequence[Line], item: Sighting, own: FailureReading) -> Iterator[Line]:
    """Give lines behind a sighting, of each speaker's bar those that show it at a new place."""
    shown = [drawn_in(line) for line in said]
    seen = bars_before(item, own) if any(shown) else set()
    for line, drawn in zip(said, shown, strict=True):
        if drawn is None or drawn not in seen:
            yield line
        if drawn is not None:
            seen.add(drawn)


def that_advanced(after: Sequence[StepMark], item: Sighting, own: FailureReading) -> list[StepMark]:
    """Give the steps behind a sighting without those of bars that stood there before it."""
    if len({mark.step for mark in after}) > MOST_NESTED:
        return list(after)
    shown = [drawn_in(own.cleaner.take(own.log.line_at(mark.start))) for mark in after]
    before = bars_before(item, own) if any(shown) else set()
    return [mark for mark, drawn in zip(after, shown, strict=True) if drawn is None or drawn not in before]
