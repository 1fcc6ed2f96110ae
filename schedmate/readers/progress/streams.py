"""Find the training stream of a log: the lines of one kind whose counter rises while something is learnt."""

import math
from bisect import bisect
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from schedmate.readers.progress.fields import Shape, Stream
from schedmate.readers.progress.names import is_thing, pieces_of
from schedmate.readers.progress.tokens import value_of

SURE, LIKELY = 3.5, 2.5
"""Scores from which steps are preferred to epochs, and from which a stream is taken for the loop's at all."""
KEPT = 160
"""Lines of one stream that are kept while the training stream is looked for."""
MAX_STREAMS = 400
NEIGHBOUR = 12
"""Lines that may stand between two lines of one record."""
TELLING = {
    "interval_time",
    "loss",
    "loss_part",
    "step_time",
    "steps_rate",
    "time",
    "elapsed",
    "eta",
    "throughput",
    "epoch_time",
    "things",
    "part_time",
}
LEARNT = {"loss", "loss_part", "throughput"}
EXPLICIT = {"step_time", "steps_rate", "interval_time"}
PROSE = 7
"""Words for one number, above which a line is a sentence."""
UNCOUNTED = (
    *({"time", "throughput"}, {"loss", "throughput"}, {"loss_part", "throughput"}),
    *({"things", "throughput"}, {"percent", "loss"}),
)
"""What lines without a counter tell together when they are the training loop's."""
BRIEF_S = 4.0
"""A bar that is through in less is no training: data sets are mapped and shards loaded so."""


@dataclass(frozen=True, slots=True)
class Read:
    """One line that was read: where it stands, its shape, its numbers, and the text for quoting."""

    number: int
    order: int
    shape: Shape
    numbers: Sequence[str]
    text: str


@dataclass(slots=True)
class Lines:
    """Lines of one kind."""

    key: Stream
    lines: deque[Read] = field(default_factory=lambda: deque(maxlen=KEPT))
    count: int = 0
    first_order: int = 0
    looked: int = 0

    def worth_another_look(self) -> bool:
        """Tell, at most once for each doubling of the lines, whether there are more of them."""
        before, self.looked = self.looked, self.count.bit_length()
        return self.looked > before

    def counter(self) -> list[float]:
        """Give the values of the counter in the order they were printed."""
        return counted(self.lines)

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


