"""Tell whether times that rise with the counter are those of a clock that runs, or each step's own."""

import itertools
import math
from collections.abc import Sequence
from statistics import median

from schedmate.readers.progress.step_time.usual import usual

ANEW = 0.5
"""A clock that falls to less than this part of itself has begun anew."""
WAVERS = 0.5
"""What is left of all that times rise and fall is at least this part of it, where they are those of a clock."""
MANY = 6
"""Times that rise by chance are fewer."""
BEFORE_PASSES = 3.0

LONG_BEFORE, UNEVEN = 20.0, 1.5
"""How many steps before the first one a clock would have begun, and how uneven its steps be, that is none."""


SLOW, ABSURD = 1.5, 25.0
"""By how much the times of reports may grow by chance, and how much likelier they are than such a clock's steps."""


def onward(spent: float, wrap: float) -> float:
    """Give the seconds between two readings of a clock that starts again at midnight."""
    return spent + wrap if spent < 0 and wrap and spent + wrap < wrap / 2 else spent


def runs_on(points: Sequence[tuple[float, ...]], wrap: float = 0) -> bool:
    """Tell whether a clock, or what is called total or elapsed, is that: it does not fall while the counter rises."""
    spent = [onward(end - start, wrap) for (step, start), (later, end) in itertools.pairwise(points) if later > step]
    return sum(one < 0 for one in spent) <= max(1, len(spent) // 4)


def elapses(points: Sequence[tuple[float, ...]], passes: bool = False, is_named: bool = False) -> bool:
    """Tell whether what is called elapsed runs on; it may begin anew, and seldom falls otherwise.

    Times without a name may be those of reports, though they rise.
    """
    spent = [(start, end) for (step, start), (later, end) in itertools.pairwise(points) if later > step]
    return (
        runs_on(points)
        and not each_anew(points, passes)
        and not (not is_named and len(spent) < MANY and is_each_reports(points))
        and sum(start > end > ANEW * start for start, end in spent) <= len(spent) // 4
        and not wavers(spent)
    )


def wavers(spent: Sequence[tuple[float, float]]) -> bool:
    """Tell times that rise about as much as they fall: a clock goes on all the same where lines came out of order."""
    moves = [end - start for start, end in spent if end > ANEW * start]
    return sum(moves) < WAVERS * sum(map(abs, moves))


def is_each_reports(points: Sequence[tuple[float, ...]]) -> bool:
    """Tell few times of reports that rise by chance: as a clock they had run long before, with steps far too short."""
    pairs = [(one, other) for one, other in itertools.pairwise(points) if other[0] > one[0]]
    if not pairs:
        return False
    stride = median(later - step for (step, _), (later, _) in pairs)
    pace = median(abs(end - start) / (later - step) for (step, start), (later, end) in pairs)
    least, most = min(spent for _, spent in points), max(spent for _, spent in points)
    if stride <= 1 or pace <= 0 or least <= 0 or most > SLOW * least:
        return False
    is_late = least > BEFORE_PASSES * max(1.0, points[0][0]) * pace
    return is_late and usual(least / stride) - usual(pace) > math.log(ABSURD)


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
