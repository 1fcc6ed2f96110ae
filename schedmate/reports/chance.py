"""Counts beside what chance would give: exact Poisson tails and intervals, and many comparisons at once."""

import math
from collections.abc import Callable, Sequence

SMALL = 1e-17

STEPS = 60
"""Halvings of an interval: beyond these a double tells no more."""


def tail(count: int, expected: float) -> float:
    """Give the probability of so many or more, where so many are expected."""
    if count <= 0:
        return 1.0
    if expected <= 0:
        return 0.0
    if expected > count:
        return max(0.0, 1.0 - summed(count - 1, expected, down=True))
    return min(1.0, summed(count, expected, down=False))


def summed(count: int, expected: float, down: bool) -> float:
    """Add the probabilities from one count on, upwards or downwards, until nothing is added any more."""
    term = math.exp(count * math.log(expected) - expected - math.lgamma(count + 1))
    total, at = term, count
    while term > SMALL * total:
        term *= at / expected if down else expected / (at + 1)
        at += -1 if down else 1
        total += term
        if at < 0:
            break
    return total


def interval(count: int, level: float = 0.95) -> tuple[float, float]:
    """Give Garwood's exact interval of what is expected, where so many came."""
    each = (1 - level) / 2
    most = count + 20.0 + 10 * math.sqrt(count)
    low = halved(lambda m: tail(count, m) < each, most) if count else 0.0
    return low, halved(lambda m: 1 - tail(count + 1, m) > each, most)


def halved(below: Callable[[float], bool], most: float) -> float:
    """Find where a condition that holds for small values ends."""
    low, high = 0.0, most
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return (low + high) / 2


def together(chances: Sequence[float]) -> list[float]:
    """Give Benjamini and Hochberg's q for each p: naming all up to a q, at most that share is named wrongly."""
    order = sorted(range(len(chances)), key=lambda place: -chances[place])
    least, found = 1.0, [1.0] * len(chances)
    for rank, place in zip(range(len(order), 0, -1), order, strict=True):
        least = min(least, chances[place] * len(chances) / rank)
        found[place] = least
    return found
