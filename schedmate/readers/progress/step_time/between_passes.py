"""Count stamped steps within passes and across them: what lies between two passes, and whether whole ones do."""

import itertools
import math
from collections.abc import Sequence
from statistics import median

from schedmate.readers.progress.rows.rows import Rows
from schedmate.readers.progress.step_time.evidence import Scales
from schedmate.readers.progress.step_time.slopes import differences

DAY_S = 86400.0

BREAK = (math.nan, math.nan)
"""Stands between points of which the later one does not go on from the one before."""
PACES, FAR_APART, ALIKE = 3, 3.0, 1.3
"""So many paces within passes tell one across them right or wrong: it lies so near to them, or as far as that."""


def within_passes(rows: Rows, points: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
    """Part the passes, between which is an evaluation, where at least half of the steps are counted within them."""
    epochs = [epoch for epoch, stamp in zip(rows.column("epoch"), rows.column("stamp"), strict=True) if stamp == stamp]
    if len(epochs) != len(points) or any(map(math.isnan, epochs)):
        return points
    if any(one[0] == later[0] for one, later in itertools.pairwise(points)):
        return points  # a counter that is told in thousands: when it went on shows over several reports only
    parted: list[tuple[float, float]] = []
    for at, point in enumerate(points):
        parted += [BREAK] if at and math.floor(epochs[at]) != math.floor(epochs[at - 1]) else []
        parted.append(point)
    within, counted = (sum(steps for steps, _ in differences(some, DAY_S)) for some in (parted, points))
    return parted if 2 * within >= counted else points


def across_passes(rows: Rows, scales: Scales) -> list[tuple[float, float]]:
    """Count stamped steps from the start of the run, where whole passes lie between reports."""
    placed = zip(rows.column("epoch"), rows.column("step"), rows.column("stamp"), strict=True)
    told = [one for one in placed if not any(map(math.isnan, one)) and one[0] % 1 == 0]
    skips = any(later[0] > one[0] and later[1] > one[1] for one, later in itertools.pairwise(told))
    if all(epoch == step for epoch, step, _ in told):
        return []  # the counter is that of the passes
    if not scales.total or not skips:
        return []
    points = [(epoch * scales.total + step, stamp) for epoch, step, stamp in told]
    only_rises = sorted(step for _, step, _ in told) == [step for _, step, _ in told]
    return [] if only_rises and not keeps_pace(told, points) else points


def keeps_pace(told: Sequence[tuple[float, float, float]], points: Sequence[tuple[float, float]]) -> bool:
    """Tell whether steps between passes take as long as those within them, if whole passes are counted between.

    A counter that never fell may be that of the run, or one of which the log leaves out where it began anew.
    """
    pairs = list(itertools.pairwise(zip(told, points, strict=True)))
    within = [(far - near, end - start) for (one, (near, start)), (other, (far, end)) in pairs if one[0] == other[0]]
    across = [(one, other) for one, other in pairs if other[0][0] > one[0][0]]
    paces = [spent / steps for steps, spent in within if steps > 0 and spent > 0]
    if len(paces) < PACES or not across:
        return False
    pace = median(paces)
    by_run = [(end[2] - start[2]) / (end[1] - start[1]) / pace for (start, _), (end, _) in across if end[1] > start[1]]
    by_pass = [(end[1] - start[1]) / (end[0] - start[0]) / pace for (_, start), (_, end) in across if end[0] > start[0]]
    return min(by_run, default=0.0) > FAR_APART and all(1 / ALIKE < one < ALIKE for one in by_pass)
