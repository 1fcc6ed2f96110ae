"""Read a line's tokens as named values: pairs in all their spellings, fractions, durations, values with units."""

from dataclasses import replace

from schedmate.readers.progress.lines.parsed_line import ParsedLine
from schedmate.readers.progress.lines.phrases import (
    ENDS,
    FILES,
    LINKS,
    NOTHING,
    SOURCE,
    TOLD,
    VAGUE,
    WHEN,
    WRAPPERS,
)
from schedmate.readers.progress.lines.quantities import Item
from schedmate.readers.progress.lines.spans import Spans
from schedmate.readers.progress.lines.tokens import Token
from schedmate.readers.progress.lines.translated import in_english
from schedmate.readers.progress.lines.units import SECONDS, is_count, is_counter


class Reader(Spans):
    """Walk over tokens once, keeping the words that may name the next value."""

    def __init__(self, tokens: list[Token], text: str) -> None:
        super().__init__(tokens, text)
        self.label: list[Token] = []
        self.separated = False
        self.opener = ""
        self.mark = ""
        self.counted = -1
        self.line = ParsedLine()

    def read(self) -> ParsedLine:
        """Read the whole line."""
        while (token := self.peek()) is not None:
            if token.kind == "number":
                self.take_number(token)
                continue
            if token.kind == "word":
                self.take_word(token)
            else:
                self.take_mark(token)
            self.place += 1
        self.drop_label()
        return self.line

    def drop_label(self) -> None:
        """Forget the words before: they name nothing that follows."""
        self.line.words += [token.text for token in self.label]
        self.line.heads += [(len(self.line.items), token.text) for token in self.label]
        self.label = []
        self.separated = False

    def take_word(self, token: Token) -> None:
        """Add a word to the name of what follows; a word after `:` is itself a value."""
        if self.separated:
            if token.text.lower() in WRAPPERS and self.is_mark(1, "(["):
                self.place += 1
                return
            name = " ".join(word.text for word in self.label)
            if name and len(self.line.texts) < 16:
                self.line.texts[name.lower()] = token.text
            if token.text.lower() in NOTHING:
                self.label, self.separated = [], False  # what is not known yet heads nothing
                return
            self.drop_label()
        elif (
            self.label
            and token.start - self.label[-1].end >= 2
            and self.text[self.label[-1].end : token.start].isspace()
        ):
            self.drop_label()
        self.label.append(token)
        if token.text.lower() == "days" and not self.label:
            self.drop_label()

    def take_mark(self, token: Token) -> None:
        """Let a mark end a name, join it, or part it from its value."""
        mark = token.text
        if mark in ":=" or self.leads(token) or self.is_arrow(mark):
            self.separated = bool(self.label)
        elif mark in "([":
            self.open_bracket(token)
        elif mark in ")]":
            self.close_bracket()
        elif mark == "/" and self.label and self.joins_unit():
            per = self.tokens[self.place + 1]
            self.label[-1] = replace(self.label[-1], text=f"{self.label[-1].text}/{per.text}", end=per.end)
            self.place += 1
        elif mark == "/" and self.label and self.steps_below():
            self.counted = self.tokens[self.place + 1].slot
            self.place += 2
        elif mark in "|│┃" and self.label and self.is_number(1) and self.tokens[0].text in "|│┃":
            self.separated = True  # a table of two columns: | name | value |
        elif mark == "," and self.comma_parts():
            self.separated = True
        elif mark in ENDS or mark == "▌":
            self.drop_label()
        elif mark in "-–—" and (self.spaced(token) or not self.label):
            if not (self.is_number(1) and (self.separated or self.dash_parts())):
                self.drop_label()
        elif (mark == "/" and not (self.label and (self.is_word(1) or self.spaced(token)))) or (
            mark == "." and not (self.is_number(1) or self.is_shortened())
        ):
            self.drop_label()
        self.mark = mark

    def close_bracket(self) -> None:
        """End what a bracket names; a word that stands alone in the last one says what the line is of: `(test)`."""
        if len(self.label) == 1 and self.opener and self.peek(1) is None:
            self.line.tail = self.label[0].text
        self.drop_label()
        self.opener = ""

    def open_bracket(self, token: Token) -> None:
        """Take `(ms)` before a value and `(train)` behind a word into the name; any other bracket opens anew."""
        closing = ")" if token.text == "(" else "]"
        ahead = 1
        word = self.peek(2)
        counts = word is not None and is_count(word.text) and self.is_number(1)
        if counts and self.label and self.is_mark(3, closing) and self.is_mark(4, ":="):
            self.counted = self.tokens[self.place + 1].slot  # Time(200 iters): 2.4s
            self.place += 3
            return
        while self.is_word(ahead) or self.is_mark(ahead, "/%."):
            ahead += 1
        joins = ahead > 1 and self.is_mark(ahead, closing)
        names_value = self.is_mark(ahead + 1, ":=") or self.is_number(ahead + 1) or self.is_mark(ahead + 1, "[")
        if joins and self.label and (names_value or self.touches(0)):
            inner = self.tokens[self.place + 1 : self.place + ahead]
            unit = "".join(word.text for word in inner)
            if inner:
                self.label.append(replace(inner[0], text=f"({unit})", end=inner[-1].end + 1))
            self.place += ahead
            return
        if not (self.is_number(1) or (self.is_mark(1, "([") and self.separated)):
            self.drop_label()
        self.opener = token.text

    def name_before(self) -> tuple[str, ...]:
        """Give the words that name the value here, without links such as `is`."""
        words = [token.text for token in self.label]
        begun = max((at for at, word in enumerate(words[:-1]) if word.lower().endswith(SOURCE + FILES)), default=-1)
        words = words[begun + 1 :]  # python benchmarks.py --batch_size 64
        while words and ((words[-1].lower() in LINKS and len(words) > 1) or words[-1].lower() in VAGUE):
            words.pop()
        return tuple(words[-6:])

    def take_number(self, token: Token) -> None:
        """Read one value with all that belongs to it, and name it by the words before or behind."""
        if self.is_window():
            self.place += 3
            return
        if self.is_spread() and self.line.items:
            self.take_spread()
            return
        if self.in_name(token):
            if self.counted < 0:
                self.label.append(token)
            self.separated = False
            self.place += 1
            return
        item = self.duration() or self.fraction() or self.stretch() or self.single()
        measured = self.measured_first(item[1])
        self.label = self.label[-1:] if measured else self.label
        touching = self.peek(-1) if self.place else None
        opener = touching.text if touching is not None and touching.text in "([" else ""
        name = self.name_before()
        after = False
        self.place += item[1]
        unit, text_unit = (item[0].unit, item[0].text_unit) if item[0].unit.kind else self.take_unit(bool(name))
        if opener and unit.kind == "time" and self.says_which_clock():
            name = ()  # what stands before the bracket names something else
        behind = self.glued() or (not name and not self.separated)
        if behind or self.steps_in_time(self.words_ahead()):
            whole = ("max",) if self.glued() and has_total(name) else ()
            name = (*whole, *self.name_behind())
            after = bool(name)
        value = replace(
            item[0],
            name=name,
            unit=unit,
            text_unit=text_unit,
            opener=opener,
            before=self.mark,
            name_after=after,
            start=token.start,
            end=self.tokens[self.place - 1].end,
        )
        value = self.per_count(value)
        self.label, self.separated, self.mark = measured, False, ""
        self.line.items.append(replace(value, averaged=True) if self.skip_average(value) else value)

    def measured_first(self, taken: int) -> list[Token]:
        """Give the name of the value behind a counter, as in `loss at step 106: 5.63` and `loss step 106: 5.63`."""
        told = self.peek(taken)
        behind = taken + (told is not None and told.text.lower() in TOLD)
        behind += self.is_mark(behind, ":=")
        goes_on = (
            told is not None and told.text == "and" and self.is_number(taken + 2) and self.is_counter_at(taken + 1)
        )
        if len(self.label) < 2 or self.separated or not (goes_on or (behind > taken and self.is_number(behind))):
            return []
        before, joint = self.label[:-1], self.label[-2].text.lower()
        name = before[:-1] if joint in WHEN or joint == "and" else before if joint == "loss" else []
        return name if is_counter(self.label[-1].text) else []

    def is_counter_at(self, ahead: int) -> bool:
        """Tell whether a word ahead counts, as the second one of `loss at epoch 8 and iteration 500 is 0.2`."""
        word = self.peek(ahead)
        return word is not None and word.kind == "word" and is_counter(word.text)

    def is_window(self) -> bool:
        """Tell whether a number says over how long a value was taken, as in `Fps (10 sec: 812.5, 60 sec: 790.1`."""
        word = self.peek(1)
        timed = word is not None and word.kind == "word" and word.text.lower() in SECONDS
        return timed and self.is_mark(2, ":=") and self.is_number(3) and (self.opener == "(" or not self.label)

    def is_spread(self) -> bool:
        """Tell whether a number says how far the value before it may lie off: `0.44 ± 0.02`, `0.44 +/- 0.02`."""
        before = self.peek(-1) if self.place else None
        if before is None or before.text not in {"±", "-"}:
            return False
        return before.text == "±" or self.text[: before.end].endswith("+/-")

    def take_spread(self) -> None:
        """Pass over a spread; a unit behind it is that of the value before."""
        self.place += 1
        unit, text = self.take_unit(True)
        last = self.line.items[-1] = replace(self.line.items[-1], scattered=True)
        if unit.kind and not last.unit.kind:
            self.line.items[-1] = replace(last, unit=unit, text_unit=text)
        self.label, self.separated = [], False

    def in_name(self, token: Token) -> bool:
        """Tell whether a number is part of a name, as in `top-1: 76.1` and `Top 5 = 93`, or a line of a source file."""
        if not self.label:
            return False
        last = self.label[-1].text.lower()
        if last.endswith(SOURCE):
            self.drop_label()
            return False
        if self.counts_steps(last):
            following = self.tokens[self.place + 1]
            self.counted = token.slot if following.kind == "mark" or is_count(following.text) else -1
            return True
        return last.rstrip("-") in {"top", "acc", "prec", "map", "recall", "hits", "p", "r"} and (
            self.is_mark(1, ":=") or self.is_number(1)
        )

    def glued(self) -> bool:
        """Tell whether the name of a counter is glued to the number, as in `3epoch:` and `50num_updates`."""
        word = self.peek()
        return word is not None and word.kind == "word" and self.touches(0) and is_counter(word.text.split("_")[-1])

    def name_behind(self) -> tuple[str, ...]:
        """Give the words behind an unnamed value that name it, as `0.001 rate`, `100 batches` and `3epoch:`."""
        ahead = self.words_ahead()
        if self.glued():
            ahead = 1
        elif self.steps_in_time(ahead):
            self.counted = self.tokens[self.place - 1].slot
        elif (
            not ahead
            or self.is_mark(ahead, ":=")
            or (self.is_mark(ahead, "-") and self.is_number(ahead + 1))
            or ahead > 5
            or (self.is_number(ahead) and not self.touches(0))
        ):
            return ()
        words = tuple(token.text for token in self.tokens[self.place : self.place + ahead])
        self.place += ahead
        return words

    def skip_average(self, value: Item) -> bool:
        """Pass over the running average in `0.52 (0.61)` and `1.2s(1.3s)`: the value before it is the one asked for.

        Behind a value that has no unit, `(1.3 sec)` is a time of its own: `loss 2.1 (1.3 sec)`.
        """
        if not (self.is_mark(0, "(") and self.is_number(1)):
            return False
        word = self.peek(2)
        with_unit = value.unit.kind != "" and word is not None and word.text in SECONDS and self.is_mark(3, ")")
        if not (with_unit or self.is_mark(2, ")")):
            return False
        self.place += 4 if with_unit else 3
        return True


def has_total(name: tuple[str, ...]) -> bool:
    """Tell whether the word before a glued counter says that it is the end of one, as in `共50000步`."""
    return bool(name) and in_english(name[-1]) == ["total"]


def read_items(tokens: list[Token], text: str) -> ParsedLine:
    """Read one tokenised line."""
    return Reader(tokens, text).read()
