"""Compare a loop's speed before and after a moment, robustly: pauses and outliers must not pass for a slowdown."""

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

KEPT = 96

LEAST = 4
"""Steps on either side below which nothing is said."""
NORMAL_95 = 1.96
WORTH_TELLING = 1.2


class Slowdown(NamedTuple):
    """Steps per second before and after a moment; `ratio` is how much longer a step takes, with 95 % confidence."""

    moment_s: float
    before_per_s: float
    after_per_s: float
    ratio: float
    low: float
    high: float

    @property
    def is_slower(self) -> bool:
        """Tell whether the whole interval lies above one."""
        return self.low > 1


class Speed:
    """The last step times and when each was seen, as plain numbers."""

    def __init__(self) -> None:
        self.moments = array("d")
        self.step_times = array("d")

    def add(self, moment_s: float, step_time_s: float) -> None:
        """Keep one step time; the oldest goes."""
        if not (math.isfinite(step_time_s) and step_time_s > 0):
            return
        self.moments.append(moment_s)
        self.step_times.append(step_time_s)
        if len(self.moments) > KEPT:
            del self.moments[0], self.step_times[0]

    def around(self, moment_s: float) -> Slowdown | None:
        """Compare before with after a moment; None while either side has too few steps."""
        place = next((at for at, moment in enumerate(self.moments) if moment > moment_s), len(self.moments))
        return compare(moment_s, self.step_times[:place], self.step_times[place:])

    def change(self) -> Slowdown | None:
        """Find the moment since which steps take clearly longer or shorter; None when the pace is even."""
        best: Slowdown | None = None
        for place in range(LEAST * 2, len(self.moments) - LEAST * 2 + 1, 2):
            before, after = self.step_times[:place], self.step_times[place:]
            found = compare(self.moments[place], before, after) if is_clear(before, after) else None
            if found is None:
                continue
            if best is None or abs(math.log(found.ratio)) > abs(math.log(best.ratio)):
                best = found
        if best is None or abs(math.log(best.ratio)) < math.log(WORTH_TELLING):
            return None
        return best

    def stays_slower(self, change: Slowdown, ratio: float, least_s: float) -> bool:
        """Tell whether steps take so much longer still, and have done so for a while: what passes is a pause."""
        newest = min(self.step_times[-LEAST:])
        return self.moments[-1] - change.moment_s >= least_s and newest * change.before_per_s >= ratio


def is_clear(before: Sequence[float], after: Sequence[float]) -> bool:
    """Tell whether the interval of `compare` leaves one out, by counting pairs: a tenth of the work of forming all."""
    ordered, pairs = sorted(before), len(before) * len(after)
    low, high = ranks_of_interval(len(before), len(after))
    shorter_at_most = pairs - sum(bisect_left(ordered, later) for later in after)
    shorter = pairs - sum(bisect_right(ordered, later) for later in after)
    return shorter_at_most <= low or shorter > high


def ranks_of_interval(n: int, m: int) -> tuple[int, int]:
    """Say which of all pairs, in the order of their ratios, bound the interval."""
    spread = NORMAL_95 * math.sqrt(n * m * (n + m + 1) / 12)
    return max(0, math.floor(n * m / 2 - spread)), min(n * m - 1, math.ceil(n * m / 2 + spread))


def compare(moment_s: float, before: Sequence[float], after: Sequence[float]) -> Slowdown | None:
    """Estimate the ratio of step times by all pairs (Hodges and Lehmann), its interval by the ranks of those pairs."""
    if len(before) < LEAST or len(after) < LEAST:
        return None
    shifts = sorted(math.log(later / earlier) for earlier in before for later in after)
    low, high = ranks_of_interval(len(before), len(after))
    ratio = math.exp(median(shifts))
    return Slowdown(
        moment_s, 1 / median(before), 1 / median(after), ratio, math.exp(shifts[low]), math.exp(shifts[high])
    )
