"""What bars tell of each other: one is part of another's step, holds whole runs, or is over before training begins."""

import math
from collections.abc import Collection, Iterable
from itertools import pairwise

from schedmate.readers.progress.kinds.kinds import LinesOfKind
from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.streams.related_streams import falls, is_loss_told

REPORTS = 3

THROUGH = 12.0
"""What a bar lacks that is through too soon for any training, or over whole runs."""
COARSE = 2.0
"""What a bar lacks that moves on as another of its looks is through: the other one counts finer."""
ONE_EACH = 1.5
"""So far at most a bar over passes moves on with each of them."""


def is_inner(stream: LinesOfKind, known: Iterable[LinesOfKind]) -> bool:
    """Tell a bar that ran to its end while another of the same looks, with a longer way, was under way or just over."""
    runs = falls(stream.counter()) + 1
    if is_open(stream) and runs < 2:
        return False
    end = max(stream.totals(), default=0)
    wider = [other for other in alike(stream, known) if max(other.totals(), default=0) > end]
    around = [other for other in wider if is_open(other) or outlasts(other, stream)]
    return any(other.lines[-1].order > stream.first_order and not is_of_passes(other, stream, runs) for other in around)


def outlasts(outer: LinesOfKind, inner: LinesOfKind) -> bool:
    """Tell a bar that is at its end, and had run longer when another was still drawn: that one ran in its last step."""
    overlap = outer.lines[0].order < inner.lines[-1].order and not falls(outer.counter())
    return overlap and math.inf > longest(outer) > longest(inner)


def alike(stream: LinesOfKind, known: Iterable[LinesOfKind]) -> list[LinesOfKind]:
    """Give the other bars of the same looks."""
    look = (stream.key.name, stream.key.about)
    bars = [one for one in known if one.key.kind == "bar" and one is not stream]
    return [one for one in bars if (one.key.name, one.key.about) == look]


def is_mistakable(stream: LinesOfKind, known: Collection[LinesOfKind]) -> bool:
    """Tell a bar that does not learn beside another of its looks, of which nothing says that it is a part of it."""
    if stream.key.kind != "bar" or learns(stream) or stream.key.work == "train":
        return False
    others = [one for one in alike(stream, known) if one.key.total != stream.key.total and one.count > REPORTS]
    return any(not is_inner(one, known) for one in others)


def is_of_passes(outer: LinesOfKind, inner: LinesOfKind, runs: int) -> bool:
    """Tell a bar that moves on by one with each run of another: what is run through in each pass trains."""
    began = inner.lines[0].order
    places = [step for line, step in zip(outer.lines, outer.counter(), strict=False) if line.order >= began]
    if len(set(places)) < 2 or runs < 2:
        return False
    return max(places) - min(places) <= ONE_EACH * runs


def is_passed(stream: LinesOfKind, known: Iterable[LinesOfKind]) -> bool:
    """Tell a bar that is run through each time that another of its looks moves on by one: a pass, however brief."""
    runs = falls(stream.counter()) + 1
    return runs > REPORTS and any(is_of_passes(one, stream, runs) for one in alike(stream, known))


def doubts(stream: LinesOfKind, known: Iterable[LinesOfKind], is_learning: bool) -> float:
    """Weigh what speaks against a bar, by the others: it is another's part, holds whole runs, or is over."""
    against = 0.0 if is_learning or not is_inner(stream, known) else 4.0
    against += 0.0 if is_learning or not counts_runs(stream, known) else THROUGH
    inner = [] if is_learning else alike(stream, known)
    times = [falls(one.counter()) + 1 for one in inner if is_of_passes(stream, one, falls(one.counter()) + 1)]
    if times:
        against += THROUGH if names_passes(stream) else COARSE * (2 if max(times) > REPORTS else 1)
    against += COARSE if stream.key.work != "train" and any(comes_behind(stream, one) for one in inner) else 0.0
    once = not is_learning and any(comes_once(stream, one) for one in known)
    return against + (4.0 if once or is_over(stream, known) or is_outdated(stream, known) else 0.0)


def names_passes(stream: LinesOfKind) -> bool:
    """Tell a bar that is called after the passes."""
    labels = [one.name for one in stream.lines[-1].shape.fields if one.role == "percent"]
    return any(has(pieces_of((label,)), "epoch") for label in labels)


