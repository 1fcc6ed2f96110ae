"""Unfold a stack that a structured logger put into one line, with all its line ends."""

from collections.abc import Iterator
from dataclasses import replace

from schedmate.readers.lines import STACK_HEAD, Line
from schedmate.tools.late_patterns import late_re2

GOT_OVER = late_re2(
    r"(?i)\b(?:warn(?:ing)?|info|debug|notice|trace|re-?tr(?:y|ied|ying)|tr(?:y|ying|ied) again|skip(?:s|ped|ping)"
    r"|ignor(?:es?|ed|ing)|handled|falling back|fell back|recovered)\b"
)
"""How a program says before a stack that it goes on without what was raised."""
ESCAPED, LEAST_PARTS, MOST_PARTS = "\\n", 3, 400


def unfolded(line: Line) -> Iterator[Line]:
    """Give a line's parts where it holds a whole stack of which its program tells no good end, else the line."""
    before, found, _ = line.text.partition(STACK_HEAD)
    parts = line.text.replace(ESCAPED, "\n").split("\n") if found else []
    if len(parts) < LEAST_PARTS or GOT_OVER.search(before):
        yield line
        return
    for part in [*parts[: MOST_PARTS // 2], *parts[MOST_PARTS // 2 :][-MOST_PARTS // 2 :]]:
        text = part.strip()
        yield replace(line, text=text, indent=len(part) - len(part.lstrip()))
