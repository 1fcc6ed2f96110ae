"""The lines around the first cause, repeats collapsed: what a model or a person reads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from schedmate.counts import how_many
from schedmate.readers.lines import visible
from schedmate.readers.templates import mask_line
from schedmate.tools.logfile import LogFile, RawLine

WINDOW_LINES = 200
BEFORE_SHARE = 0.5
LINE_CHARS = 600
KEPT_REPEATS = 2


@dataclass(frozen=True, slots=True)
class WindowLine:
    """One line to show, with how many like it were left out after it."""

    number: int
    text: str
    repeats: int = 0


def window_around(log: LogFile, offset: int, wanted: int = WINDOW_LINES) -> tuple[WindowLine, ...]:
    """Take distinct lines on both sides of a place until enough are found; of like lines the first two are kept."""
    before = collapse(islice(log.lines_backward(offset), 20 * wanted), int(wanted * BEFORE_SHARE))
    after = collapse(islice(log.lines(offset), 20 * wanted), wanted - len(before))
    return (*reversed(before), *after)


def collapse(lines: Iterable[RawLine], wanted: int) -> list[WindowLine]:
    """Leave out lines whose template was shown twice already, and count them on the last one shown."""
    shown: list[WindowLine] = []
    seen: dict[str, int] = {}
    left_out = 0
    for line in lines:
        text = visible(line.raw)[:LINE_CHARS]
        template = mask_line(text)
        seen[template] = seen.get(template, 0) + 1
        if seen[template] > KEPT_REPEATS:
            left_out += 1
            continue
        if shown and left_out:
            last = shown[-1]
            shown[-1] = WindowLine(last.number, last.text, left_out)
        left_out = 0
        if len(shown) >= wanted:
            break
        shown.append(WindowLine(line.number, text))
    return shown


def as_text(lines: Sequence[WindowLine]) -> str:
    """Write a window with line numbers; a model is asked for these numbers, not for quotes."""
    rows = []
    for line in lines:
        rows.append(f"{line.number}| {line.text}")
        if line.repeats:
            rows.append(f"     [... {how_many(line.repeats, 'line')} like those above ...]")
    return "\n".join(rows)
