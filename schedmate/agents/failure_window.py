"""What a model is shown of a dead job's logs: the lines around the first cause, each candidate and the end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from schedmate.counts import how_many
from schedmate.readers.failures.case import Suspect
from schedmate.readers.failures.causes.first_cause import CauseVerdict
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN_ID
from schedmate.readers.lines import visible
from schedmate.readers.templates import mask_line
from schedmate.tools.raw_lines import RawLine

ROOT_LINES, CANDIDATE_LINES, LAST_LINES = 60, 10, 30

CLOSE_LINES, CLOSE_LAST = 6, 8
"""What is shown even where there is little room."""
MOST_CANDIDATES, MOST_RANKS = 12, 8
LINE_CHARS = 400
KEPT_REPEATS = 2


@dataclass(frozen=True, slots=True)
class Shown:
    """One line of a log as a model sees it; `number` counts through all logs of the job, `line` through its own."""

    number: int
    source: int
    line: int
    start: int
    text: str
    rank: int
    """how much it matters: 0 is shown whatever the room"""


@dataclass(frozen=True)
class LogWindow:
    """The lines to show, in their order, and where each log begins in the count."""

    lines: tuple[Shown, ...]
    begins: tuple[int, ...]
    names: tuple[str, ...]
    marked: tuple[int, ...] = ()
    """the candidates that the program found, by number"""

    def within(self, chars: int) -> "LogWindow":
        """Keep what matters most, up to a number of characters."""
        kept: set[int] = set()
        for one in sorted(self.lines, key=lambda one: one.rank):
            chars -= len(one.text) + 10
            if chars < 0:
                break
            kept.add(one.number)
        lines = tuple(one for one in self.lines if one.number in kept)
        return LogWindow(lines, self.begins, self.names, tuple(number for number in self.marked if number in kept))

    def find(self, number: int) -> Shown | None:
        """Give a line that is shown."""
        return next((one for one in self.lines if one.number == number), None)

    def around(self, number: int, count: int) -> tuple[Shown, ...]:
        """Give the lines that are shown near a number, those of the same log."""
        return tuple(one for one in self.lines if abs(one.number - number) <= count)


def window_of(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> LogWindow:
    """Choose the lines; of lines that are alike within a stretch the first two are kept."""
    counts = [reading.log.line_count for reading in readings]
    begins = tuple(sum(counts[:source]) for source in range(len(counts)))
    chosen: dict[tuple[int, int], Shown] = {}
    root, candidates = verdict.root, candidates_of(verdict)
    places = [(one.sighting.source, one.sighting.start, CANDIDATE_LINES) for one in candidates]
    last = root.source if root else 0
    for source, start, around in [*([(root.source, root.start, ROOT_LINES)] if root else []), *places]:
        for rank, line in stretch(readings[source], start, around):
            keep(chosen, Shown(begins[source] + line.number, source, line.number, line.start, shown(line.raw), rank))
    for place, line in enumerate(different(islice(readings[last].log.lines_backward(), 20 * LAST_LINES), LAST_LINES)):
        rank = 1 if place < CLOSE_LAST else 3
        keep(chosen, Shown(begins[last] + line.number, last, line.number, line.start, shown(line.raw), rank))
    marks = [*([root] if root else []), *(one.sighting for one in candidates)]
    marked = sorted({begins[item.source] + item.number for item in marks})
    lines = tuple(sorted(chosen.values(), key=lambda one: one.number))
    return LogWindow(lines, begins, tuple(reading.log.name for reading in readings), tuple(marked))


def candidates_of(verdict: CauseVerdict) -> list[Suspect]:
    """Choose what else may be the cause: of each kind the loudest and the first, and the first error of each rank."""
    kinds: dict[str, Suspect] = {}
    firsts: dict[str, Suspect] = {}
    ranks: dict[tuple[int, int | None], Suspect] = {}
    for one in sorted(verdict.suspects, key=lambda one: -one.score):
        kinds.setdefault(kind_of(one), one)
    loudest = list(kinds)[:MOST_CANDIDATES]
    for one in sorted(verdict.suspects, key=lambda one: one.sighting.start):
        firsts.setdefault(kind_of(one), one)
        if not one.survived:
            ranks.setdefault((one.sighting.source, one.sighting.line.rank), one)
    first = sorted(ranks.values(), key=lambda one: one.sighting.start)[:MOST_RANKS]
    chosen = [*(kinds[kind] for kind in loudest), *(firsts[kind] for kind in loudest), *first]
    return list({(one.sighting.source, one.sighting.number): one for one in chosen}.values())


def kind_of(one: Suspect) -> str:
    """Name what a line is one of: its entry, apart by whether it was outlived, or else its template."""
    failure = one.sighting.failure
    return f"{failure.id} {one.survived}" if failure and failure.id != UNKNOWN_ID else mask_line(one.sighting.line.text)


def keep(chosen: dict[tuple[int, int], Shown], line: Shown) -> None:
    """Add a line, or show it the sooner where it was chosen already."""
    before = chosen.get((line.source, line.line))
    if line.text and (before is None or line.rank < before.rank):
        chosen[line.source, line.line] = line


def stretch(reading: FailureReading, start: int, around: int) -> Iterator[tuple[int, RawLine]]:
    """Give the different lines on both sides of a place: the line itself first, then the nearest."""
    half = around // 2
    yield 0, reading.log.line_at(start)
    before = different(islice(reading.log.lines_backward(start), 20 * half), half)
    after = different(islice(reading.log.lines(start), 1, 20 * half), half)
    for side in (before, after):
        for place, line in enumerate(side):
            yield (1 if place < CLOSE_LINES // 2 else 2 if place < CANDIDATE_LINES // 2 else 3), line


def different(lines: Iterator[RawLine], wanted: int) -> list[RawLine]:
    """Leave out lines like two that were taken already."""
    taken: list[RawLine] = []
    seen: dict[str, int] = {}
    for line in lines:
        template = mask_line(shown(line.raw))
        seen[template] = seen.get(template, 0) + 1
        if seen[template] <= KEPT_REPEATS:
            taken.append(line)
        if len(taken) >= wanted:
            break
    return taken


def shown(raw: bytes) -> str:
    """Write a line as it is shown."""
    return visible(raw).strip()[:LINE_CHARS]


def as_text(window: LogWindow) -> str:
    """Write the lines with their numbers, and say truly how many are left out between them."""
    rows: list[str] = []
    reached = 0
    for one in window.lines:
        begin = window.begins[one.source]
        if len(window.names) > 1 and reached <= begin:
            rows.append(f"[log {one.source + 1} of {len(window.names)} begins with line {begin + 1}]")
        if one.number > reached + 1:
            rows.append(f"[... {how_many(one.number - reached - 1, 'line is', 'lines are')} not shown]")
        rows.append(f"{one.number}| {one.text}")
        reached = one.number
    return "\n".join(rows)
