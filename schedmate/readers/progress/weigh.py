"""Weigh the evidence for the step time: what is printed, what rates say, and what clocks and counters say together.

Each piece of evidence is a value with the width that its printed digits leave open: `3ms/step` is anything from 2.5 to
3.5 ms. The best source that is narrow enough wins; one that is too wide is narrowed by a source that agrees with it.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from schedmate.readers.progress.rows import Rows

NARROW = 0.05
"""A value known to 5 % needs no second source."""
HOPELESS = 0.5
"""A value that may be half as much or half as much again is not known."""
RECENT = 24
AGREE = 1.3
USUAL_S = 0.3
USUAL_SPREAD = 2.0
"""What steps usually take, as a log-normal prior: most lie between 5 ms and 16 s."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One way to know the step time: how it was found, its value, and how wide it is (half, relative)."""

    source: str
    value: float
    width: float
    trust: float
    column: str = ""

    @property
    def low(self) -> float:
        """Give the lower end."""
        return self.value * (1 - min(self.width, 0.99))

    @property
    def high(self) -> float:
        """Give the upper end."""
        return self.value * (1 + self.width)


@dataclass(frozen=True, slots=True)
class Scales:
    """What the rows do not say themselves: widths of printed values, the counter's end, samples per step."""

    half_units: dict[str, float]
    total: float | None = None
    batch: float | None = None
    time_has_unit: bool = True
    is_meter: bool = False
    """A bare time is one of a step's meters: its average or its parts are printed beside it."""
    per_report: bool = False
    counted: bool = True
    """Without a counter only what is printed as a step's time can be one."""
    """A bare time is known to be that since the last report."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The step time, all evidence for it, and what stands against it."""

    value: float | None
    chosen: Evidence | None
    evidence: tuple[Evidence, ...]
    notes: tuple[str, ...]
    confidence: float


def steady(values: Sequence[float]) -> list[float]:
    """Leave out what is no time, and the warm-up: the first of several."""
    good = [value for value in values if math.isfinite(value) and value > 0][-RECENT:]
    return good[1:] if 2 <= len(good) < RECENT else good


def middle(values: Sequence[float], half: float) -> tuple[float, float] | None:
    """Give the median of printed values and its relative width; more values narrow it."""
    good = steady(values)
    if not good:
        return None
    value = median(good)
    return value, half / value / (1 + math.log2(len(good))) if len(set(good)) > 2 else half / value


def printed(rows: Rows, scales: Scales) -> Evidence | None:
    """Read the step time as it is printed."""
    found = middle(rows.column("step_time"), scales.half_units.get("step_time", 0))
    return Evidence("printed step time", *found, 1.0, "step_time") if found else None


def rated(rows: Rows, scales: Scales) -> Evidence | None:
    """Turn steps per second around."""
    found = middle(rows.column("steps_rate"), scales.half_units.get("steps_rate", 0))
    return Evidence("printed rate", 1 / found[0], found[1], 0.95, "steps_rate") if found else None


def differences(points: Sequence[tuple[float, ...]], wrap: float = 0) -> list[tuple[float, float]]:
    """Give (steps, seconds) between neighbours, parted where the counter or the clock starts again."""
    found = []
    for (step, clock), (later_step, later_clock) in itertools.pairwise(points):
        steps, spent = later_step - step, later_clock - clock
        if spent < 0 and wrap and spent + wrap < wrap / 2:
            spent += wrap
        if steps > 0 and spent >= 0:
            found.append((steps, spent))
    return found


def gathered(pieces: Sequence[tuple[float, float]], least_s: float) -> list[tuple[float, float]]:
    """Join neighbours until each piece is long against the clock's resolution."""
    joined: list[tuple[float, float]] = []
    steps = spent = 0.0
    for piece in pieces:
        steps, spent = steps + piece[0], spent + piece[1]
        if spent >= least_s:
            joined.append((steps, spent))
            steps = spent = 0.0
    if not joined and steps:
        joined.append((steps, spent))
    return joined


def sloped(
    points: Sequence[tuple[float, ...]], half: float, source: str, trust: float, column: str, wrap: float = 0
) -> Evidence | None:
    """Divide clock time by steps between rows; the middle piece is free of warm-up and of pauses."""
    pieces = differences(points, wrap)
    if len(pieces) >= 3:
        pieces = pieces[1:]
    whole = sum(spent for _, spent in pieces)
    joined = [piece for piece in gathered(pieces, 20 * half) if piece[1] > 0]
    if not joined or whole <= 0:
        return None
    slopes = sorted((spent / steps, steps) for steps, spent in joined)
    value = weighted_middle(slopes)
    typical = median(spent for _, spent in joined)
    width = 2 * half / typical / math.sqrt(len(joined))
    return Evidence(source, value, width, trust, column)


