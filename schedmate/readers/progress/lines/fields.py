"""What is known of a line's template: which of its numbers make which value, and of what kind of work it tells."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from schedmate.readers.progress.lines.clocks import stamp_s
from schedmate.readers.progress.lines.names import Role
from schedmate.readers.progress.lines.tokens import half_unit, value_of

Work = Literal["train", "eval", "other", "checkpoint", "unsaid"]

Layout = Literal["cells", "pair", ""]
"""A line that is one name and its value: as the row of a table of two columns, or bare."""


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a template: its name and role, and how it is put together from the line's numbers."""

    name: str
    role: Role
    at: tuple[int, ...]
    scale: tuple[float, ...]
    unit: str = ""
    total_at: int = -1
    unit_known: bool = True
    averaged: bool = False
    """A running average stands behind it, so it is the value of one step."""
    until_end: Role | None = None
    """What it is as long as the line's counter has not reached its end: Keras 3 prints there what is left of a pass."""

    def value(self, numbers: Sequence[str]) -> float:
        """Compute the value from a line's numbers."""
        if len(self.at) == 1:
            return value_of(numbers[self.at[0]]) * self.scale[0]
        return sum(value_of(numbers[place]) * scale for place, scale in zip(self.at, self.scale, strict=True))

    def half_unit(self, numbers: Sequence[str]) -> float:
        """Give how far the true value may lie from what is printed."""
        return half_unit(numbers[self.at[-1]]) * self.scale[-1]


class Stream(NamedTuple):
    """What lines of one kind have in common; an empty kind says nothing of progress."""

    kind: Literal["bar", "line", "beside", ""]
    work: Work
    counter: str = ""
    """The role of the counter: step, epoch, or none."""
    name: str = ""
    about: str = ""
    total: str = ""
    """Bars to different ends are bars over different things."""


NO_STREAM = Stream("", "unsaid")


@dataclass(frozen=True, slots=True)
class Shape:
    """All that is known of a template."""

    fields: tuple[Field, ...]
    work: Work
    is_bar: bool
    stream: Stream
    framework: str = ""
    stamp: str = ""
    stamp_at: tuple[int, ...] = ()
    month: int = 0
    rank_at: int = -1
    """Which number is that of the process that wrote the line; `rank` is the process itself, as in `[rank3]`."""
    rank: str = ""
    heading: int = 0
    """How many of the numbers stand before the line's message."""
    layout: Layout = ""

    def stamp_s(self, numbers: Sequence[str]) -> float | None:
        """Read the line's time stamp."""
        return stamp_s(self.stamp, [numbers[at] for at in self.stamp_at], self.month) if self.stamp else None

    def find(self, role: Role) -> Field | None:
        """Give the first field of a role."""
        return next((field for field in self.fields if field.role == role), None)
