"""Each way to know a step's time: what is printed, what rates say, and what clocks and counters say together."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import median, median_low

from schedmate.readers.progress.rows.newest_run import is_of_a_run_before
from schedmate.readers.progress.rows.rows import Rows
from schedmate.readers.progress.step_time.between_passes import DAY_S, across_passes, within_passes
from schedmate.readers.progress.step_time.evidence import Scales, StepTimeEvidence
from schedmate.readers.progress.step_time.newest_time import newest_time
from schedmate.readers.progress.step_time.pass_mean import newest_mean, one_of_its_unit
from schedmate.readers.progress.step_time.running_clock import elapses, runs_on
from schedmate.readers.progress.step_time.running_mean import KNOWN_MEANS, LEAST_MEANS, running_mean, settling
from schedmate.readers.progress.step_time.slopes import RECENT, differences, gathered, sloped, stride_of

AGREE = 1.3
"""Two ways to know one time agree within this factor, beyond their widths."""

BY_PASSES = "time of an epoch / its steps"
MEAN_OF_PASS = "printed mean of the pass"
SAME = 0.05
LEAP = 128

LEANS = 6
"""Reports in a row after which a time that only rises, or only falls, is that of a clock."""
WAVERS = 4.0
"""How far the quarters of a clock's steps lie apart where none in their middle is like the others."""
UNEVEN = 0.5
"""What is believed of the middle of steps that last so differently: less than of their mean since the start."""
FEW, FAR_APART, WAVERING = 4, 3.0, 0.8
"""So few printed times that lie so far apart are believed so much."""
NEWS = 0.9
"""What is believed of a newest time that lies far from most: more than of a clock that runs between reports."""
DENIED = 0.7
"""What is believed of a rate beside a step's time that says otherwise."""
PAUSED = 10.0
"""So much longer than the first time are only those that hold an evaluation: the first is kept then."""
SCATTER, SCATTERED = 2.0, 0.75
"""So far apart lie the quarters of printed times that are believed less than a clock that runs between them."""
SLOW_START = 1.5
"""So much longer than all others is the first time of every pass that waits for its data."""
FAR_ENOUGH = 0.8
"""Of the longest time that a pass has taken: so much tells how long its steps took."""
PASSING = 1.5
"""A clock that runs through all passes has grown as fast from the start as it grows now, about."""


def steady(values: Sequence[float]) -> list[float]:
    """Leave out what is no time, and the warm-up: the first of several."""
    good = [value for value in values if math.isfinite(value) and value > 0][-RECENT:]
    if not 2 <= len(good) < RECENT:
        return good
    return good if PAUSED * good[0] < min(good[1:]) else good[1:]


def middle(values: Sequence[float], half: float) -> tuple[float, float] | None:
    """Give the median of printed values and its relative width; more values narrow it."""
    good = steady(values)
    if not good:
        return None
    value = median_low(good) if wavers(good) else median(good)  # what comes between lengthens a time, and never cuts it
    value = newest_time(good, value) or value
    return value, half / value / (1 + math.log2(len(good))) if len(set(good)) > 2 else half / value


