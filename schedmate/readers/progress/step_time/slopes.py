"""Divide the time that a clock shows between reports by the steps that were counted meanwhile."""

import itertools
import math
from collections.abc import Sequence
from statistics import median

from schedmate.readers.progress.step_time.evidence import StepTimeEvidence
from schedmate.readers.progress.step_time.running_clock import onward

RECENT = 24

ALIKE, NEAR, CHANGED = 4, 1.2, 2.0
"""So many of the newest paces so near to each other, and so far from the middle of all, are those of now."""


def differences(points: Sequence[tuple[float, ...]], wrap: float = 0) -> list[tuple[float, float]]:
    """Give (steps, seconds) between neighbours, parted where the counter or the clock starts again.

    Where the counter stands still, as an epoch's does over many lines, time is counted from the first of them.
    """
    found = []
    firsts = [next(same) for _, same in itertools.groupby(points, key=lambda point: point[0])]
    for (step, clock), (later_step, later_clock) in itertools.pairwise(firsts):
        steps, spent = later_step - step, later_clock - clock
        spent = onward(spent, wrap)
        if steps > 0 and spent >= 0:
            found.append((steps, spent))
    return found


def gathered(pieces: Sequence[tuple[float, float]], least: float, by: int = 1) -> list[tuple[float, float]]:
    """Join neighbours until each piece is long against the clock's resolution, or, by 0, has so many steps."""
    joined: list[tuple[float, float]] = []
    steps = spent = 0.0
    for piece in pieces:
        steps, spent = steps + piece[0], spent + piece[1]
        if (steps, spent)[by] >= least:
            joined.append((steps, spent))
            steps = spent = 0.0
    if joined and steps:  # a piece ends as soon as it is long: what is left over belongs to what came before
        joined[-1] = (joined[-1][0] + steps, joined[-1][1] + spent)
    elif steps:
        joined.append((steps, spent))
    return joined


def sloped(
    points: Sequence[tuple[float, ...]], half: float, source: str, trust: float, column: str, wrap: float = 0
) -> StepTimeEvidence | None:
    """Divide clock time by steps between rows; the middle piece is free of warm-up and of pauses."""
    pieces = differences(points, wrap)[-RECENT:]
    if len(pieces) >= 3:
        pieces = pieces[1:]
    whole = sum(spent for _, spent in pieces)
    joined = [piece for piece in gathered(pieces, 20 * half) if piece[1] > 0]
    if not joined or whole <= 0:
        return None
    slopes = [(spent / steps, steps) for steps, spent in joined]
    value = new_pace(slopes) or weighted_middle(sorted(slopes))
    typical = median(spent for _, spent in joined)
    width = 2 * half / typical / math.sqrt(len(joined))
    return StepTimeEvidence(source, value, width, trust, column)


def new_pace(slopes: Sequence[tuple[float, float]]) -> float | None:
    """Give the middle of the newest values where they are alike, and lie far from that of all: the pace has changed."""
    newest, usual = slopes[-ALIKE:], weighted_middle(sorted(slopes))
    least, most = min(newest)[0], max(newest)[0]
    value = weighted_middle(sorted(newest))
    is_new = len(newest) == ALIKE and most < NEAR * least and not 1 / CHANGED < value / usual < CHANGED
    return value if is_new else None


def weighted_middle(slopes: Sequence[tuple[float, float]]) -> float:
    """Give the median of values, each counted by its weight."""
    weight, passed = sum(steps for _, steps in slopes), 0.0
    for at, (value, steps) in enumerate(slopes):
        passed += steps
        if passed == weight / 2:
            return (value + slopes[at + 1][0]) / 2
        if passed > weight / 2:
            return value
    return slopes[-1][0]


def stride_of(points: Sequence[tuple[float, ...]]) -> float:
    """Give how many steps lie between reports; one report alone lets its counter stand for them."""
    strides = [later[0] - earlier[0] for earlier, later in itertools.pairwise(points) if later[0] > earlier[0]]
    return median(strides) if strides else max(1.0, points[-1][0])