def weighted_middle(slopes: Sequence[tuple[float, float]]) -> float:
    """Give the median of values, each counted by its weight."""
    weight, passed = sum(steps for _, steps in slopes), 0.0
    for value, steps in slopes:
        passed += steps
        if passed >= weight / 2:
            return value
    return slopes[-1][0]


def stamped(rows: Rows, scales: Scales) -> Evidence | None:
    """Divide the time between stamps by the steps between them."""
    half = scales.half_units.get("stamp", 0.5)
    return sloped(rows.pairs("step", "stamp"), half, "time stamps", 0.8, "stamp", wrap=86400)


def elapsing(rows: Rows, scales: Scales) -> Evidence | None:
    """Divide the growth of the elapsed time by the steps in between."""
    return sloped(rows.pairs("step", "elapsed"), scales.half_units.get("elapsed", 0.5), "elapsed time", 0.85, "elapsed")


def averaged(rows: Rows, scales: Scales) -> Evidence | None:
    """Divide the elapsed time by the counter: right when both began at nought, warm-up included."""
    points = [(step, elapsed) for step, elapsed in rows.pairs("step", "elapsed") if step > 0 and elapsed > 0]
    if not points:
        return None
    step, elapsed = max(points[-RECENT:], key=lambda point: point[1])
    if len({step for step, _ in points}) > 1 and elapsed == points[0][1]:
        return None  # the clock stands still: it began long before, or it is too coarse
    return Evidence(
        "elapsed time / steps", elapsed / step, scales.half_units.get("elapsed", 0.5) / elapsed, 0.6, "elapsed"
    )


def foretold(rows: Rows, scales: Scales) -> Evidence | None:
    """Divide the remaining time by the steps that remain; where no end is printed a percentage tells it."""
    shares = [step / percent * 100 for step, percent in rows.pairs("step", "percent") if percent > 1 and step > 0]
    total = scales.total or (median(shares) if shares else None)
    points = [(total - step, eta) for step, eta in rows.pairs("step", "eta") if total and total > step and eta > 0]
    if not points:
        return None
    values = [eta / steps for steps, eta in points[-RECENT:]]
    width = scales.half_units.get("eta", 0.5) / points[-1][1] + (0.05 if scales.total else 0.25)
    return Evidence("remaining time / steps", median(values), width, 0.5 if scales.total else 0.3, "eta")


def fed(rows: Rows, scales: Scales) -> Evidence | None:
    """Divide the samples of a step by samples per second."""
    found = middle(rows.column("throughput"), scales.half_units.get("throughput", 0))
    if not found:
        return None
    grown = [things / steps for steps, things in differences(rows.pairs("step", "things")) if things > 0]
    batch = median(grown) if grown else scales.batch
    if not batch:
        return None
    source = "samples per step / throughput" if grown else "batch size / throughput"
    return Evidence(source, batch / found[0], found[1] + 0.02, 0.6 if grown else 0.5, "throughput")


def epochs_timed(rows: Rows, scales: Scales) -> Evidence | None:
    """Divide the time of an epoch by its steps, as far as they were counted."""
    points = [(step, spent) for step, spent in rows.pairs("step", "epoch_time") if step > 0 and spent > 0]
    if not points:
        return None
    stride = stride_of(rows.pairs("step", "step"))
    steps = max([scales.total or 0.0, *(step + stride / 2 for step, _ in points)])
    value = median(spent for _, spent in points) / steps
    return Evidence("time of an epoch / its steps", value, 0.05 + stride / 2 / steps, 0.4, "epoch_time")


def summed(rows: Rows, scales: Scales) -> Evidence | None:
    """Add up the parts of a step where its whole is not printed."""
    found = middle(rows.column("part_time"), 0)
    return Evidence("sum of the step's parts", found[0], 0.1, 0.35, "part_time") if found else None


def is_cumulative(points: Sequence[tuple[float, ...]]) -> bool:
    """Tell whether times grow with the counter, as a clock that runs from the start does."""
    runs = 0
    for (step, time), (later_step, later_time) in itertools.pairwise(points):
        if later_step > step:
            if later_time < time:
                return False
            runs += 1
    if runs < 1 or points[-1][0] <= points[0][0]:
        return False
    first, last = points[0], points[-1]
    if runs >= 4:
        return last[1] > first[1] * 1.2
    return (
        first[0] > 0
        and first[1] > 0
        and 0.7 < (last[1] / first[1]) / (last[0] / first[0]) < 1.3
        and last[0] / first[0] > 1.25
    )


