"""Read a line's tokens as named values: pairs in all their spellings, fractions, durations, values with units."""

from dataclasses import dataclass, field, replace

from schedmate.readers.progress.tokens import Token
from schedmate.readers.progress.units import NONE, SECONDS, Unit, is_count, is_counter, unit_of

ENDS = set(",;|{}•>·\t")
WRAPPERS = {
    "tensor",
    "array",
    "np.float64",
    "np.float32",
    "numpy.float64",
    "decimal",
    "float",
    "devicearray",
    "float64",
}
LINKS = {"is", "was", "of", "at", "the", "for", "to", "be", "are", "equals", "around", "about", "approx", "in"} | {
    "and", "on", "with", "by", "after", "from",
}  # fmt: skip
SOURCE = (".py", ".cc", ".cpp", ".h", ".cu", ".java", ".scala", ".go", ".rs", ".cxx", ".c", ".jl", ".lua")
MAGNITUDES = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9}


@dataclass(frozen=True, slots=True)
class Item:
    """One value as it stands in the line: how it is named, which numbers make it up, and in what unit."""

    name: tuple[str, ...]
    at: tuple[int, ...]
    scale: tuple[float, ...]
    unit: Unit = NONE
    form: str = "plain"
    """plain, fraction, duration, percent or per_count (`40.0s/100 iters`)."""
    total_at: int = -1
    start: int = 0
    end: int = 0
    opener: str = ""
    """The bracket that opens right before the value, if any."""
    before: str = ""
    """The mark before the value: `<` parts elapsed from remaining in a bar."""
    name_after: bool = False
    text_unit: str = ""
    averaged: bool = False
    """A running average follows in brackets, so the value is that of one step."""


@dataclass(slots=True)
class Line:
    """What one line says: its values, and its words that name none."""

    items: list[Item] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    heads: list[tuple[int, str]] = field(default_factory=list)
    """Each free word with the number of values before it."""


