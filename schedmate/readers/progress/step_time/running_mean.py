"""Find the time of a step in a mean over all of them, that is printed as if it were one step's."""

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import correlation

LEAST_MEANS, KNOWN_MEANS = 5, 3

FALLEN, CURVE = 1.25, 0.99
"""By how much a mean has fallen where it matters, and how well it follows 1 / step."""
SETTLES, STEADY, SETTLED = 12, 1.05, 0.6
"""In how many reports a pass settles at most, how little a time may rise meanwhile, and to what part of the first."""


def running_mean(pairs: Sequence[tuple[float, float]], least: int = LEAST_MEANS) -> float | None:
    """Undo a mean over all steps since the first, which a slow start weighs on: give that of the later half's own.

    Such a mean is a constant and a part that shrinks as 1 / step does; nothing else falls by so much along that curve.
    Where values are known to be means, fewer of them will do.
    """
    start = max((at for at in range(1, len(pairs)) if pairs[at][0] <= pairs[at - 1][0]), default=0)
    own = [pair for pair in pairs[start:] if pair[0] > 0 and 0 < pair[1] < math.inf]
    if len(own) < least or own[0][1] < FALLEN * own[-1][1]:
        return None
    if correlation([1 / step for step, _ in own], [value for _, value in own]) < CURVE:
        return None
    (step, value), (last, newest) = own[len(own) // 2], own[-1]
    since = (newest * last - value * step) / (last - step)
    return since if 0 < since <= newest else None


def settling(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Give the newest time where a pass has only begun, and its times fall from report to report."""
    start = max((at for at in range(1, len(pairs)) if pairs[at][0] < pairs[at - 1][0]), default=0)
    own = [value for _, value in pairs[start:]]
    if not KNOWN_MEANS <= len(own) <= SETTLES or min(own) <= 0 or own[-1] > SETTLED * own[0]:
        return None
    return own[-1] if all(later <= STEADY * one for one, later in pairwise(own)) else None
