"""Tell by the steps on both sides of a program's end whether another one made them again from further back."""

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from schedmate.readers.failures.lines.steps import StepMark, counts_of
from schedmate.readers.failures.runs.bars import BAR, moves_only, text_of
from schedmate.readers.templates import mask_line
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.logfile import LogFile

EPOCH = late_re2(r"(?i)\b(?:epochs?\b|ep\b|ep)['\"]?[\s:=#\[(|]{0,12}(\d{1,9}(?:\.\d{1,9})?)")

OF_A_PASS = late_re2(r"(?i)\bbatch(?:es)?\b|\bmini-?batch|\d+/\d+ \[[=>.\-#]{5,}\]")
"""Counters that begin again with each pass over the data."""
LEAST_FURTHER = 2
"""So many steps that had been further show that the counter went back; a bar is drawn once more as it is closed."""


class SeenStep(NamedTuple):
    """One step as it is compared: its line, the words of it with where it ends, and how far each counter is."""

    text: str
    stream: tuple[object, ...]
    counts: tuple[float, ...]
    """the epoch before all others, where the line tells it"""
    epoch: float | None
    ended: bool
    """its finest counter has come to its end"""


def step_at(mark: StepMark, log: LogFile) -> SeenStep:
    """Read one step; of a bar the name tells which it is, not how much of it is filled."""
    text, counters = text_of(mark, log), counts_of(mark.step)
    bar = BAR.search(text)
    words = mask_line(text[: bar.start()].strip() + "|" if bar else text)
    done = [count for count, _ in counters]
    told = EPOCH.search(text)
    epoch = float(told[1]) if told else None
    ended = bool(counters) and counters[-1][0] == counters[-1][1]
    counts = (*done,) if epoch is None else (epoch, *done)
    return SeenStep(text, (words, *(end for _, end in counters)), counts, epoch, ended)


def counted_again(before: Sequence[SeenStep], after: Iterable[SeenStep]) -> bool:
    """Tell steps behind an end by which another program goes as far as the dead one, from further back.

    What a dead program held back comes behind its end, too. It goes on from what was printed, or with the next pass:
    so the epoch has to go back, or a counter that never did so before and is not one of a pass. What only repeats
    lines sums up.
    """
    rest = iter(after)
    first = next(rest, None)
    if first is None or moves_only(first.text):
        return False
    mine = [one for one in before if one.stream == first.stream]
    if len({one.counts for one in mine if one.counts > first.counts}) < LEAST_FURTHER:
        return False
    return is_another_programs(first, mine) and goes_as_far(first, rest, mine)


def is_another_programs(first: SeenStep, mine: Sequence[SeenStep]) -> bool:
    """Tell a counter that its own program does not set back."""
    last = mine[-1]
    if first.epoch is not None and last.epoch is not None and first.epoch < last.epoch:
        return True
    if any(one.counts > other.counts for one, other in pairwise(mine)):
        return False
    return first.epoch is not None or not (last.ended or OF_A_PASS.search(first.text))


def goes_as_far(first: SeenStep, rest: Iterable[SeenStep], mine: Sequence[SeenStep]) -> bool:
    """Tell whether steps of the same kind come to where the dead program was, and tell something else than it did."""
    known, anything_new = {one.text for one in mine}, False
    for one in chain((first,), rest):
        if one.stream != first.stream:
            continue
        anything_new |= one.text not in known
        if anything_new and one.counts >= mine[-1].counts:
            return True
    return False
