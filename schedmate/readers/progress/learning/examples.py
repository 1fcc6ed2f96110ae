"""Show a log by a few of its lines: one kind of line after the other, those first that look like training."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.lines.tokens import normalise, split_numbers, value_of
from schedmate.readers.progress.streams.streams import rising
from schedmate.readers.progress.text.colours import uncoloured
from schedmate.readers.templates import mask_line
from schedmate.tools.late_patterns import late
from schedmate.tools.logfile import LogFile

if TYPE_CHECKING:
    from schedmate.readers.line_classes import LineClassifier

TAIL_BYTES = 1 << 18
MAX_LINES = 8000

MAX_KINDS = 200
"""How many kinds of lines are classed: the frequent ones."""
SHOWN_KINDS = 8
SHOWN_CHARS = 400
MOST_WEIGHED, LOOKED_AT = 4000, 40

LEAST_ROWS, COUNTS = 3, 1.5
"""How many lines make a counter, and how steadily it rises: chance seldom does over so many."""
WORD = late(r"[A-Za-z_][A-Za-z_/]*")


@dataclass(slots=True)
class Kind:
    """Lines that differ in their numbers alone: how many, and the first, a middle and the last of them."""

    template: str
    lines: list[str] = field(default_factory=list)

    @property
    def shown(self) -> list[str]:
        """Give at most three of the lines, cut to a bearable length."""
        places = sorted({0, len(self.lines) // 2, len(self.lines) - 1})
        return [self.lines[place][:SHOWN_CHARS] for place in places]


def tail_of(log: LogFile) -> list[str]:
    """Give the last lines as patterns meet them: visible, and with every bar drawn alike."""
    data = log.window(max(0, log.size - TAIL_BYTES), log.size).replace(b"\r", b"\n")
    rows = [row for row in data.split(b"\n") if row.strip()][-MAX_LINES:]
    return [normalise(uncoloured(row)) for row in rows]


def kinds_of(lines: Sequence[str], classifier: "LineClassifier") -> list[Kind]:
    """Sort lines into kinds: first those that count and learn, then what the Log Classifier calls progress.

    Likeness alone finds the loudest noise: a counter that rises and the word loss are what a training loop cannot hide.
    """
    kinds: dict[str, Kind] = {}
    for line in lines:
        if any(char.isdigit() for char in line):
            template = mask_line(line)
            kinds.setdefault(template, Kind(template)).lines.append(line)
    often = sorted(kinds.values(), key=lambda kind: -len(kind.lines))[:MOST_WEIGHED]
    signs = {kind.template: signs_of(kind) for kind in often}
    weighed = sorted(often, key=lambda kind: (-signs[kind.template], -len(kind.lines)))[:MAX_KINDS]
    verdicts = classifier.classify_templates([kind.template for kind in weighed])
    progress = {kind.template for kind, one in zip(weighed, verdicts, strict=True) if one.label == "progress"}
    kept = [kind for kind in weighed if len(set(kind.lines)) > 1 or kind.template in progress]
    kept.sort(key=lambda kind: (-signs[kind.template], kind.template not in progress, -len(kind.lines)))
    return kept[:SHOWN_KINDS]


def signs_of(kind: Kind) -> int:
    """Count what speaks for a training loop: a counter that rises, and a word of learning."""
    rows = [split_numbers(line)[1] for line in kind.lines[:: max(1, len(kind.lines) // LOOKED_AT)]]
    width = min(map(len, rows))
    counts = len(rows) >= LEAST_ROWS and any(
        rising([value_of(row[column]) for row in rows]) >= COUNTS for column in range(width)
    )
    learns = has(pieces_of(tuple(WORD.findall(kind.template))), "learning")
    return counts + learns
