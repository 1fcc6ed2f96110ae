"""Read a bare `time`: of a step, since the last report, or since the start, as counters and other evidence say."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from schedmate.counts import how_many
from schedmate.readers.progress.rows.rows import Rows
from schedmate.readers.progress.step_time.evidence import Scales, StepTimeEvidence, mostly
from schedmate.readers.progress.step_time.newest_time import newest_time
from schedmate.readers.progress.step_time.slopes import sloped, stride_of
from schedmate.readers.progress.step_time.sources import AGREE, distance, is_elapsing, middle, steady
from schedmate.readers.progress.step_time.usual import usual

SURE_CLOCK = 0.8

OF_A_PASS, LONGER = 0.82, 3.0
"""What is believed of the time that a pass tells, where the clock between passes runs at most so much longer."""
RISES, HOUR_S, TINY, ABSURD = 3, 3600.0, 1e-3, 25.0
"""Times that rise so often in a row, or by so little of hours, are a clock's if it makes steps so much more usual."""
ROUND = 5
"""Programs report every 10, 50 or 100 steps: another count that stands alone tells nothing of how often."""
HUNDRED = 100
"""What counts from nought reports at 99 and 199."""
LEAST_BATCH, MOST_BATCH, NEARLY = 16, 4096, 0.015

WHOLE = "whole numbers without a unit are called a time: of what is not said"

SLOW = 1.5
"""By how much a step's own time may grow while a run goes on."""
LEAST_RATIO, IN_STEP = 2.0, 0.25
"""Of how many times as many steps a report is to be that tells by its time, and how near it comes to as many times."""
STEADY_RUNS = 6
"""Times that grow with every one of so many reports are those of a clock, however little they grow."""


def is_cumulative(points: Sequence[tuple[float, ...]]) -> bool:
    """Tell whether times grow with the counter, as a clock that runs from the start does."""
    runs = grown = 0
    for (step, time), (later_step, later_time) in itertools.pairwise(points):
        if later_step > step:
            if later_time < time:
                return False
            runs += 1
            grown += later_time > time
    if runs < 1 or points[-1][0] <= points[0][0]:
        return False
    first, last = points[0], points[-1]
    slope = (last[1] - first[1]) / (last[0] - first[0])
    if slope > 0 and last[0] >= 4 and abs(math.log(last[1] / last[0] / slope)) < math.log(1.2):
        return True  # it has grown as fast as it grows, from the start
    if runs >= 4:
        return last[1] > first[1] * 1.2 or (runs >= STEADY_RUNS and grown >= 0.9 * runs)
    return (
        first[0] > 0
        and first[1] > 0
        and 0.7 < (last[1] / first[1]) / (last[0] / first[0]) < 1.3
        and last[0] / first[0] > 1.25
        and (last[1] / first[1]) ** 2 > last[0] / first[0]  # nearer to growing as the counter does than to staying
    )


def told(rows: Rows, scales: Scales, references: Sequence[StepTimeEvidence]) -> tuple[StepTimeEvidence | None, str]:
    """Read a bare `time`: per step, since the last report, or since the start, as the other evidence says."""
    column = "time"
    points = rows.pairs("step", column)
    if not points and not is_elapsing(rows.pairs("step", "elapsed"), scales):
        column = "elapsed"
        points = rows.pairs("step", column)
    half = scales.half_units.get(column, 0)
    found = middle([time for _, time in points], half)
    if not found:
        return None, ""
    each = by_strides(points, scales.total) if scales.counted else None
    if each is not None:
        return StepTimeEvidence("time, per report", each, found[1], SURE_CLOCK, column), ""
    is_clock, running = of_a_clock(points, half, column, scales, references)
    if is_clock:
        return running, ""
    stride = reported_every(points, scales.counts_passes)
    most = median(steady([time for _, time in points]))
    news = None if newest_time(steady([time for _, time in points]), most) is None else most
    per_step = StepTimeEvidence("time, per step", *found, 0.75, column, news, 0.75)
    per_report = replace(per_step, source="time, per report", value=found[0] / stride, usual=news and news / stride)
    if scales.per_report:
        alone = scales.counts_passes or len({step for step, _ in points}) < 2
        if not (scales.time_has_unit or references or any(time % 1 for _, time in points)):
            return None, WHOLE
        note = f"{found[0]:.6g} s since the last report, of how many steps is not said"
        value, width = middle(by_own_stride(points), half / stride) or (per_report.value, per_report.width)
        return (None, note) if alone else (replace(per_report, value=value, width=width, trust=0.9), "")
    for one in readings(per_step, per_report if stride > 1 else None, scales, references):
        if any(agrees(told_now, other) for told_now in (one, mostly(one)) for other in references):
            return replace(one, trust=0.9), ""
    if scales.counts_passes and scales.time_has_unit and any(holds(other, per_step) for other in references):
        return replace(per_step, trust=OF_A_PASS), ""
    if stride <= 1 or scales.is_meter or scales.time_in_ms or starts_alike(points, found[0], stride):
        return per_step, ""
    fed = by_what_is_fed(rows, per_step, per_report, stride)
    if fed is not None or scales.time_has_unit or references or any(time % 1 for _, time in points):
        return (fed, "") if fed else by_plausibility(per_step, per_report, references, stride)
    return None, WHOLE