@dataclass(slots=True)
class Streams:
    """All streams of a log, within bounds."""

    known: dict[Stream, Lines] = field(default_factory=dict)
    order: int = 0

    def take(self, line: Read) -> None:
        """Add a line to its stream."""
        key = stream_key(line)
        stream = self.known.get(key)
        if stream is None:
            if len(self.known) >= MAX_STREAMS:
                self.forget()
            stream = self.known[key] = Lines(key, first_order=line.order)
        stream.lines.append(line)
        stream.count += 1
        self.order = line.order

    def forget(self) -> None:
        """Drop the streams that say least: no counter, and few lines."""
        worst = sorted(self.known.values(), key=lambda one: (one.counts, one.count))[: MAX_STREAMS // 4]
        for stream in worst:
            del self.known[stream.key]

    def primary(self) -> Lines | None:
        """Choose the stream that is the training loop's own; None when no line is one's."""
        scored = [(score(one, self.known, self.order), one) for one in self.known.values() if one.counts]
        finer = [pair for pair in scored if pair[1].key.counter == "step" and pair[0] >= SURE]
        if finer or scored:
            best, stream = max(finer or scored, key=lambda pair: pair[0])
            if best >= LIKELY:
                return stream
        return self.uncounted()

    def uncounted(self) -> Lines | None:
        """Choose among lines without a counter those that print a step's time, or a time and a throughput."""
        telling = []
        for stream in self.known.values():
            shape = stream.lines[-1].shape
            roles = {one.role for one in shape.fields}
            explicit = bool(roles & EXPLICIT) or any(pair <= roles for pair in UNCOUNTED)
            if shape.work not in {"train", "unsaid"} or stream.counts or stream.repeats():
                continue
            if shape.is_bar and not {"loss", "loss_part"} & roles:
                continue  # a download, or data being mapped
            if explicit and not is_prose(stream.lines[-1]):
                telling.append(stream)
        return max(telling, key=lambda stream: stream.lines[-1].order, default=None)


def is_prose(line: Read) -> bool:
    """Tell a sentence that mentions a number from a line that reports one."""
    return len(line.text.split()) > PROSE * len(line.numbers)


def counted(lines: Iterable[Read]) -> list[float]:
    """Give the counter's value of each line."""
    counters = [(line, line.shape.find("step") or line.shape.find("epoch")) for line in lines]
    return [counter.value(line.numbers) for line, counter in counters if counter is not None]


def stream_key(line: Read) -> Stream:
    """Name a line's stream, with a bar's end."""
    counter = line.shape.find("step") if line.shape.is_bar else None
    if counter is None or counter.total_at < 0:
        return line.shape.stream
    return line.shape.stream._replace(total=line.numbers[counter.total_at])


WORK = {"train": 3.0, "unsaid": 0.0, "eval": -7.0, "other": -9.0, "checkpoint": -7.0}
ROLE = {
    "loss": 3.0, "loss_part": 1.5, "step_time": 3.0, "steps_rate": 1.5, "time": 1.0, "part_time": 1.0,
    "elapsed": 0.7, "throughput": 1.0,
    "eta": 0.7, "epoch": 1.0,
}  # fmt: skip


def score(stream: Lines, known: Mapping[Stream, Lines], order: int) -> float:
    """Weigh what speaks for a stream being the training loop's."""
    shapes = {line.shape for line in stream.lines}
    roles = {one.role for shape in shapes for one in shape.fields}
    if stream.lines[-1].shape.work in {"train", "unsaid"}:
        kin = related(stream, known.values()) - {stream.key}
        roles |= {one.role for key in kin for one in known[key].lines[-1].shape.fields}
    total = WORK[stream.lines[-1].shape.work] + sum(weight for role, weight in ROLE.items() if role in roles)
    if any(shape.framework for shape in shapes):
        total += 2
    total += rising(stream.counter())
    ends = stream.totals()
    total += 0.7 if ends else 0
    total += min(1.5, math.log10(stream.count) / 2)
    if ends and max(ends) <= 3 and "loss" not in roles:
        total -= 3
    if ends and stream.key.kind == "bar":
        total += min(2.0, math.log10(max(1.0, *ends)) / 2)
    if stream.key.counter == "epoch":
        total -= 2.5
    if stream.key.kind == "bar" and "loss" not in roles and longest(stream) < BRIEF_S:
        total -= 3
    if is_thing(pieces_of((stream.key.name,))):
        total -= 2.5
    if not roles & set(ROLE):
        total -= 2.5
    return total + (0.5 * stream.lines[-1].order / order if order else 0)


def longest(stream: Lines) -> float:
    """Give the longest time that a bar has run; without a clock it may be any."""
    clocks = [(line, line.shape.find("elapsed")) for line in stream.lines]
    return max((clock.value(line.numbers) for line, clock in clocks if clock is not None), default=math.inf)


def rising(counter: Sequence[float]) -> float:
    """Reward a counter that rises; one that stands still over many lines is a setting that someone repeats."""
    distinct = len(set(counter))
    if distinct <= 1:
        return -4.0 if len(counter) > 3 else 0.0
    ups = sum(later > earlier for earlier, later in pairwise(counter))
    downs = sum(later < earlier for earlier, later in pairwise(counter))
    if ups <= downs:
        return -2.0
    return min(4.0, 1.0 + math.log2(distinct)) * (ups - downs) / (ups + downs)


def related(primary: Lines, streams: Iterable[Lines]) -> set[Stream]:
    """Name the streams that tell of the same steps: counters in step with the primary's, and what stands beside it."""
    low, high = primary.lines[0].order, primary.lines[-1].order
    kin = {primary.key}
    for stream in streams:
        if stream.key == primary.key or stream.lines[-1].shape.work in {"other", "checkpoint", "eval"}:
            continue
        if stream.counts:
            if primary.counts and stream.key.counter == "step" and counts_alike(stream, primary):
                kin.add(stream.key)
        elif same_framework(stream, primary) or beside(stream, primary, low, high):
            kin.add(stream.key)
    return kin


def in_step(stream: Lines, primary: Lines) -> bool:
    """Tell whether two counters pass through the same values, and at the same places of the log."""
    mine, others = set(primary.counter()), set(stream.counter())
    if not others or len(mine & others) * 2 < min(len(mine), len(others)):
        return False
    places = [(line.order, value) for line, value in zip(primary.lines, primary.counter(), strict=False)]
    orders = [order for order, _ in places]
    late = [line for line in stream.lines if line.order >= orders[0]]
    met = 0
    for line, value in zip(late, counted(late), strict=False):
        place = bisect(orders, line.order)
        met += value in {places[near][1] for near in range(max(0, place - 1), min(len(places), place + 1))}
    return not late or 2 * met > len(late)


def same_framework(stream: Lines, primary: Lines) -> bool:
    """Tell whether a known format reads both."""
    return stream.lines[-1].shape.framework == primary.lines[-1].shape.framework != ""


def counts_alike(stream: Lines, primary: Lines) -> bool:
    """Tell whether two streams count the same steps."""
    return continues(stream, primary) or (in_step(stream, primary) and near(stream, primary))


def continues(stream: Lines, primary: Lines) -> bool:
    """Tell whether two counters of one name are one counter: put together, it falls no oftener than before."""
    if stream.key.name != primary.key.name or stream.key.kind != primary.key.kind or not primary.key.name:
        return False
    if stream.key.total != primary.key.total and not (learns(stream) and learns(primary)):
        return False  # a bar to another end, over other data
    both = sorted((*stream.lines, *primary.lines), key=lambda line: line.order)
    return falls(counted(both)) <= falls(counted(primary.lines)) + falls(counted(stream.lines))


def learns(stream: Lines) -> bool:
    """Tell whether lines print a loss."""
    return any(one.role in {"loss", "loss_part"} for one in stream.lines[-1].shape.fields) or not stream.key.total


def falls(counter: Sequence[float]) -> int:
    """Count how often a counter goes back."""
    return sum(later < earlier for earlier, later in pairwise(counter))


def near(stream: Lines, primary: Lines) -> bool:
    """Tell whether two streams are written by one loop, line by line."""
    gaps = [min(abs(line.order - other.order) for other in primary.lines) for line in list(stream.lines)[-8:]]
    return min(gaps) <= NEIGHBOUR or len(set(stream.counter())) >= 4


def beside(stream: Lines, primary: Lines, low: int, high: int) -> bool:
    """Tell whether lines without a counter belong to the steps: they say so, or they come as often and in between."""
    roles = {one.role for one in stream.lines[-1].shape.fields}
    if not roles & TELLING or stream.count > 4 * primary.count + 2:
        return False
    if stream.repeats():
        return False
    if roles & EXPLICIT:
        return True
    if not any(low - NEIGHBOUR <= line.order <= high + NEIGHBOUR for line in stream.lines):
        return False
    if min(primary.count, stream.count) >= (4 if roles & LEARNT else 8):
        return alternates(stream, primary)
    counters = [line.order for line in primary.lines]
    gap = median(min(abs(line.order - order) for order in counters) for line in stream.lines)
    if roles & LEARNT:
        return gap <= NEIGHBOUR
    return gap <= NEIGHBOUR // 3 and abs(stream.count - primary.count) <= 1


def alternates(stream: Lines, primary: Lines) -> bool:
    """Tell whether two kinds of lines come in turn; what merely happens to stand in the log does not."""
    first, last = stream.lines[0].order, stream.lines[-1].order
    counters = [line.order for line in primary.lines]
    spaces = Counter(bisect(counters, line.order) for line in stream.lines)
    inside = sum(first < order < last for order in counters) + 1
    single = sum(count == 1 for count in spaces.values())
    return (single >= 0.8 * len(spaces) and len(spaces) * 5 >= inside * 4) or every(spaces)


def every(spaces: Mapping[int, int]) -> bool:
    """Tell whether lines come after every so many steps, regularly."""
    places = sorted(spaces)
    strides = {later - earlier for earlier, later in pairwise(places)}
    return len(places) >= 4 and len(strides) == 1
