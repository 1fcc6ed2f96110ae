"""Rows of a counter and one number, without a word: the loss of a step where that falls, and the log tells of training.

A solver's residuals fall too: without a batch, a pass or a heading of training elsewhere such rows stay unread. So do
those whose number falls as a time that is left or free memory does; and what falls in a log that nowhere speaks of a
loss, or falls in a straight line, gets no name, and its rows give steps alone.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import correlation, median

from schedmate.readers.progress.kinds.kinds import Read
from schedmate.readers.progress.lines.fields import Field, Shape
from schedmate.readers.progress.lines.tokens import value_of

LEAST = 16
"""Rows below which it does not show that a number falls."""
FALLEN = 0.97
"""Of the first of them the last are at most so much."""
OFTEN = 0.6
"""So many of the later rows lie below the middle of the earlier ones."""
SMOOTHLY = 0.95
"""With so many of them it is a mean over many steps, that falls little and seldom rises."""
NOISE, SMALLEST = 0.04, 0.01
"""How much one move differs from the next, of a move: what is lowered by plan moves evenly, and is mostly smaller."""
MOST = 100
"""Above it stand times, rates and sizes sooner than a loss."""
STRAIGHT = 0.9
"""So much of how it varies a straight line explains, where a time that is left or free memory runs out."""
STEEP = 0.8
"""Of the first of them so much is left at most of what runs out in a straight line."""
ENDS, NOUGHT = 4, 0.05
"""Rows at either end, and of the first of them so little is left at the last of what runs out."""
UNNAMED = "falls"
"""What rows are about that fall as a loss may, where nothing says that it is one."""
DECIMALS = 3
"""Digits behind the point of a loss that nothing says a word of, on most of its rows."""
WORDED = re.compile(r"[^\W\d_]{2}")


def told_alone(shape: Shape, lines: Sequence[Read], speaks_of_loss: bool) -> Shape | None:
    """Give a shape of training whose one number beside the counter is the loss, where the log speaks of one.

    None where it is not to be known.
    """
    step, rest = shape.find("step"), [one for one in shape.fields if one.role != "step"]
    if step is None or step.name or step.total_at >= 0 or len(rest) != 1 or len(lines) < LEAST:
        return None
    other = rest[0]
    if not is_plain(other) or shape.is_bar or any(WORDED.search(message_of(line, shape)) for line in lines[-LEAST:]):
        return None
    steps = [step.value(line.numbers) for line in lines]
    texts = [line.numbers[other.at[0]] for line in lines]
    if not rises_evenly(steps) or not falls(texts):
        return None
    if not speaks_of_loss or is_straight([value_of(text) for text in texts]):
        return replace(shape, work="train", stream=shape.stream._replace(work="train", about=UNNAMED))
    fields = tuple(replace(one, role="loss") if one is other else one for one in shape.fields)
    stream = shape.stream._replace(work="train", about="loss")
    return replace(shape, fields=fields, work="train", stream=stream)


def is_plain(one: Field) -> bool:
    """Tell a single number without a name and a unit."""
    return one.role == "nothing" and not one.name and not one.unit and len(one.at) == 1 and one.scale == (1.0,)


def message_of(line: Read, shape: Shape) -> str:
    """Give what a line says from its counter on."""
    step = shape.find("step")
    return line.text[line.text.rfind(line.numbers[step.at[0]]) :] if step else line.text


def rises_evenly(steps: Sequence[float]) -> bool:
    """Tell a counter that goes on by as much each time, or begins anew."""
    strides = [later - one for one, later in pairwise(steps) if later >= one]
    return bool(strides) and min(strides) == max(strides) > 0 and len(strides) > len(steps) * OFTEN


def falls(texts: Sequence[str]) -> bool:
    """Tell whether broken numbers above nought fall from the first of the rows to the last, and do not stand still."""
    fine = sum(len(text.partition(".")[2]) >= DECIMALS for text in texts)
    values = [value_of(text) for text in texts]
    if fine < OFTEN * len(texts) or not all("." in text for text in texts) or min(values) <= 0:
        return False
    half = len(values) // 2
    early, late = median(values[:half]), values[half:]
    below = sum(value < early for value in late) / len(late)
    fallen = median(late) <= FALLEN * early or below >= SMOOTHLY
    return fallen and below >= OFTEN and SMALLEST < early <= MOST and is_noisy(values) and not runs_out(values)


def runs_out(values: Sequence[float]) -> bool:
    """Tell what falls to nought, or far by about as much each time: a time that is left, room that is taken."""
    first, last = median(values[:ENDS]), median(values[-ENDS:])
    return last <= NOUGHT * first or (last <= STEEP * first and is_straight(values))


def is_straight(values: Sequence[float]) -> bool:
    """Tell what falls by about as much each time, as a mean over many steps may too: nothing tells them apart."""
    return len(set(values)) < ENDS or correlation(range(len(values)), values) ** 2 >= STRAIGHT


def is_noisy(values: Sequence[float]) -> bool:
    """Tell numbers that move unevenly, as what is learnt does."""
    moves = [later - one for one, later in pairwise(values)]
    apart = median(abs(later - one) for one, later in pairwise(moves))
    return apart > NOISE * median(map(abs, moves)) > 0