def by_own_stride(points: Sequence[tuple[float, ...]]) -> list[float]:
    """Share the time of each report among the steps since the last one, however many those were."""
    return [time / (step - before) for (before, _), (step, time) in itertools.pairwise(points) if step > before]


def readings(
    per_step: StepTimeEvidence,
    per_report: StepTimeEvidence | None,
    scales: Scales,
    references: Sequence[StepTimeEvidence],
) -> list[StepTimeEvidence]:
    """List what a time may be, that of a step or of all since the last report, in each unit it may have."""
    found = [per_step] if per_report is None else [per_step, per_report]
    if scales.time_has_unit:
        return found
    found += [replace(in_unit(one, "ms", 1e-3), trust=0.6) for one in found]
    if scales.counted and any(one.trust >= SURE_CLOCK for one in references):
        found.append(replace(in_unit(per_step, "min", 60.0), trust=0.6))
    return found


def in_unit(one: StepTimeEvidence, unit: str, scale: float) -> StepTimeEvidence:
    """Read a time in another unit."""
    usual_s = None if one.usual is None else one.usual * scale
    return replace(one, source=f"{one.source}, in {unit}", value=one.value * scale, usual=usual_s)


def of_a_clock(
    points: Sequence[tuple[float, ...]],
    half: float,
    column: str,
    scales: Scales,
    references: Sequence[StepTimeEvidence],
) -> tuple[bool, StepTimeEvidence | None]:
    """Tell whether times are those of a clock that runs, and read the step's time from it where steps are counted."""
    segment = last_segment(points)
    if len(segment) >= 2 and is_cumulative(segment):
        running = sloped(points, half, "elapsed time", 0.8, column)
        if running is not None and hardly_grows(segment, running.value):
            return False, None
        if not scales.is_meter or (running and any(agrees(running, other) for other in references)):
            return True, running if scales.counted else None
    if not scales.counted or scales.per_report:
        return False, None
    if goes_on(points):
        return True, sloped(points, half, "elapsed time", 0.8, column)
    found = middle([time for _, time in points], half)
    late = began_before(points, half, found[0], stride_of(points)) if found and not scales.is_meter else None
    return late is not None, late


def by_strides(points: Sequence[tuple[float, ...]], total: float | None) -> float | None:
    """Give the time of a step where reports of more steps took as much longer: then each time is that of its report."""
    reports: dict[float, list[float]] = {}
    often = stride_of(points)
    for (step, _), (later, time) in itertools.pairwise(points):
        ends_pass = total is not None and later < step < total <= step + often
        stride = later - step + (total if total and ends_pass else 0.0)
        if stride > 0 and time > 0:
            reports.setdefault(stride, []).append(time)
    often_seen = {
        stride: times for stride, times in reports.items() if len(times) > 1 and max(times) < SLOW * min(times)
    }
    short, long = min(often_seen, default=0.0), max(often_seen, default=0.0)
    if long < LEAST_RATIO * short or not short:
        return None
    slower = median(reports[long]) / median(reports[short])
    if abs(slower / (long / short) - 1) > IN_STEP:
        return None
    return median(reports[long]) / long


def hardly_grows(segment: Sequence[tuple[float, ...]], slope_s: float) -> bool:
    """Tell times of steps that grow slow: as a clock they had run long before, and steps would be far from usual."""
    first, last = segment[0][1], segment[-1][1]
    return first <= last < SLOW * first and usual(last) - usual(slope_s) > math.log(ABSURD)