class Reader:
    """Walk over tokens once, keeping the words that may name the next value."""

    def __init__(self, tokens: list[Token], text: str) -> None:
        self.tokens = tokens
        self.text = text
        self.place = 0
        self.label: list[Token] = []
        self.separated = False
        self.opener = ""
        self.mark = ""
        self.counted = -1
        """The number of steps that the next time is for."""
        self.line = Line()

    def peek(self, ahead: int = 0) -> Token | None:
        """Look at a token without taking it."""
        place = self.place + ahead
        return self.tokens[place] if 0 <= place < len(self.tokens) else None

    def is_mark(self, ahead: int, marks: str) -> bool:
        """Tell whether the token ahead is one of these marks."""
        token = self.peek(ahead)
        return token is not None and token.kind == "mark" and token.text in marks

    def is_word(self, ahead: int) -> bool:
        """Tell whether the token ahead is a word."""
        token = self.peek(ahead)
        return token is not None and token.kind == "word"

    def is_number(self, ahead: int) -> bool:
        """Tell whether the token ahead is a number."""
        token = self.peek(ahead)
        return token is not None and token.kind == "number"

    def touches(self, ahead: int) -> bool:
        """Tell whether no space stands between a token and the one before it."""
        here, before = self.peek(ahead), self.peek(ahead - 1)
        return here is not None and before is not None and here.start == before.end

    def read(self) -> Line:
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
        if mark in ":=":
            self.separated = bool(self.label)
        elif mark in "([":
            self.open_bracket(token)
        elif mark in ")]":
            self.drop_label()
            self.opener = ""
        elif mark in "|│┃" and self.label and self.is_number(1) and self.tokens[0].text in "|│┃":
            self.separated = True  # a table of two columns: | name | value |
        elif mark in ENDS or mark == "▌":
            self.drop_label()
        elif mark in "-–—" and (self.spaced(token) or not self.label):
            if not (self.separated and self.is_number(1)):
                self.drop_label()
        elif (mark == "/" and not (self.label and (self.is_word(1) or self.spaced(token)))) or (
            mark == "." and not self.is_number(1)
        ):
            self.drop_label()
        self.mark = mark

    def spaced(self, token: Token) -> bool:
        """Tell whether a mark stands alone between spaces."""
        return self.text[token.start - 1 : token.start].isspace() and self.text[token.end : token.end + 1].isspace()

    def open_bracket(self, token: Token) -> None:
        """Take `(ms)` before a value and `(train)` behind a word into the name; any other bracket opens anew."""
        closing = ")" if token.text == "(" else "]"
        ahead = 1
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
        while words and words[-1].lower() in LINKS and len(words) > 1:
            words.pop()
        return tuple(words[-6:])

    def take_number(self, token: Token) -> None:
        """Read one value with all that belongs to it, and name it by the words before or behind."""
        if self.in_name(token):
            if self.counted < 0:
                self.label.append(token)
            self.separated = False
            self.place += 1
            return
        item = self.duration() or self.fraction() or self.stretch() or self.single()
        touching = self.peek(-1) if self.place else None
        opener = touching.text if touching is not None and touching.text in "([" else ""
        name = self.name_before()
        after = False
        self.place += item[1]
        unit, text_unit = (item[0].unit, item[0].text_unit) if item[0].unit.kind else self.take_unit()
        behind = self.glued() or (not name and not self.separated)
        if behind or self.steps_in_time(self.words_ahead()):
            name = self.name_behind()
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
        self.label, self.separated, self.mark = [], False, ""
        self.line.items.append(replace(value, averaged=True) if self.skip_average() else value)

    def in_name(self, token: Token) -> bool:
        """Tell whether a number is part of a name, as in `top-1: 76.1` and `Top 5 = 93`, or a line of a source file."""
        if not self.label:
            return False
        last = self.label[-1].text.lower()
        if last.endswith(SOURCE):
            self.drop_label()
            return False
        if self.counts_steps(last):
            self.counted = token.slot if is_count(self.tokens[self.place + 1].text) else -1
            return True
        return last.rstrip("-") in {"top", "acc", "prec", "map", "recall", "hits", "p", "r"} and (
            self.is_mark(1, ":=") or self.is_number(1)
        )

    def counts_steps(self, last: str) -> bool:
        """Tell whether a number says how many steps a time is for, as in `time for 100 steps: 12.3s`."""
        word = self.peek(1)
        return last in {"for", "last", "per", "every"} and word is not None and is_counter(word.text)

    def duration(self) -> tuple[Item, int] | None:
        """Read `1 day, 2:34:05`, `0:12:34.5`, `03:12`, `1-02:03:04` and `1h 23m 4s`."""
        taken, slots, scales = 0, [], []
        if self.is_word(1) and (word := self.peek(1)) and word.text.lower() in {"day", "days"} and self.is_mark(2, ","):
            taken = 3
        elif (
            self.is_mark(1, "-")
            and self.touches(1)
            and self.touches(2)
            and self.is_mark(3, ":")
            and self.is_mark(5, ":")
        ):
            taken = 2
        if taken:
            slots.append(self.tokens[self.place].slot)
            scales.append(86400.0)
        run = self.clock(taken)
        if run:
            slots += run
            scales += [3600.0, 60.0, 1.0][-len(run) :]
            return Item((), tuple(slots), tuple(scales), Unit("time"), "duration"), taken + 2 * len(run) - 1
        return self.spelled_duration()

    def clock(self, ahead: int) -> list[int]:
        """Give the slots of `h:mm:ss` or `m:ss` that starts ahead; empty when there is none."""
        slots: list[int] = []
        place = ahead
        while len(slots) < 3 and self.is_number(place) and (not slots or self.is_sixtieth(place)):
            slots.append(self.tokens[self.place + place].slot)
            if not (self.is_mark(place + 1, ":") and self.touches(place + 1)):
                break
            place += 2
        return slots if len(slots) >= 2 else []

    def is_sixtieth(self, ahead: int) -> bool:
        """Tell whether a number can be minutes or seconds of a clock: two digits, glued to the colon."""
        text = self.tokens[self.place + ahead].text
        whole = text.partition(".")[0]
        return self.touches(ahead) and len(whole) == 2 and whole.isdigit() and whole < "60"

    def spelled_duration(self) -> tuple[Item, int] | None:
        """Read two or more numbers with falling units of time, as `23 m, 12 s`."""
        slots, scales, ahead, last = [], [], 0, 1e9
        while ahead < 12 and self.is_number(ahead) and self.is_word(ahead + 1):
            number, word = self.tokens[self.place + ahead], self.tokens[self.place + ahead + 1]
            scale = SECONDS.get(word.text.lower(), 0.0)
            if not 0 < scale < last or word.start - number.end > 1:
                break
            slots.append(number.slot)
            scales.append(scale)
            last, ahead = scale, ahead + 2
            joined = self.is_mark(ahead, ",") or (self.is_word(ahead) and self.tokens[self.place + ahead].text == "and")
            if joined and self.is_number(ahead + 1) and self.is_word(ahead + 2):
                ahead += 1
        if len(slots) < 2:
            return None
        taken = ahead - 1 if self.tokens[self.place + ahead - 1].text in {",", "and"} else ahead
        return Item((), tuple(slots), tuple(scales), Unit("time"), "duration"), taken

    def fraction(self) -> tuple[Item, int] | None:
        """Read `a/b`, `a / b`, `a of b` and `a out of b`."""
        here = self.tokens[self.place]
        joint = 0
        if self.is_mark(1, "/") or (self.is_word(1) and self.tokens[self.place + 1].text.lower() == "of"):
            joint = 2
        elif (
            self.is_word(1)
            and self.is_word(2)
            and [t.text.lower() for t in self.tokens[self.place + 1 : self.place + 3]] == ["out", "of"]
        ):
            joint = 3
        if not joint or not self.is_number(joint):
            return None
        total = self.tokens[self.place + joint]
        return Item((), (here.slot,), (1.0,), form="fraction", total_at=total.slot), joint + 1

    def stretch(self) -> tuple[Item, int] | None:
        """Read `[2001-3000]` and `51-100batch` as the counter that they end at."""
        if not (self.is_mark(1, "-") and self.touches(1) and self.is_number(2) and self.touches(2)):
            return None
        first, last = self.tokens[self.place], self.tokens[self.place + 2]
        if not (first.text.isdigit() and last.text.isdigit() and int(first.text) < int(last.text)):
            return None
        closed = self.is_mark(3, "]:)") or self.is_word(3)
        return (Item((), (last.slot,), (1.0,)), 3) if closed and self.label else None

    def single(self) -> tuple[Item, int]:
        """Read one number, a percentage, or a number with a magnitude such as `12.3K`."""
        here = self.tokens[self.place]
        if self.is_mark(1, "%"):
            return Item((), (here.slot,), (1.0,), form="percent", unit=Unit("percent")), 2
        following = self.peek(1)
        if following and following.text in MAGNITUDES and following.start - here.end <= 1 and not self.is_mark(2, ":="):
            return Item((), (here.slot,), (MAGNITUDES[following.text],)), 2
        return Item((), (here.slot,), (1.0,)), 1

    def take_unit(self) -> tuple[Unit, str]:
        """Take the word behind a value when it is a unit and does not name the next value."""
        word = self.peek()
        if word is None or word.kind != "word" or word.start - self.tokens[self.place - 1].end > 2:
            slash = self.is_mark(0, "/") and self.is_word(1) and self.touches(1)
            if slash and unit_of("x/" + self.tokens[self.place + 1].text).kind == "rate":
                self.place += 2
                return unit_of("samples/s"), "samples/s"
            return NONE, ""
        longer = self.longer_unit(word)
        if longer[0].kind:
            return longer
        unit = unit_of(word.text)
        touching = word.start == self.tokens[self.place - 1].end
        names_next = self.is_mark(1, "=") or (self.is_mark(1, ":") and self.is_number(2))
        names_next = names_next or (self.is_number(1) and (len(word.text) < 2 or unit.kind == "per_step"))
        if not unit.kind or (names_next and not touching):
            return NONE, ""
        self.place += 1
        return unit, word.text

    def longer_unit(self, word: Token) -> tuple[Unit, str]:
        """Take `seconds per step`, `samples / sec` and `s / it`, which are several tokens."""
        middle, last = self.peek(1), self.peek(2)
        touching = word.start == self.tokens[self.place - 1].end
        if word.text.lower() in {"time", "cost"} or (self.is_mark(3, ":=(") and not touching):
            return NONE, ""
        if (
            middle
            and last
            and last.kind == "word"
            and middle.text.lower() in {"per", "/", "a"}
            and last.start - middle.end <= 1
        ):
            text = f"{word.text}/{last.text}"
            unit = unit_of(text)
            if unit.kind:
                self.place += 3
                return unit, text
        return NONE, ""

    def words_ahead(self) -> int:
        """Count the words that follow without a mark."""
        ahead = 0
        while self.is_word(ahead):
            ahead += 1
        return ahead

    def steps_in_time(self, ahead: int) -> bool:
        """Tell whether words such as `train steps in` join a number of steps to the time they took."""
        words = [token.text.lower() for token in self.tokens[self.place : self.place + ahead]]
        joined = 2 <= ahead <= 5 and words[-1] in {"in", "took", "takes"} and self.is_number(ahead)
        return joined and any(is_count(word) for word in words)

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
        elif not ahead or self.is_mark(ahead, ":=") or ahead > 5 or (self.is_number(ahead) and not self.touches(0)):
            return ()
        words = tuple(token.text for token in self.tokens[self.place : self.place + ahead])
        self.place += ahead
        return words

    def per_count(self, item: Item) -> Item:
        """Read `40.0s/100 iters`: a time for so many steps."""
        if item.unit.kind != "time" or item.form not in {"plain", "duration"}:
            return item
        counted, self.counted = self.counted, -1
        if counted >= 0:
            return replace(item, form="per_count", total_at=counted)
        if not self.is_mark(0, "/") or not self.is_number(1):
            return item
        word = self.peek(2)
        if word is None or not is_count(word.text):
            return item
        count = self.tokens[self.place + 1].slot
        self.place += 3
        return replace(item, form="per_count", total_at=count)

    def skip_average(self) -> bool:
        """Pass over the running average in `0.52 (0.61)`: the value before it is the one asked for."""
        if self.is_mark(0, "(") and self.is_number(1) and self.is_mark(2, ")"):
            self.place += 3
            return True
        return False


def read_items(tokens: list[Token], text: str) -> Line:
    """Read one tokenised line."""
    return Reader(tokens, text).read()
