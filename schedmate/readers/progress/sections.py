"""Tell an evaluation that is printed as training is: a heading says so, and its counter runs to another end."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from schedmate.readers.progress.fields import Shape
from schedmate.readers.progress.names import has, pieces_of
from schedmate.readers.progress.tokens import value_of

MAX_CHARS, MAX_WORDS = 60, 6
MAX_COUNTERS = 64


@dataclass(slots=True)
class Sections:
    """Follow headings: an evaluation lasts until a counter runs to training's own end again."""

    evaluating: bool = False
    ends: dict[str, float] = field(default_factory=dict)
    """To which end each counter of training runs."""

    def heading(self, text: str) -> None:
        """Take a line without numbers, that may head what follows."""
        if len(text) > MAX_CHARS:
            return
        words = text.split(maxsplit=MAX_WORDS)
        pieces = pieces_of(tuple(words)) if len(words) <= MAX_WORDS else ()
        if has(pieces, "training") or has(pieces, "epoch"):
            self.evaluating = False
        elif has(pieces, "evaluation"):
            self.evaluating = True

    def place(self, shape: Shape, numbers: Sequence[str]) -> Shape:
        """Give a line's shape as that of an evaluation where it is one."""
        counter = shape.find("step")
        if counter is None or counter.total_at < 0 or shape.work not in {"train", "unsaid"}:
            return shape
        end = value_of(numbers[counter.total_at])
        known = self.ends.get(counter.name)
        if self.evaluating and known is not None and known != end:
            return replace(shape, work="eval", stream=shape.stream._replace(work="eval"))
        self.evaluating = False
        if known is not None or len(self.ends) < MAX_COUNTERS:
            self.ends[counter.name] = end
        return shape
