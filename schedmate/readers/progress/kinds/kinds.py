"""Lines of one kind: what a log says again and again, with other numbers."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from schedmate.readers.progress.lines.cut_line import UNREAD
from schedmate.readers.progress.lines.fields import Shape, Stream
from schedmate.readers.progress.lines.tokens import SPACELESS, value_of
from schedmate.tools.late_patterns import late

KEPT = 160
"""Lines of one stream that are kept while the training stream is looked for."""
UNSPACED = late(f"[{SPACELESS}]")

PROSE = 7
"""Words for one number, above which a line is a sentence."""
MAX_QUOTE = 300

TEXT, WORDY = 20, 5
"""Words of a line that holds a text, and how many there are for one number."""
SENTENCE = 12
"""Words of a line that ends as a sentence does."""


class Quote(NamedTuple):
    """The line that a value was last read from."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Read:
    """One line that was read: where it stands, its shape, its numbers, and the text for quoting."""

    number: int
    order: int
    shape: Shape
    numbers: Sequence[str]
    text: str
    shown: str = ""
    """The line as it stands in the log, where that is not the text that was read."""
    writer: str = ""
    """The process, where a prefix that is no part of the text names it."""
    place: int = 0
    """How many lines up to this one told something new."""

    @property
    def quote(self) -> str:
        """Give the line's own words."""
        return (self.shown or self.text).removesuffix(UNREAD)

    @property
    def said(self) -> Quote:
        """Give what the line is quoted with as evidence."""
        return Quote(self.number, self.quote[:MAX_QUOTE])

    @property
    def is_before_end(self) -> bool:
        """Tell whether the counter has not reached the end that stands beside it."""
        counter = self.shape.find("step")
        if counter is None or counter.total_at < 0:
            return False
        return counter.value(self.numbers) < value_of(self.numbers[counter.total_at])

    @property
    def rank(self) -> str:
        """Tell which process wrote the line; empty where it does not say."""
        at = self.shape.rank_at
        if self.writer:
            return self.writer
        return self.numbers[at] if at >= 0 else self.shape.rank


@dataclass(slots=True)
class LinesOfKind:
    """Lines of one kind, of one process where they tell it."""

    key: Stream
    rank: str = ""
    lines: deque[Read] = field(default_factory=lambda: deque(maxlen=KEPT))
    count: int = 0
    first_order: int = 0
    first_epoch: float | None = None
    """The pass that the first line of all named."""
    looked: int = 0
    read: tuple[int, list[float]] = (0, [])
    """The counter's values as they were after so many lines: each kind is compared with each other."""

    def worth_another_look(self) -> bool:
        """Tell, at most once for each doubling of the lines, whether there are more of them."""
        before, self.looked = self.looked, self.count.bit_length()
        return self.looked > before

    def counter(self) -> list[float]:
        """Give the values of the counter in the order they were printed."""
        if self.read[0] != self.count:
            self.read = self.count, counted(self.lines)
        return self.read[1]

    def totals(self) -> list[float]:
        """Give the ends that the counter is printed with."""
        fields = [(line, line.shape.find("step") or line.shape.find("epoch")) for line in self.lines]
        return [value_of(line.numbers[one.total_at]) for line, one in fields if one is not None and one.total_at >= 0]

    def repeats(self) -> bool:
        """Tell whether the lines say the same each time: a setting, or a text that someone prints."""
        return self.count > 2 and len({tuple(line.numbers) for line in self.lines}) == 1

    @property
    def counts(self) -> bool:
        """Tell whether the lines have a counter."""
        return self.key.counter != ""


def counted(lines: Iterable[Read]) -> list[float]:
    """Give the counter's value of each line."""
    counters = [(line, line.shape.find("step") or line.shape.find("epoch")) for line in lines]
    return [counter.value(line.numbers) for line, counter in counters if counter is not None]


def words_of(text: str) -> int:
    """Count words; in scripts that set none between spaces two signs make one."""
    return len(text.split()) + (0 if text.isascii() else len(UNSPACED.findall(text)) // 2)


def is_prose(line: Read) -> bool:
    """Tell a sentence that mentions a number from a line that reports one."""
    words = words_of(line.text)
    return words > PROSE * len(line.numbers) or (words > SENTENCE and line.text.rstrip()[-1:] in {".", "?", "!"})


def is_text(line: Read) -> bool:
    """Tell a whole text in one line, as questions and answers are kept: what it counts is none of its program's."""
    words = words_of(line.text)
    return words > TEXT and words > WORDY * len(line.numbers)


def stream_key(line: Read) -> Stream:
    """Name a line's stream, with a bar's end."""
    counter = line.shape.find("step") if line.shape.is_bar else None
    if counter is None or counter.total_at < 0:
        return line.shape.stream
    return line.shape.stream._replace(total=line.numbers[counter.total_at])
