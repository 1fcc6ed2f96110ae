"""Say how much time is left, as an interval: by the loop's own pace, or by the estimate that a log prints."""

import math
from statistics import median, quantiles
from typing import NamedTuple

from schedmate.readers.progress.loop.ends import Ends
from schedmate.readers.progress.loop.loop import TrainingLoop
from schedmate.readers.progress.loop.passes import left_by_time, tells_of_the_run, way_ahead
from schedmate.readers.progress.step_time.step_time import Verdict

LEAST = 4

PACE, ELSEWHERE, PRINTED = 0.05, 0.1, 0.25
"""How far off, at the least, the pace may be, an end that the log does not tell, and an estimate that it prints."""
ALL = 99.5
"""Per cent from which on nothing is left."""


class Remaining(NamedTuple):
    """Seconds that are left, between which bounds, and the end that was counted to."""

    seconds: float | None = None
    low: float | None = None
    high: float | None = None
    total: float | None = None


def remaining(loop: TrainingLoop, verdict: Verdict, ends: Ends, step_time: float | None) -> Remaining:
    """Count what is left by the loop's own pace; where its end is not known, take the estimate that is printed."""
    found = loop.rows.last("step") if loop.counter_role else None
    pace = verdict.per_count_s or step_time
    if found is not None and pace:
        way = way_ahead(loop, ends, found[0])
        if way is not None and not (way.left <= 0 and goes_on(loop)):
            relative = off(loop, verdict) + (0.0 if way.told else ELSEWHERE)
            return bounded(way.left * pace, relative, way.total, way.doubt * pace, loop.passes.stride * pace)
    printed = loop.rows.last("eta")
    if (
        printed is None
        or not (printed[0] > 0 or is_over(loop))
        or (found is not None and not tells_of_the_run(loop, found[0], pace, printed[0]))
    ):
        return by_passes_ended(loop, ends)
    return bounded(printed[0], PRINTED, None)


def goes_on(loop: TrainingLoop) -> bool:
    """Tell whether a line of its own names a time that remains, although the counter is full: it was a pass's."""
    printed = loop.rows.last("eta")
    return bool(loop.clock_names.get("eta")) and printed is not None and printed[0] > 0


def by_passes_ended(loop: TrainingLoop, ends: Ends) -> Remaining:
    """Count the passes to come by what the last one took, where its own line told that."""
    left = left_by_time(loop, ends)
    if left is None or loop.passes.ended is None:
        return Remaining()
    passes, unsure, is_told = left
    took_s = loop.passes.ended[1]
    return bounded(passes * took_s, ELSEWHERE if is_told else 2 * ELSEWHERE, None, unsure * took_s)


def is_over(loop: TrainingLoop) -> bool:
    """Tell whether all is done, by the per cent that are printed."""
    share = loop.rows.last("percent")
    return share is not None and share[0] >= ALL


def off(loop: TrainingLoop, verdict: Verdict) -> float:
    """Give how far the pace may be off, relatively: what its digits leave open, and how much it wavers."""
    width = verdict.chosen.width if verdict.chosen else 0.0
    values = [value for value in loop.rows.column("step_time") if math.isfinite(value) and value > 0]
    if len(values) < LEAST:
        return PACE + width
    tenths = quantiles(values, n=10)
    return PACE + max(width, (tenths[-1] - tenths[0]) / 2 / median(values) / math.sqrt(len(values)))


def bounded(
    seconds: float, relative: float, total: float | None, doubt_s: float = 0.0, since_s: float = 0.0
) -> Remaining:
    """Put bounds around what is left; since the last line so much may have been done that nobody has heard of."""
    if not math.isfinite(seconds):
        return Remaining()
    low, high = seconds * max(0.0, 1 - relative) - doubt_s - since_s, seconds * (1 + relative) + doubt_s
    return Remaining(round(seconds, 3), round(max(0.0, low), 3), round(high, 3), total)
