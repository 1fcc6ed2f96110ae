"""Read one value with its unit where a number stands: durations, fractions, stretches, magnitudes."""

import re
from dataclasses import dataclass

from schedmate.readers.progress.lines.cursor import Cursor
from schedmate.readers.progress.lines.tokens import Token
from schedmate.readers.progress.lines.units import NONE, SECONDS, Unit, unit_of

YEAR = re.compile(r"(?:19|20)\d\d")

OF = {"of", "von", "de", "di", "sur", "sobre", "z", "из", "av", "van"}
"""Between two numbers, what parts a counter from its end."""
MAGNITUDES = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9}


@dataclass(frozen=True, slots=True)
class Item:
    """One value as it stands in the line: how it is named, which numbers make it up, and in what unit."""

    name: tuple[str, ...]
    at: tuple[int, ...]
    scale: tuple[float, ...]
    unit: Unit = NONE
    form: str = "plain"
    """plain, fraction, duration, percent, moment (a time of day) or per_count (`40.0s/100 iters`)."""
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
    scattered: bool = False
    """How far others lie from it stands behind, as behind a mean over many: `0.71 ± 0.02`."""


class Quantities(Cursor):
    """What a number can be the beginning of; each reading tells how many tokens it is made of."""

    label: list[Token]

    def duration(self) -> tuple[Item, int] | None:
        """Read `1 day, 2:34:05`, `0:12:34.5`, `03:12`, `1-02:03:04` and `1h 23m 4s`."""
        taken, slots, scales = 0, [], []
        if self.is_date():
            at = [self.tokens[self.place + ahead].slot for ahead in (0, 2, 4)]
            return Item((), tuple(at), (0.0,) * 3, form="moment"), 5
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
        run = self.clock(taken) or ([] if taken else self.spread_clock())
        if run:
            slots += run
            ahead = taken + 2 * len(run) - 1
            if (half := self.peek(ahead)) is not None and half.text.lower() in {"am", "pm"}:
                return Item((), tuple(slots), (0.0,) * len(slots), form="moment"), ahead + 1
            scales += [3600.0, 60.0, 1.0][-len(run) :]
            return Item((), tuple(slots), tuple(scales), Unit("time"), "duration"), taken + 2 * len(run) - 1
        return self.spelled_duration()

    def is_date(self) -> bool:
        """Tell `06/29/2022` and `2022/06/29`: three numbers that slashes join, a year at one end."""
        if not (self.is_mark(1, "/") and self.is_number(2) and self.is_mark(3, "/") and self.is_number(4)):
            return False
        texts = [self.tokens[self.place + ahead].text for ahead in (0, 2, 4)]
        years = [YEAR.fullmatch(text) is not None for text in (texts[0], texts[2])]
        return all(map(self.touches, (1, 2, 3, 4))) and any(years) and all(text.isdigit() for text in texts)

    def clock(self, ahead: int) -> list[int]:
        """Give the slots of `h:mm:ss` or `m:ss` that starts ahead; empty when there is none."""
        slots: list[int] = []
        place = ahead
        while len(slots) < 3 and self.is_number(place) and (not slots or self.is_sixtieth(place)):
            slots.append(self.tokens[self.place + place].slot)
            if not (self.is_mark(place + 1, ":") and self.touches(place + 1)):
                break
            place += 2
        return slots if len(slots) >= 2 and not self.is_on_bus(ahead) else []

    def spread_clock(self) -> list[int]:
        """Give the slots of `00: 05: 17`, set with a blank behind each colon: two digits each, and three of them."""
        numbers = [self.peek(ahead) for ahead in (0, 2, 4)]
        first, second, third = numbers
        if (
            first is None
            or second is None
            or third is None
            or any(one.kind != "number" for one in (first, second, third))
        ):
            return []
        set_so = all(self.is_mark(ahead, ":") and self.touches(ahead) for ahead in (1, 3)) and not self.is_mark(5, ":")
        spread = first.end + 2 == second.start and second.end + 2 == third.start
        two_digits = all(len(one.text) == 2 and one.text.isdigit() for one in (first, second, third))
        sixtieths = two_digits and max(second.text, third.text) < "60"
        return [first.slot, second.slot, third.slot] if set_so and spread and sixtieths else []

    def is_on_bus(self, ahead: int) -> bool:
        """Tell `0000:42:00.0`, the place of a device on its bus, or what follows its first number."""
        first, before = self.tokens[self.place + ahead].text, self.place + ahead - 1
        inside = before > 0 and self.tokens[before].text == ":" and self.tokens[before - 1].text.startswith("000")
        return inside or first.startswith("000")

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
        if self.is_mark(1, "/") or (self.is_word(1) and self.tokens[self.place + 1].text.lower() in OF):
            joint = 2
        elif (
            self.is_word(1)
            and self.is_word(2)
            and [t.text.lower() for t in self.tokens[self.place + 1 : self.place + 3]] == ["out", "of"]
        ):
            joint = 3
        elif self.is_mark(1, "]") and self.is_mark(2, "/") and self.is_mark(3, "["):
            joint = 4  # [1849]/[3760]
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
        """Read one number, a percentage, a number with a magnitude such as `12.3K`, or a sum such as `50.1+0.8s`."""
        here = self.tokens[self.place]
        if self.is_mark(1, "+") and self.is_number(2) and self.touches(1) and self.touches(2):
            return Item((), (here.slot, self.tokens[self.place + 2].slot), (1.0, 1.0)), 3
        if self.is_mark(1, "%"):
            return Item((), (here.slot,), (1.0,), form="percent", unit=Unit("percent")), 2
        following = self.peek(1)
        if following and following.text in MAGNITUDES and following.start - here.end <= 1 and not self.is_mark(2, ":="):
            return Item((), (here.slot,), (MAGNITUDES[following.text],)), 2
        return Item((), (here.slot,), (1.0,)), 1

    def take_unit(self, named: bool = False) -> tuple[Unit, str]:
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
        names_next = names_next or ("_" in word.text and self.is_mark(1, "-") and self.is_number(2))
        own = not named and self.is_word(2) and unit_of(self.tokens[self.place + 2].text).kind != ""
        timed = unit.kind == "per_step" and not own  # but 0.35 s/step 91 samples/s
        names_next = names_next or (self.is_number(1) and (len(word.text) < 2 or timed or named))
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
