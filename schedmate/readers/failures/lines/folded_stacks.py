"""Unfold a stack that a structured logger put into one line, with all its line ends."""

from collections.abc import Iterator
from dataclasses import replace

from schedmate.readers.lines import STACK_HEAD, Line

ESCAPED, LEAST_PARTS, MOST_PARTS = "\\n", 3, 400


def unfolded(line: Line) -> Iterator[Line]:
    """Give a line's parts where it holds a whole stack, else the line."""
    parts = line.text.replace(ESCAPED, "\n").split("\n") if STACK_HEAD in line.text else []
    if len(parts) < LEAST_PARTS:
        yield line
        return
    for part in [*parts[: MOST_PARTS // 2], *parts[MOST_PARTS // 2 :][-MOST_PARTS // 2 :]]:
        text = part.strip()
        yield replace(line, text=text, indent=len(part) - len(part.lstrip()))
