"""Tell what a mark between words does: a dot that leads to a value, a slash within a unit, a dash before a number."""

from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.lines.phrases import DASHED, SHORTENED
from schedmate.readers.progress.lines.quantities import Quantities
from schedmate.readers.progress.lines.tokens import Token
from schedmate.readers.progress.lines.units import unit_of

CLOCKS = {"elapsed", "passed", "left", "remaining"}


class Marks(Quantities):
    """What marks mean, by the words before them and by what follows."""

    separated: bool

    def joins_unit(self) -> bool:
        """Tell whether the words on both sides of a slash are a unit within a name: `avg. samples / sec: 812.5`."""
        behind = self.is_mark(2, ":=") or self.is_number(2)
        return (
            self.is_word(1)
            and behind
            and unit_of(f"{self.label[-1].text}/{self.tokens[self.place + 1].text}").kind != ""
        )

    def is_arrow(self, mark: str) -> bool:
        """Tell a part of an arrow that leads from a name to its value: `loss -> 0.31`, `Time taken ==> 228.4`."""
        if mark == ">":
            return self.separated and self.touches(0)
        return mark in "-–" and bool(self.label) and self.is_mark(1, ">") and self.touches(1) and self.is_number(2)

    def leads(self, token: Token) -> bool:
        """Tell whether a dot is one of those that lead from a name to its value: `batch_size ........ 32`."""
        run = self.text[: token.end].rstrip(".")
        return token.text == "." and run[-1:].isspace() and (self.is_mark(1, ".") or len(run) < token.start)

    def is_shortened(self) -> bool:
        """Tell whether a point only cuts the word before it short, and the name goes on: `Val. loss`."""
        return bool(self.label) and self.label[-1].text.lower() in SHORTENED and self.touches(0) and self.is_word(1)

    def comma_parts(self) -> bool:
        """Tell whether a comma parts a loss from its value, as `step, 860, loss_train, 0.155` does."""
        ended = self.peek(2) is None or self.is_mark(2, ",;|")
        loss = bool(self.label) and len(self.label) < 4 and has(pieces_of((self.label[-1].text,)), "loss")
        return loss and self.is_number(1) and ended and "." in self.tokens[self.place + 1].text

    def dash_parts(self) -> bool:
        """Tell whether a line parts names from values by dashes, as `0 200 loss - 1.36` does."""
        plain = bool(self.label) and not any(mark in self.text[self.label[0].start :] for mark in ":=|")
        return plain and self.label[-1].text.lower().split("_")[-1] in DASHED

    def says_which_clock(self) -> bool:
        """Tell whether the word behind a time says which one it is, as in `game 37 won [530s elapsed, eta 158s]`."""
        word = self.peek()
        return word is not None and word.text.lower() in CLOCKS
