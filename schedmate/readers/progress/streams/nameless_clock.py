"""Find a clock that no name and no unit marks: the broken number that grows evenly with the counter, not exactly."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from schedmate.readers.progress.kinds.kinds import Read
from schedmate.readers.progress.lines.fields import Field, Shape
from schedmate.readers.progress.lines.tokens import half_unit, value_of

LEAST, LEAST_LATE = 5, 6
"""Lines that show a clock which began with the counter, and one that began before."""
EVENLY, FROM_START = 1.6, 2.0
"""How much a step may take longer than another, and all since the start longer than those that were seen."""
MOST = 0.75
CLOCKED = {
    "time",
    "step_time",
    "elapsed",
    "eta",
    "steps_rate",
    "throughput",
    "interval_time",
    "part_time",
    "epoch_time",
}


def clocked_by(shape: Shape, lines: Sequence[Read]) -> Shape | None:
    """Give a shape whose nameless clock is read as one, where nothing else in its lines tells the time."""
    counter = shape.find("step")
    if counter is None or shape.stamp or len(lines) < LEAST or any(one.role in CLOCKED for one in shape.fields):
        return None
    steps = [counter.value(line.numbers) for line in lines]
    for one in shape.fields:
        if may_be_clock(one) and grows_evenly(steps, [line.numbers[one.at[0]] for line in lines]):
            return replace(shape, fields=tuple(replace(it, role="elapsed") if it is one else it for it in shape.fields))
    return None


def may_be_clock(one: Field) -> bool:
    """Tell a single plain number without a name: `t = 0.3` may be the time of a simulation, `11.2M` a count."""
    nameless = one.role == "nothing" and not one.name
    return nameless and one.scale[0] == 1 and not one.unit and len(one.at) == 1 and one.total_at < 0


def grows_evenly(steps: Sequence[float], texts: Sequence[str]) -> bool:
    """Tell whether a number grows with every step as a clock does: about evenly, and never exactly so."""
    if not all("." in text for text in texts):
        return False
    values = [value_of(text) for text in texts]
    moves = [(b - a, w - v) for (a, v), (b, w) in pairwise(zip(steps, values, strict=True)) if b != a]
    if len(moves) < LEAST - 1 or any(step < 0 or grown <= 0 for step, grown in moves) or values[-1] < 1:
        return False
    slopes = [grown / step for step, grown in moves]
    usual = median(slopes)
    even = sum(usual / EVENLY < slope < usual * EVENLY for slope in slopes)
    exact = all(abs(grown - usual * step) <= 2.5 * half_unit(texts[0]) for step, grown in moves)
    since_start = steps[0] > 0 and 1 / FROM_START < values[-1] / steps[-1] / usual < FROM_START
    return even >= MOST * len(slopes) and not exact and (since_start or len(slopes) >= LEAST_LATE)