def printed(rows: Rows, scales: Scales) -> StepTimeEvidence | None:
    """Read the step time as it is printed; the first of each pass waits for what lies between the passes."""
    pairs = rows.pairs("step", "step_time")
    if is_rounded_off([value for _, value in pairs[-RECENT:]]):
        return StepTimeEvidence("printed step time", scales.half_units.get("step_time", 0), 1.0, 0.3, "step_time")
    if scales.means_of_pass and (newest := newest_mean(pairs, scales.total)) is not None:
        return StepTimeEvidence(MEAN_OF_PASS, newest, scales.half_units.get("step_time", 0) / newest, 1.0, "step_time")
    since_start = running_mean(pairs, KNOWN_MEANS if scales.means_of_pass else LEAST_MEANS)
    if since_start is not None:
        return StepTimeEvidence("mean since the start", since_start, 0.2, 0.7, "step_time")
    half = scales.half_units.get("step_time", 0)
    if (settled := settling(pairs)) is not None:
        return StepTimeEvidence("printed step time, as it settles", settled, half / settled, WAVERING, "step_time")
    warm = [value for at, (step, value) in enumerate(pairs) if step > 1 and not (at and step < pairs[at - 1][0])]
    of_nothing = bool(warm) and pairs[0][0] < 1 and PAUSED * pairs[0][1] < min(warm)  # before a step was made
    times = (
        warm if len(warm) > 2 or of_nothing else [*rows.column("step_time"), rows.waiting.get("step_time", math.nan)]
    )
    times = later_in_passes(pairs) or times
    found = one_of_its_unit(middle(times, half), half) if scales.means_of_pass else middle(times, half)
    is_first = bool(pairs) and max(step for step, _ in pairs) <= 1  # it waits for what is made ready
    is_news = found is not None and newest_time(steady(times), median(steady(times))) is not None
    trust = WAVERING if is_first or wavers(steady(times)) else SCATTERED if scatter(steady(times)) else 1.0
    if found is None or not is_news:
        return StepTimeEvidence("printed step time", *found, trust, "step_time") if found else None
    now = trust if is_first else NEWS
    return StepTimeEvidence("printed step time", *found, now, "step_time", median(steady(times)), trust)


def later_in_passes(pairs: Sequence[tuple[float, float]]) -> list[float]:
    """Give the few times that are not the first of a pass, where each first one waits for data and is far longer."""
    begins = [at == 0 or step < pairs[at - 1][0] for at, (step, _) in enumerate(pairs)]
    firsts = [value for (_, value), is_first in zip(pairs, begins, strict=True) if is_first]
    later = [value for (_, value), is_first in zip(pairs, begins, strict=True) if not is_first]
    is_slow = 0 < len(later) < FEW and len(firsts) > 1 and min(firsts) > SLOW_START * max(later) > 0
    return later if is_slow else []


def is_rounded_off(values: Sequence[float]) -> bool:
    """Tell times too short for the digits that are printed: `12/12 - 0s` says no more than less than one tick."""
    return bool(values) and values[-1] == 0 and 2 * sum(value == 0 for value in values) >= len(values)


def wavers(values: Sequence[float]) -> bool:
    """Tell few times of which none can be the usual one: they differ by more than two sources may."""
    return 1 < len(values) < FEW and max(values) > FAR_APART * min(values)


def scatter(values: Sequence[float]) -> bool:
    """Tell times of single steps that differ so much that those which are printed tell little of the others."""
    quarter = len(values) // 4
    ordered = sorted(values)
    return len(values) >= FEW and ordered[-1 - quarter] > SCATTER * ordered[quarter]


def rated(rows: Rows, scales: Scales) -> StepTimeEvidence | None:
    """Turn steps per second around."""
    half = scales.half_units.get("steps_rate", 0)
    slow = settling([(step, 1 / rate) for step, rate in rows.pairs("step", "steps_rate") if rate > 0])
    found = (1 / slow, half * slow) if slow else middle(rows.column("steps_rate"), half)
    things = middle(rows.column("throughput"), 0)
    if found and things and differences(rows.pairs("step", "things")) and abs(things[0] / found[0] - 1) < SAME:
        return None  # the steps of an environment, that are counted as frames too
    told = middle(rows.column("step_time"), 0) if found else None
    is_denied = told is not None and found is not None and not 1 / FAR_APART < told[0] * found[0] < FAR_APART
    trust = DENIED if is_denied else WAVERING if slow else 0.95  # of steps of another kind, as an environment's
    return StepTimeEvidence("printed rate", 1 / found[0], found[1], trust, "steps_rate") if found else None


def stamped(rows: Rows, scales: Scales) -> StepTimeEvidence | None:
    """Divide the time between stamps by the steps between them."""
    half, points = scales.half_units.get("stamp", 0.5), across_passes(rows, scales) or rows.pairs("step", "stamp")
    if not runs_on(points, DAY_S):
        return None
    return sloped(within_passes(rows, points), half, "time stamps", 0.8, "stamp", DAY_S)


def told_each(rows: Rows, scales: Scales) -> StepTimeEvidence | None:
    """Divide the time between stamps by the lines, where each tells of a step: that none is left out is not said."""
    found = stamped(rows, scales)
    return found and replace(found, source="time stamps, one line a step", trust=0.6)


