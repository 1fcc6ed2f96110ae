"""Leave out bars that are drawn again where they were: only what advances shows that a job goes on."""

from collections.abc import Iterable, Iterator

from schedmate.readers.failures.lines.steps import BAR, step_of
from schedmate.readers.lines import Line, Speaker


def without_bars_drawn_again(lines: Iterable[Line]) -> Iterator[Line]:
    """Give lines, of each speaker's bar at one place the first: it is redrawn as it is closed, or by a timer."""
    drawn: set[tuple[Speaker, str, tuple[str, ...]]] = set()
    for line in lines:
        bar = BAR.search(line.text)
        if bar is not None:
            place = (line.speaker, line.text[: bar.start()], step_of(line.text))
            if place in drawn:
                continue
            drawn.add(place)
        yield line
