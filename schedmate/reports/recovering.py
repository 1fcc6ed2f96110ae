"""What a loop that restarts at once and holds what fails again would have saved, counted out of the failures."""

import numpy as np

from schedmate.reports.failures import Costs
from schedmate.reports.findings import Recovery
from schedmate.reports.past import Past

NOTICE_H = 0.05
"""From a death to the restart: three minutes for reading, checking and handing in."""
DRAWS = 2000

ALLOWED = 2
"""Failures in a row after which the same thing would have been held."""
ASSUMED = (
    "a failure that a restart helps (by its log's diagnosis, or a lost node) is restarted three minutes after the "
    "death, and waits in the queue as long as it did; the interval is of a bootstrap over failures",
    "what failed twice in a row is held until its owner has looked; the GPU hours are those of the runs that failed "
    "after that, until one completed",
)


def recovery(past: Past, costs: Costs) -> Recovery:
    """Count restarts and holds."""
    helped = costs.failed & past.having("status", "node_fail")
    for place, found in past.found.items():
        if costs.failed[place]:
            helped[place] = found.restart in {"yes", "elsewhere"}
    spared = np.maximum(costs.idle_hours[helped & (costs.idle_hours > 0)] - NOTICE_H, 0.0)
    low = high = total = float(spared.sum())
    if len(spared):
        draw = np.random.default_rng(1)
        weights = draw.poisson(1.0, (DRAWS, len(spared))) if len(spared) <= 5000 else None
        if weights is not None:
            low, high = np.quantile(weights @ spared, (0.05, 0.95)).tolist()
        else:  # so many that their sum is as good as normal
            half = 1.645 * float(np.sqrt(np.square(spared).sum()))
            low, high = total - half, total + half
    held, hours = holds(past, costs)
    return Recovery(
        restarts=len(spared),
        restart_hours=round(total, 2),
        low_hours=round(max(low, 0.0), 2),
        high_hours=round(high, 2),
        held=held,
        held_gpu_hours=round(hours, 2),
    )


def holds(past: Past, costs: Costs) -> tuple[int, float]:
    """Count runs that failed after the same thing had failed twice in a row, and what they took."""
    usable = np.flatnonzero((past.thing != 0) & ~np.isnan(past.over_s))
    order = usable[np.lexsort((past.over_s[usable], past.thing[usable]))]
    if not len(order):
        return 0, 0.0
    things, failed = past.thing[order].tolist(), costs.failed[order].tolist()
    completed = past.having("status", "completed")[order].tolist()
    hours, known = costs.gpu_hours[order].tolist(), None
    row = count = 0
    total = 0.0
    for thing, bad, good, took in zip(things, failed, completed, hours, strict=True):
        row = 0 if thing != known or good else row
        known = thing
        if bad:
            row += 1
            if row > ALLOWED:
                count += 1
                total += took
    return count, total
