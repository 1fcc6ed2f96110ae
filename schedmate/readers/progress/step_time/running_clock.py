"""Tell whether times that rise with the counter are those of a clock that runs, or each step's own."""

import itertools
from collections.abc import Sequence
from statistics import median

ANEW = 0.5
"""A clock that falls to less than this part of itself has begun anew."""
MANY = 6
"""Times that rise by chance are fewer."""
BEFORE_PASSES = 3.0
LONG_BEFORE, UNEVEN = 20.0, 1.5
"""How many steps before the first one a clock would have begun, and how uneven its steps be, that is none."""


def onward(spent: float, wrap: float) -> float:
    """Give the seconds between two readings of a clock that starts again at midnight."""
    return spent + wrap if spent < 0 and wrap and spent + wrap < wrap / 2 else spent


def runs_on(points: Sequence[tuple[float, ...]], wrap: float = 0) -> bool:
    """Tell whether a clock, or what is called total or elapsed, is that: it does not fall while the counter rises."""
    spent = [onward(end - start, wrap) for (step, start), (later, end) in itertools.pairwise(points) if later > step]
    return sum(one < 0 for one in spent) <= max(1, len(spent) // 4)


def elapses(points: Sequence[tuple[float, ...]], passes: bool = False) -> bool:
    """Tell whether what is called elapsed runs on; it may begin anew, and seldom falls otherwise."""
    spent = [(start, end) for (step, start), (later, end) in itertools.pairwise(points) if later > step]
    return (
        runs_on(points)
        and not each_anew(points, passes)
        and sum(start > end > ANEW * start for start, end in spent) <= len(spent) // 4
    )


def each_anew(points: Sequence[tuple[float, ...]], passes: bool = False) -> bool:
    """Tell few times that rise by chance: each is a step's own, as all are about the same, but not what they rise by.

    A clock that began long before the first step would rise by steps that are as even as its values. Before the first
    of all passes little time is spent.
    """
    points = newest_run(points) if passes else points
    pairs = [(one, other) for one, other in itertools.pairwise(points) if other[0] > one[0]]
    moves = [(end - start) / (later - step) for (step, start), (later, end) in pairs]
    if not 2 <= len(moves) < MANY or points[-1][0] - points[0][0] != len(moves):
        return False
    if passes:
        return points[0][1] > BEFORE_PASSES * max(1.0, points[0][0]) * median(map(abs, moves))
    uneven = min(moves) >= 0 and max(moves) > UNEVEN * min(moves)
    return uneven and points[0][1] > LONG_BEFORE * max(1.0, points[0][0]) * median(moves)


def newest_run(points: Sequence[tuple[float, ...]]) -> Sequence[tuple[float, ...]]:
    """Give the points since the counter last fell, where these are enough to show what the times do."""
    start = max((at for at in range(1, len(points)) if points[at][0] < points[at - 1][0]), default=0)
    return points[start:] if len(points) - start > 2 else points