def is_elapsing(points: Sequence[tuple[float, ...]], scales: Scales) -> bool:
    """Tell whether what is called elapsed is a clock, as the time before what is left in a bar always is."""
    return scales.eta_in_bar or elapses(points, scales.counts_passes, scales.clock_is_named)


def clocked(rows: Rows) -> list[tuple[float, float]]:
    """Give the elapsed times; so is a time "of the epoch" that rises with every step."""
    return rows.pairs("step", "elapsed") or (rows.pairs("step", "epoch_time") if leaning(rows) > 0 else [])


def leaning(rows: Rows) -> int:
    """Tell whether what is called the time of an epoch rises (1) or falls (-1) from step to step, or neither (0)."""
    moves = [
        later - earlier
        for (step, earlier), (after, later) in itertools.pairwise(rows.pairs("step", "epoch_time"))
        if after > step
    ]
    ups, downs = sum(move > 0 for move in moves), sum(move < 0 for move in moves)
    if len(moves) < LEANS:
        return 0
    if ups >= 0.9 * len(moves):
        return 1
    return -1 if downs and not ups else 0


def elapsing(rows: Rows, scales: Scales) -> StepTimeEvidence | None:
    """Divide the growth of the elapsed time by the steps in between."""
    points = over_passes(rows, scales) or clocked(rows)
    if not is_elapsing(points, scales):
        return None
    half = scales.half_units.get("elapsed", 0.5)
    return sloped(points, half, "elapsed time", UNEVEN if is_uneven(points, half) else 0.85, "elapsed")


def is_uneven(points: Sequence[tuple[float, float]], half: float) -> bool:
    """Tell a clock whose steps last so differently that none in their middle is like the others."""
    slopes = sorted(spent / steps for steps, spent in gathered(differences(points)[-RECENT:], 20 * half))
    quarter = len(slopes) // 4
    return quarter > 0 and slopes[-1 - quarter] > WAVERS * slopes[quarter]


def over_passes(rows: Rows, scales: Scales) -> list[tuple[float, float]]:
    """Count steps from the start of the run where the elapsed time is that of all passes, printed as each one ends."""
    placed = zip(rows.column("epoch"), rows.column("step"), rows.column("elapsed"), strict=True)
    points = [(epoch * (scales.total or 0.0) + step, spent) for epoch, step, spent in placed if epoch == epoch]
    points = [(step, spent) for step, spent in points if step == step and spent == spent]
    if not scales.total or len({epoch for epoch, _ in rows.pairs("epoch", "elapsed")}) < 2 or not runs_on(points):
        return []
    steps = rows.column("step")
    if not all(epoch % 1 == 0 for epoch, _ in rows.pairs("epoch", "elapsed")) or sorted(steps) == steps:
        return []  # the counter is that of the run already
    (first, began), (last, ended) = points[0], points[-1]
    pace = (ended - began) / (last - first) if last > first else 0.0
    return points if pace > 0 and 1 / PASSING < ended / last / pace < PASSING else []


def averaged(rows: Rows, scales: Scales) -> StepTimeEvidence | None:
    """Divide the elapsed time by the counter: right when both began at nought, warm-up included."""
    points = over_passes(rows, scales) or clocked(rows)
    points = [(step, elapsed) for step, elapsed in points if step > 0 and elapsed > 0]
    if not points or not is_elapsing(points, scales):
        return None
    if scales.counts_passes and len(points) < FEW:
        return None  # how much of the last pass is done is not said
    step, elapsed = newest_far(points[-RECENT:])
    rest = elapsed / step * (step - points[0][0])
    if rest > 2 * scales.half_units.get("elapsed", 0.5) and elapsed == points[0][1]:
        return None  # the clock stands still where it should have gone on
    return StepTimeEvidence(
        "elapsed time / steps", elapsed / step, scales.half_units.get("elapsed", 0.5) / elapsed, 0.6, "elapsed"
    )


