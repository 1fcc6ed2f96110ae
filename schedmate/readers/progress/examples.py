"""Show a log by a few of its lines: one kind of line after the other, those first that look like training."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from schedmate.readers.lines import visible
from schedmate.readers.progress.tokens import normalise
from schedmate.readers.templates import mask_line
from schedmate.tools.logfile import LogFile

if TYPE_CHECKING:
    from schedmate.readers.line_classes import LineClassifier

TAIL_BYTES = 1 << 18
MAX_LINES = 8000
MAX_KINDS = 200
"""How many kinds of lines are classed: the frequent ones."""
SHOWN_KINDS = 8
SHOWN_CHARS = 400


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
    return [normalise(visible(row)) for row in rows]


def kinds_of(lines: Sequence[str], classifier: "LineClassifier") -> list[Kind]:
    """Sort lines into kinds; training progress first, as the Log Classifier says, then what repeats most."""
    kinds: dict[str, Kind] = {}
    for line in lines:
        if any(char.isdigit() for char in line):
            template = mask_line(line)
            kinds.setdefault(template, Kind(template)).lines.append(line)
    frequent = sorted(kinds.values(), key=lambda kind: -len(kind.lines))[:MAX_KINDS]
    verdicts = classifier.classify_templates([kind.template for kind in frequent])
    ranked = [
        (verdict.label == "progress", len(set(kind.lines)) > 1, len(kind.lines), place)
        for place, (kind, verdict) in enumerate(zip(frequent, verdicts, strict=True))
    ]
    ranked.sort(key=lambda rank: (not rank[0], not rank[1], -rank[2], rank[3]))
    return [frequent[rank[3]] for rank in ranked if rank[1] or rank[0]][:SHOWN_KINDS]
