"""Tell for how many steps a time is: `time for 100 steps: 12.3s`, `40.0s/100 iters`, `100 steps took 12.3 s`."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.progress.lines.marks import Marks
from schedmate.readers.progress.lines.names import has, pieces_of, unit_in_name
from schedmate.readers.progress.lines.phrases import JOINTS
from schedmate.readers.progress.lines.quantities import Item
from schedmate.readers.progress.lines.tokens import Token
from schedmate.readers.progress.lines.units import SECONDS, is_count, is_counter

TOOK = {"in", "took", "takes", "take"}

SPENT = {*TOOK, "needs", "needed", "passes", "passed", "elapsed", "spent", "used"}
"""What is said of the time that so many steps have taken, when they are over."""
COST = {"cost", "costs"}
"""What is said of a time too, but of a loss where no unit stands behind."""


class Spans(Marks):
    """Join a number of steps to the time they took."""

    counted: int
    """The number of steps that the next time is for."""

    def counts_steps(self, last: str) -> bool:
        """Tell whether a number says how many steps a time is for, as in `time for 100 steps: 12.3s`."""
        word = self.peek(1)
        if last in {"last", "past", "previous"} and self.is_mark(1, ":=") and self.is_number(2) and self.is_word(3):
            return has_time(self.label)  # time for last 100: 45.1s
        said = last in {"for", "last", "per", "every"} or (last in {"of", "over"} and has_time(self.label))
        if said or word is None or not is_count(word.text):
            return said and word is not None and is_counter(word.text)
        return self.is_after() and any(token.text.lower() in SPENT for token in self.tokens[self.place + 2 :])

    def is_after(self) -> bool:
        """Tell whether the words before are those of `After training 1000 steps`."""
        first, *rest = (token.text.lower() for token in self.label)
        return first == "after" and has(pieces_of(tuple(rest)), "training")

    def steps_below(self) -> bool:
        """Tell whether a slash parts a time from how many steps it is for: `time/100 iters: 12.3s`."""
        below = self.is_number(1) and self.is_word(2) and is_count(self.tokens[self.place + 2].text)
        told = self.is_mark(3, ":=") or self.is_number(3)
        return below and told and (self.label[-1].text.lower() in SECONDS or has_time(self.label[-1:]))

    def steps_in_time(self, ahead: int) -> bool:
        """Tell whether words such as `train steps in` join a number of steps to the time they took."""
        words = [token.text.lower() for token in self.tokens[self.place : self.place + ahead]]
        if not 2 <= ahead <= 5 or not self.is_number(ahead) or not any(is_count(word) for word in words):
            return False
        unit = self.peek(ahead + 1)
        return words[-1] in TOOK or (words[-1] in COST and unit is not None and unit.text.lower() in SECONDS)

    def per_count(self, item: Item) -> Item:
        """Read `40.0s/100 iters` and `40.0 s for the last 100 iterations`: a time for so many steps."""
        counted = self.counted
        named = counted >= 0 and not item.unit.kind and unit_in_name(item.name).kind == "time"
        if not (item.unit.kind == "time" or named) or item.form not in {"plain", "duration"}:
            return item
        self.counted = -1
        if counted >= 0:
            return replace(item, form="per_count", total_at=counted)
        ahead = 1 if self.is_mark(0, "/") else self.words_ahead()
        joined = {token.text.lower() for token in self.tokens[self.place : self.place + ahead]}
        word = self.peek(ahead + 1)
        if not ahead or not joined <= JOINTS or not self.is_number(ahead) or word is None or not is_count(word.text):
            return item
        count = self.tokens[self.place + ahead].slot
        self.place += ahead + 2
        return replace(item, form="per_count", total_at=count)


def has_time(label: Sequence[Token]) -> bool:
    """Tell whether the words before say that a time follows."""
    return any(token.text.lower() in {"time", "took", "elapsed", "duration", "cost"} for token in label)