def goes_on(points: Sequence[tuple[float, ...]]) -> bool:
    """Tell a clock of the whole run, however coarse: it goes on while the counter begins anew with each pass."""
    pairs = list(itertools.pairwise(points))
    if any(later[1] < earlier[1] for earlier, later in pairs):
        return False
    return any(later[0] < earlier[0] for earlier, later in pairs) and len({time for _, time in points}) >= STEADY_RUNS


def reported_every(points: Sequence[tuple[float, ...]], passes: bool = False) -> float:
    """Give how many steps lie between reports; of a single one that only shows if its number is a round one.

    Passes are told of one by one.
    """
    stride = stride_of(points)
    if len({step for step, _ in points}) > 1:
        return stride
    if not passes and (stride + 1) % HUNDRED == 0:
        return stride + 1
    return 1.0 if passes or stride % ROUND else stride


def began_before(
    points: Sequence[tuple[float, ...]], half: float, usual_s: float, stride: float
) -> StepTimeEvidence | None:
    """Read times that only rise as a clock that began long before, or a time of day, where no step takes so long."""
    moves = [later - time for (step, time), (after, later) in itertools.pairwise(points) if after != step]
    told = len(moves) >= RISES or (bool(moves) and usual_s > HOUR_S and max(moves) < TINY * usual_s)
    if not told or min(moves) < 0:
        return None
    running = sloped(points, half, "elapsed time", 0.8, "time")
    if running is None or usual(running.value) - max(usual(usual_s), usual(usual_s / stride)) < math.log(ABSURD):
        return None
    return running


def agrees(one: StepTimeEvidence, other: StepTimeEvidence) -> bool:
    """Tell whether a reading lies near other evidence."""
    return distance(one, other) < math.log(AGREE + other.width)


def holds(clock: StepTimeEvidence, passing: StepTimeEvidence) -> bool:
    """Tell whether a clock that runs between passes may hold an evaluation besides what is told of each pass."""
    return passing.value < clock.value < passing.value * LONGER


def starts_alike(points: Sequence[tuple[float, ...]], usual: float, stride: float) -> bool:
    """Tell whether the report after the first step of each pass takes as long as others: then it is that of a step."""
    first = [time for step, time in points if step <= 1]
    return bool(first) and min(first) > usual * max(0.4, 3 / stride)


def by_what_is_fed(
    rows: Rows, per_step: StepTimeEvidence, per_report: StepTimeEvidence, stride: float
) -> StepTimeEvidence | None:
    """Choose the reading under which a rate of samples beside the time makes a batch as batches are."""
    rate = middle(rows.column("throughput"), 0)
    if rate is None:
        return None
    batch = rate[0] * per_step.value
    whole, part = is_batch(batch), is_batch(batch / stride)
    if whole != part:
        return replace(per_step if whole else per_report, trust=0.7)
    return replace(per_step, trust=0.6) if not whole and batch / stride < LEAST_BATCH <= batch <= MOST_BATCH else None


def is_batch(size: float) -> bool:
    """Tell a power of two, as batches mostly are."""
    near = 2.0 ** round(math.log2(size)) if size > 0 else 0.0
    return LEAST_BATCH <= near <= MOST_BATCH and abs(size - near) < NEARLY * near


def by_plausibility(
    per_step: StepTimeEvidence, per_report: StepTimeEvidence, references: Sequence[StepTimeEvidence], stride: float
) -> tuple[StepTimeEvidence | None, str]:
    """Choose the reading nearer to other evidence or to what steps usually take; close calls stay open."""
    both = (per_step, per_report)
    if references:
        gaps = [min(distance(one, other) for other in references) for one in both]
        if min(gaps) < math.log(3) and abs(gaps[0] - gaps[1]) > math.log(2):
            return replace(both[gaps.index(min(gaps))], trust=0.6), ""
    odds = [usual(one.value) for one in both]
    if abs(odds[0] - odds[1]) > math.log(5):
        return replace(both[odds.index(max(odds))], trust=0.5), ""
    often = how_many(round(stride), "step")
    return None, f"a time of {per_step.value:.6g} s is printed every {often}: per step or per report"


def last_segment(points: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Give the points since the counter last started again."""
    start = 0
    for place in range(1, len(points)):
        if points[place][0] < points[place - 1][0]:
            start = place
    segment = list(points[start:])
    return segment if len(segment) >= 3 or start == 0 else list(points[:start])