def comes_behind(stream: LinesOfKind, other: LinesOfKind) -> bool:
    """Tell a bar that is run through after another each time, and sooner: the first of a pass trains."""
    ends, firsts = through(stream), through(other)
    turns = sorted([(order, True) for order in ends] + [(order, False) for order in firsts])
    in_turn = all(second != first for (_, first), (_, second) in pairwise(turns))
    return len(ends) > 1 and in_turn and not turns[0][1] and longest(stream) < longest(other) < math.inf


def comes_once(stream: LinesOfKind, other: LinesOfKind) -> bool:
    """Tell a bar that was run through once, and far sooner, behind one that was again and again: that one trains."""
    if other.key.kind != "bar" or other.key.work not in {"train", "unsaid"} or other is stream:
        return False
    once, ends = through(stream), through(other)
    behind = len(once) == 1 and len(ends) >= REPORTS and ends[-1] < once[0]
    return behind and not is_open(stream) and longest(stream) * REPORTS < longest(other) < math.inf


def through(stream: LinesOfKind) -> list[int]:
    """Give where a bar was at its end."""
    lines = zip(stream.lines, stream.counter(), stream.totals(), strict=False)
    return [line.order for line, step, end in lines if step == end]


def counts_runs(stream: LinesOfKind, known: Iterable[LinesOfKind]) -> bool:
    """Tell a bar over whole runs, of a sweep or of one task after another: passes begin anew within it, with losses."""
    least = REPORTS * len(set(stream.counter()))
    passes = (one for one in known if one.key.counter == "epoch" and one.count > least and is_loss_told(one))
    return any(0 < falls(one.counter()) * REPORTS < len(one.lines) for one in passes)


def is_over(stream: LinesOfKind, known: Iterable[LinesOfKind]) -> bool:
    """Tell a bar that ran to its end, once, before another that names training or lines that learn: a stage is over."""
    if is_open(stream) or falls(stream.counter()):
        return False
    last = stream.lines[-1].order
    later = [one for one in known if one.first_order > last and one.key.work == "train"]
    if not learns(stream) and any(one.key.kind == "line" and takes_steps(one) for one in later):
        return True
    return any(one.key.kind == "bar" and is_open(one) and names_training(one) for one in later)


def takes_steps(stream: LinesOfKind) -> bool:
    """Tell lines that count steps and tell a loss, more than a few."""
    return stream.key.counter == "step" and stream.count > REPORTS and learns(stream)


def is_outdated(stream: LinesOfKind, known: Iterable[LinesOfKind]) -> bool:
    """Tell a bar of an earlier run, or one that ran once, where another of its looks is run through again and again.

    It is run through once in each pass of the run that goes on. Of two that learn one was given up before the other.
    """
    last = stream.lines[-1].order
    others = [other for other in alike(stream, known) if other.lines[-1].order > last]
    if is_open(stream) and learns(stream):
        return any(other.first_order > last and other.count > REPORTS and learns(other) for other in others)
    once = stream.count == 1 and not is_open(stream)
    return any(recurs(other) and (once or (recurs(stream) and other.first_order > last)) for other in others)


def learns(stream: LinesOfKind) -> bool:
    """Tell whether a line shows what is learnt."""
    return any(one.role in {"loss", "loss_part"} for one in stream.lines[-1].shape.fields)


def recurs(stream: LinesOfKind) -> bool:
    """Tell a bar that was run through more than once: it falls, or is only shown at its end, again and again."""
    counter = stream.counter()
    return falls(counter) > 0 or (len(counter) > 1 and counter == stream.totals())


def names_training(stream: LinesOfKind) -> bool:
    """Tell whether a word of a line's values says that something is trained."""
    return any(has(pieces_of((one.name,)), "training") for one in stream.lines[-1].shape.fields)


def is_open(stream: LinesOfKind) -> bool:
    """Tell whether a counter has not reached its end."""
    return stream.counter()[-1] < max(stream.totals(), default=0)


def fastest(stream: LinesOfKind) -> float:
    """Give the highest rate that a bar shows."""
    rates = [(line, line.shape.find("steps_rate")) for line in stream.lines]
    return max((rate.value(line.numbers) for line, rate in rates if rate is not None), default=0.0)


def longest(stream: LinesOfKind) -> float:
    """Give the longest time that a bar has run; without a clock it may be any."""
    clocks = [(line, line.shape.find("elapsed")) for line in stream.lines]
    return max((clock.value(line.numbers) for line, clock in clocks if clock is not None), default=math.inf)
