"""Find the time of a step in a mean over all of them, that is printed as if it were one step's."""

import math
from collections.abc import Sequence
from statistics import correlation

LEAST_MEANS = 5
FALLEN, CURVE = 1.25, 0.99
"""By how much a mean has fallen where it matters, and how well it follows 1 / step."""


def running_mean(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Undo a mean over all steps since the first, which a slow start weighs on: give that of the later half's own.

    Such a mean is a constant and a part that shrinks as 1 / step does; nothing else falls by so much along that curve.
    """
    start = max((at for at in range(1, len(pairs)) if pairs[at][0] <= pairs[at - 1][0]), default=0)
    own = [pair for pair in pairs[start:] if pair[0] > 0 and 0 < pair[1] < math.inf]
    if len(own) < LEAST_MEANS or own[0][1] < FALLEN * own[-1][1]:
        return None
    if correlation([1 / step for step, _ in own], [value for _, value in own]) < CURVE:
        return None
    (step, value), (last, newest) = own[len(own) // 2], own[-1]
    since = (newest * last - value * step) / (last - step)
    return since if 0 < since <= newest else None