def told(rows: Rows, scales: Scales, references: Sequence[Evidence]) -> tuple[Evidence | None, str]:
    """Read a bare `time`: per step, since the last report, or since the start, as the other evidence says."""
    points = rows.pairs("step", "time")
    half = scales.half_units.get("time", 0)
    found = middle([time for _, time in points], half)
    if not found:
        return None, ""
    segment = last_segment(points)
    if not scales.is_meter and len(segment) >= 2 and is_cumulative(segment):
        return sloped(points, half, "elapsed time", 0.8, "time"), ""
    stride = stride_of(points)
    per_step = Evidence("time, per step", *found, 0.75, "time")
    per_report = Evidence("time, per report", found[0] / stride, found[1], 0.75, "time")
    if scales.per_report:
        alone = len({step for step, _ in points}) < 2
        note = f"{found[0]:.6g} s since the last report, of how many steps is not said"
        return (None, note) if alone else (replace(per_report, trust=0.9), "")
    readings = [per_step, per_report] if stride > 1 else [per_step]
    if not scales.time_has_unit:
        readings += [
            replace(one, source=f"{one.source}, in ms", value=one.value / 1000, trust=0.6) for one in tuple(readings)
        ]
    for one in readings:
        if any(distance(one, other) < math.log(AGREE + other.width) for other in references):
            return replace(one, trust=0.9), ""
    if stride <= 1 or scales.is_meter or starts_alike(points, found[0], stride):
        return per_step, ""
    return by_plausibility(per_step, per_report, references, stride)


def stride_of(points: Sequence[tuple[float, ...]]) -> float:
    """Give how many steps lie between reports; one report alone lets its counter stand for them."""
    strides = [later[0] - earlier[0] for earlier, later in itertools.pairwise(points) if later[0] > earlier[0]]
    return median(strides) if strides else max(1.0, points[-1][0])


def distance(one: Evidence, other: Evidence) -> float:
    """Measure how far two values lie apart, as the logarithm of their ratio."""
    return abs(math.log(one.value / other.value))


def starts_alike(points: Sequence[tuple[float, ...]], usual: float, stride: float) -> bool:
    """Tell whether the report after the very first step takes as long as the others: then it is the time of a step."""
    first = next((time for step, time in points[:1] if step <= 1), 0.0)
    return first > usual * max(0.4, 3 / stride)


def by_plausibility(
    per_step: Evidence, per_report: Evidence, references: Sequence[Evidence], stride: float
) -> tuple[Evidence | None, str]:
    """Choose the reading nearer to other evidence or to what steps usually take; close calls stay open."""
    readings = (per_step, per_report)
    if references:
        gaps = [min(distance(one, other) for other in references) for one in readings]
        if min(gaps) < math.log(3) and abs(gaps[0] - gaps[1]) > math.log(2):
            return replace(readings[gaps.index(min(gaps))], trust=0.6), ""
    odds = [-0.5 * (math.log(one.value / USUAL_S) / USUAL_SPREAD) ** 2 for one in readings]
    if abs(odds[0] - odds[1]) > math.log(5):
        return replace(readings[odds.index(max(odds))], trust=0.5), ""
    return None, f"a time of {per_step.value:.6g} s is printed every {stride:.0f} steps: per step or per report"


def last_segment(points: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Give the points since the counter last started again."""
    start = 0
    for place in range(1, len(points)):
        if points[place][0] < points[place - 1][0]:
            start = place
    segment = list(points[start:])
    return segment if len(segment) >= 3 or start == 0 else list(points[:start])


def weigh(rows: Rows, scales: Scales) -> Verdict:
    """Gather all evidence and decide."""
    sources = (printed, rated, elapsing, stamped, averaged, foretold, fed, epochs_timed, summed)
    found = [one(rows, scales) for one in (sources if scales.counted else sources[:2])]
    evidence = [one for one in found if one is not None and math.isfinite(one.value) and one.value > 0]
    references = [one for one in evidence if one.column != "time"]
    bare, doubt = told(rows, scales, references)
    if bare is not None and bare.value > 0:
        evidence.append(bare)
    if not evidence:
        return Verdict(None, None, (), (doubt,) if doubt else (), 0.0)
    evidence.sort(key=lambda one: -one.trust)
    best = decide(evidence)
    if best.width > HOPELESS:
        others = [one for one in evidence if one.column != best.column and one.width <= HOPELESS]
        if not others:
            note = f"{best.source}: the clock is too coarse to tell a step's time"
            return Verdict(None, None, tuple(evidence), (note,), 0.0)
        best = others[0]
    others = [one for one in evidence if one.column != best.column]
    agree = sum(one.low / AGREE <= best.value <= one.high * AGREE for one in others)
    confidence = min(0.99, best.trust * (0.85 if not others else 0.75 + 0.25 * agree / len(others)))
    return Verdict(best.value, best, tuple(evidence), (), confidence)


def decide(evidence: Sequence[Evidence]) -> Evidence:
    """Take the most trusted; while it is wide, let a narrower one that lies within it say where."""
    best = evidence[0]
    low, high = best.low, best.high
    for one in evidence[1:]:
        if best.width <= NARROW:
            break
        if one.width < best.width and one.low <= high and one.high >= low:
            value = min(max(one.value, low), high)
            best = Evidence(f"{best.source}, narrowed by {one.source}", value, one.width, best.trust, best.column)
            low, high = max(low, one.low), min(high, one.high)
    return best
