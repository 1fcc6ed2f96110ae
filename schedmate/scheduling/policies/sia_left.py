"""What Sia makes of how much jobs still have to do, where they tell it; by itself it ranks by goodput alone.

A move is worth the less the more of the time to the end it spends on loading, and who is soon done weighs more, within
bounds, so that nobody starves. Whoever tells nothing weighs 1, and is moved as published.
"""

from collections.abc import Sequence
from statistics import median

import numpy as np
import numpy.typing as npt

from schedmate.clusters.elastic import Configurations, Elastic

Floats = npt.NDArray[np.float64]

POWER = 0.5
"""How fast a job's weight falls with what it has left."""
MOST = 3.0
"""The greatest weight; the least is one over it."""
NOTHING = 1e-4


def left_s(spec: Elastic, shapes: Configurations, now_s: float) -> Floats | None:
    """Give the seconds of steps to the end in each shape, infinite out of reach; None where nobody knows the end."""
    left, goodputs = spec.work_left(now_s), spec.goodputs(shapes)
    if left is None or goodputs is None or not (goodputs > 0).any():
        return None
    seconds = np.full(len(goodputs), np.inf)
    np.divide(max(left, NOTHING), goodputs, out=seconds, where=goodputs > 0)
    return seconds


def part_in_steps(left: Floats | None, restart_s: float) -> Floats | float:
    """Give which part of the time to its end a job would not load, once moved to a shape; 1 if nobody knows its end."""
    return 1.0 if left is None else np.asarray(1.0 / (1.0 + restart_s / left))


def weigh(left: Sequence[Floats | None]) -> list[float]:
    """Weigh jobs by what they have left where they are slowest, against the median of those who tell."""
    longest = [None if one is None else float(one[np.isfinite(one)].max()) for one in left]
    known = [one for one in longest if one is not None]
    middle = median(known) if known else 1.0
    return [1.0 if one is None else min(max((middle / one) ** POWER, 1 / MOST), MOST) for one in longest]


def weighed(cost: Floats, unmoved: Floats, weight: float, unassigned: float) -> Floats:
    """Weigh what a job gains over going without; what its moves cost weighs no less than 1, however long it has left.

    `unmoved` are the costs as if no move were held back. A long job's seconds of loading count as much as any.
    """
    reachable = np.isfinite(cost)
    weighed_cost = np.full(len(cost), np.inf)
    gained, moving = unassigned - unmoved[reachable], cost[reachable] - unmoved[reachable]
    weighed_cost[reachable] = unassigned - weight * gained + max(weight, 1.0) * moving
    return weighed_cost