def newest_far(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Give how far the newest pass has come, or the one before as long as the newest has only begun."""
    far, at, newest = max(point[1] for point in points), len(points) - 1, points[-1]
    while newest[1] < FAR_ENOUGH * far and at:
        at -= 1
        newest = max(newest, points[at], key=lambda point: point[1])
    return newest


def fed(rows: Rows, scales: Scales) -> StepTimeEvidence | None:
    """Divide the samples of a step by samples per second."""
    found = middle(rows.column("throughput"), scales.half_units.get("throughput", 0))
    if not found:
        return None
    points = rows.pairs("step", "things") if scales.things_fit else []
    grown = [things / steps for steps, things in differences(points) if things > 0]
    if grown and median(grown) < 1:  # what is counted beside is coarser than a step: episodes, not samples
        frames = StepTimeEvidence("frames a second", 1 / found[0], found[1], 0.5, "throughput")
        return frames if scales.frames else None
    of_the_world = (scales.counts_frames and leaps(rows)) or scales.acts
    if scales.frames and of_the_world and not (grown or scales.batch):
        return StepTimeEvidence("steps of environments a second", 1 / found[0], found[1], 0.5, "throughput")
    batch, trust, source = scales.plain_batch, 0.35, "batch size / throughput"
    if not scales.per_device and (grown or scales.batch):
        batch, trust = (median(grown), 0.6) if grown else (scales.batch, 0.5)
        source = "samples per step / throughput" if grown else source
    return StepTimeEvidence(source, batch / found[0], found[1] + 0.02, trust, "throughput") if batch else None


def leaps(rows: Rows) -> bool:
    """Tell whether the counter rises evenly by hundreds, as one does that counts the steps of many environments."""
    return stride_of(rows.pairs("step", "step")) >= LEAP and len(rows) > 2


def epochs_timed(rows: Rows, scales: Scales) -> StepTimeEvidence | None:
    """Divide the time of an epoch by its steps, as far as they were counted."""
    points = [(step, spent) for step, spent in rows.pairs("step", "epoch_time") if step > 0 and spent > 0]
    if not points or leaning(rows) or is_of_a_run_before(rows, "epoch_time"):
        return None
    if scales.pass_each_s is not None:
        return StepTimeEvidence(BY_PASSES, each, 0.05, 0.4, "epoch_time") if (each := scales.pass_each_s) else None
    stride = stride_of(rows.pairs("step", "step"))
    if (through := passes_in_a_row(points)) is not None:
        at_ends = len({epoch for _, epoch in rows.pairs("step", "epoch")}) == len(rows.pairs("step", "step"))
        doubt = 0.0 if at_ends else stride * len(points) / 2  # one report a pass is that of its end
        return StepTimeEvidence(BY_PASSES, through, 0.05 + doubt / points[-1][0], 0.4, "epoch_time")
    last = max(step for step, _ in points)
    steps = scales.total if scales.total and scales.total >= last else last + stride / 2
    doubt = 0.0 if scales.total == last else stride / 2  # the last report may come before the pass is over
    value = median(steady([spent for _, spent in points])) / steps
    return StepTimeEvidence(BY_PASSES, value, 0.05 + doubt / steps, 0.4, "epoch_time")


def passes_in_a_row(points: Sequence[tuple[float, float]]) -> float | None:
    """Divide the times of passes by the steps from each one's end to the next, where one counter runs through all."""
    told = {spent: step for step, spent in points}  # a pass is told once, however many rows repeat its time
    ends = sorted((step, spent) for spent, step in told.items())
    if len(ends) < FEW or [spent for _, spent in ends] != list(told):
        return None
    each = [spent / (step - before) for (before, _), (step, spent) in itertools.pairwise(ends) if step > before]
    return median(each) if len(each) + 1 == len(ends) else None


def summed(rows: Rows, scales: Scales) -> StepTimeEvidence | None:
    """Add up the parts of a step where its whole is not printed."""
    found = middle(rows.column("part_time"), 0)
    return StepTimeEvidence("sum of the step's parts", found[0], 0.1, 0.35, "part_time") if found else None


def distance(one: StepTimeEvidence, other: StepTimeEvidence) -> float:
    """Measure how far two values lie apart, as the logarithm of their ratio."""
    return abs(math.log(one.value / other.value))
