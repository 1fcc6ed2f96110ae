"""Weigh the evidence for the step time.

Each piece of evidence is a value with the width that its printed digits leave open: `3ms/step` is anything from 2.5 to
3.5 ms. The best source that is narrow enough wins; one that is too wide is narrowed by a source that agrees with it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from schedmate.readers.progress.rows.newest_run import of_newest_run
from schedmate.readers.progress.rows.rows import Rows
from schedmate.readers.progress.rows.writers import of_one_writer
from schedmate.readers.progress.step_time.bare_time import agrees, told
from schedmate.readers.progress.step_time.borne_out import beside_clocks
from schedmate.readers.progress.step_time.counted import CLOCK, CLOCKS, counts_examples, of_a_batch
from schedmate.readers.progress.step_time.evidence import Scales, StepTimeEvidence, mostly
from schedmate.readers.progress.step_time.slopes import stride_of
from schedmate.readers.progress.step_time.sources import (
    AGREE,
    MEAN_OF_PASS,
    averaged,
    distance,
    elapsing,
    epochs_timed,
    fed,
    printed,
    rated,
    stamped,
    summed,
    told_each,
)
from schedmate.readers.progress.step_time.time_left import foretold
from schedmate.readers.progress.step_time.usual import usual

Way = Callable[[Rows, Scales], StepTimeEvidence | None]

NARROW = 0.05
"""A value known to 5 % needs no second source."""
SHORTEST_S = 1e-6
"""No step is shorter: what is called a wall is not always a clock."""
HOPELESS = 0.5
"""A value that may be half as much or half as much again is not known: one tick of its clock is such a value."""
MOST_WIDE = 1.0
"""A value far below half a unit of its own print agrees with anything: beside other evidence it says nothing."""
AT_ONCE_S, FEW_GAPS = 0.05, 3
"""Reports that come closer together, and so many of them, were kept in a buffer, if another source says so."""
BURST_S = 5.0
"""A log all of whose stamps lie within so little was copied, or received when it was over, if that is how it looks."""
HASTY = 0.55
"""What is believed of a clock that is through so soon: who copies a log stamps it as fast."""
UNCLOCKED = 0.75
"""The most that is believed of a value whose only clock was a buffer's, or that no counter stands beside."""
PAUSES = 10.0

SAME_NUMBER = 1e-6
"""So near to each other lie a value and what was made of it."""
FAR = 3.0
"""Sources that differ by more deny each other."""
WITNESS, UNSURE = 0.5, 0.55
"""The least trust that settles a unit, and that of a unit which is only usual."""
FAR_OFF = CLOCKS | {"eta"}
"""What tells the time of a count, whatever is counted."""
OUTVOTING = 0.6
"""What is believed of two clocks that agree, and deny what is printed."""
OUTRUN, OUTRUNNING = 8.0, 0.45
"""How many times faster than printed steps may seem before the counter is doubted, and what the clock is believed."""
MINUTE_S, HOUR_S = 60.0, 3600.0
UNITS = (("s", 1.0), ("ms", 1e-3), ("min", MINUTE_S))

CONVENTION = 25.0
"""How much likelier a number without a unit is seconds."""
PLAIN_S = 16.0
"""Longer steps in seconds are rare enough to doubt a missing unit."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The step time, all evidence for it, and what stands against it."""

    value: float | None
    chosen: StepTimeEvidence | None
    evidence: tuple[StepTimeEvidence, ...]
    notes: tuple[str, ...]
    confidence: float
    per_count_s: float | None = None
    """The time of one count, where the counter counts something else than steps."""


def weigh(rows: Rows, scales: Scales) -> Verdict:
    """Gather all evidence and decide."""
    rows = of_one_writer(of_newest_run(rows))
    sources: tuple[Way, ...] = (printed, rated, elapsing, stamped, averaged, foretold, fed, epochs_timed, summed)
    if not scales.counted or scales.within_passes:
        sources = (printed, rated, told_each) if scales.one_each else (printed, rated)
    found = [one(rows, scales) for one in sources]
    evidence = telling([one for one in found if one is not None])
    burst = scales.received and is_burst(rows)
    flushed = burst or came_at_once(rows)
    references = [one for one in evidence if one.column != "time" and not (flushed and one.column == "stamp")]
    bare, doubt = told(rows, scales, references)
    if rows.last("time") == rows.last("elapsed") and any(one.column == "elapsed" for one in references):
        bare = None  # one number that stands there twice does not agree with itself
    # Without counter, loss and unit a time may be that of anything.
    meant = scales.counted or scales.time_has_unit or rows.last("loss") is not None or scales.learns
    if bare is not None and bare.value > SHORTEST_S and meant:
        evidence.append(bare)
    denied = [
        one
        for one in evidence
        if one.column == "stamp" and (burst or (flushed and any(slower(other, one) for other in evidence)))
    ]
    evidence = [one for one in evidence if one not in denied]
    if is_burst(rows):
        evidence = [replace(one, trust=HASTY) if one.column == "stamp" else one for one in evidence]
    if not evidence:
        return unknown((), doubt)
    evidence = in_stamps_unit(evidence, scales)
    evidence.sort(key=lambda one: -one.trust)
    evidence[0] = of_a_batch(evidence, rows, scales)
    per_count = next((one for one in evidence if counts_examples(evidence[0], one, rows)), None)
    if scales.counts_passes and evidence[0].column in {"step_time", "steps_rate"}:
        per_count = next((one for one in evidence if one.column in CLOCKS and slower(one, evidence[0])), None)
    if per_count is not None:
        evidence = [one for one in evidence if distance(one, evidence[0]) < math.log(FAR)]
    evidence, sampled, doubt = in_steps(evidence, rows, scales)
    if doubt:
        return unknown(evidence, doubt)
    per_count = sampled or per_count
    best = decide(beside_clocks(evidence, rows))
    if best.width > HOPELESS or (best.width == HOPELESS and best.source != MEAN_OF_PASS):
        others = [one for one in evidence if one.column != best.column and one.width < HOPELESS]
        if not others:
            return unknown(evidence, f"{best.source}: the clock is too coarse for a step's time")
        best = others[0]
    best, against = outrun(*outvoted(best, contradiction(best, evidence), evidence))
    if against and not holds_more(against, best):
        return unknown(evidence, f"{best.source}: {best.value:.3g} s, but {against.source}: {against.value:.3g} s")
    others = [one for one in evidence if one.column != best.column]
    confidence = how_sure(best, others, against is not None)
    confidence = min(confidence, 1.0 if scales.counted and not denied else UNCLOCKED)
    counted = "passes" if scales.counts_passes else "examples"
    notes = (f"the counter counts {counted}, not steps",) if per_count else ()
    return Verdict(best.value, best, tuple(evidence), notes, confidence, per_count.value if per_count else None)


def telling(found: Sequence[StepTimeEvidence]) -> list[StepTimeEvidence]:
    """Leave out what is no time of a step, and what is far too wide where something else is not."""
    times = [one for one in found if math.isfinite(one.value) and one.value > SHORTEST_S]
    return [one for one in times if one.width <= MOST_WIDE] or times


def in_steps(
    evidence: Sequence[StepTimeEvidence], rows: Rows, scales: Scales
) -> tuple[list[StepTimeEvidence], StepTimeEvidence | None, str]:
    """Make times of samples those of steps, and give a printed time without a unit one; else say why not."""
    found = list(evidence)
    if scales.counts_samples and found[0].column in FAR_OFF:
        if not scales.fed or stride_of(rows.pairs("step", "step")) % scales.fed:
            return found, None, "the counter counts examples, and how many a step takes is not said"
        return [replace(one, value=one.value * scales.fed) for one in found if one.column in FAR_OFF], found[0], ""
    if found[0].column == "step_time" and not scales.step_time_has_unit:
        found[0], doubt = with_unit(found[0], found[1:])
        return found, None, doubt
    return found, None, ""


def how_sure(best: StepTimeEvidence, others: Sequence[StepTimeEvidence], is_denied: bool) -> float:
    """Say how far to believe the best source, and by how many of the others agree."""
    agree = sum(one.low / AGREE <= best.value <= one.high * AGREE for one in others)
    confidence = min(0.99, best.trust * (0.85 if not others else 0.75 + 0.25 * agree / len(others)))
    return confidence / 2 if is_denied else confidence


def came_at_once(rows: Rows) -> bool:
    """Tell whether lines were stamped as a buffer was emptied: so close together nobody reports."""
    if is_burst(rows):
        return True
    stamps = [one for one in rows.column("stamp") if one == one]
    gaps = [later - earlier for earlier, later in pairwise(stamps) if later >= earlier]
    is_fine = any(one % 1 for one in stamps)  # a clock that shows whole seconds stamps many lines alike
    return is_fine and len(gaps) >= FEW_GAPS and median(gaps) < AT_ONCE_S


def is_burst(rows: Rows) -> bool:
    """Tell whether the whole log was stamped at once, by who received it: that clock tells nothing of the pace."""
    stamps = [one for one in rows.column("stamp") if one == one]
    return bool(stamps) and 0 <= stamps[-1] - rows.began <= BURST_S


def slower(one: StepTimeEvidence, stamps: StepTimeEvidence) -> bool:
    """Tell whether a source says that steps take far longer than their stamps do."""
    return one.value > FAR * stamps.value


def unknown(evidence: Sequence[StepTimeEvidence], why: str) -> Verdict:
    """Give no value, and say why."""
    return Verdict(None, None, tuple(evidence), (why,) if why else (), 0.0)


def with_unit(one: StepTimeEvidence, others: Sequence[StepTimeEvidence]) -> tuple[StepTimeEvidence, str]:
    """Try a number without a unit as s, ms and min: what a clock or a rate agrees with, else what is usual."""
    readings = [
        replace(one, source=f"{one.source}, in {unit}", value=one.value * scale, usual=one.usual and one.usual * scale)
        for unit, scale in UNITS
    ]
    witnesses = [other for other in others if other.trust >= WITNESS and other.width < HOPELESS]
    clocks = [other for other in witnesses if other.trust >= CLOCK]
    for reading, believed in zip(readings, (witnesses, witnesses, clocks), strict=True):
        if any(agrees(mostly(reading), other) for other in believed):
            return reading, ""
    if any(holds_more(clock, mostly(readings[0])) for clock in clocks):
        return replace(readings[0], trust=UNSURE), ""
    if clocks:
        other = witnesses[0]
        return one, f"{one.value:.3g} without a unit is denied in s, ms and min by {other.source}: {other.value:.3g} s"
    seconds, thousandths = readings[0], readings[1]
    lead = usual(seconds.value) - usual(thousandths.value)
    if lead > -math.log(CONVENTION):
        return replace(seconds, trust=one.trust if seconds.value < PLAIN_S else UNSURE), ""
    return replace(thousandths, trust=UNSURE), ""


def in_stamps_unit(evidence: Sequence[StepTimeEvidence], scales: Scales) -> list[StepTimeEvidence]:
    """Read an elapsed time without a unit as minutes or hours, where the time stamps say just that."""
    stamped = next((one for one in evidence if one.column == "stamp" and one.width < NARROW), None)
    if stamped is None or scales.elapsed_has_unit:
        return list(evidence)
    for scale in (MINUTE_S, HOUR_S):
        moved = [replace(one, value=one.value * scale) if one.column == "elapsed" else one for one in evidence]
        if any(one.column == "elapsed" and agrees(one, stamped) for one in moved):
            return moved
    return list(evidence)


def holds_more(clock: StepTimeEvidence, step: StepTimeEvidence) -> bool:
    """Tell whether a clock that runs between reports may hold more than the steps: loading, saving, an evaluation."""
    return step.column == "step_time" and step.value < clock.value < step.value * PAUSES


def contradiction(best: StepTimeEvidence, evidence: Sequence[StepTimeEvidence]) -> StepTimeEvidence | None:
    """Find a clock that denies the best evidence by more than a factor of 3, where nothing takes the one's side."""
    others = [one for one in evidence if one.column != best.column and one.width < HOPELESS]
    others = [one for one in others if not is_its_inverse(one, best)]
    clocks = [one for one in others if one.column in CLOCKS and one.trust >= CLOCK]
    if best.column == "elapsed":  # what was buffered is stamped all at once: such stamps deny no clock of the log's own
        clocks = [one for one in clocks if one.value > best.value]
    against = [one for one in clocks if distance(one, best) > math.log(FAR + one.width)]
    settled = any(distance(one, best) < math.log(AGREE + one.width) for one in others if one not in against)
    return against[0] if against and not settled else None


def is_its_inverse(one: StepTimeEvidence, best: StepTimeEvidence) -> bool:
    """Tell a bar's rate from which the time of a step was taken: the same number bears out nothing."""
    return {one.column, best.column} == {"step_time", "steps_rate"} and distance(one, best) < SAME_NUMBER


def outvoted(
    best: StepTimeEvidence, against: StepTimeEvidence | None, evidence: Sequence[StepTimeEvidence]
) -> tuple[StepTimeEvidence, StepTimeEvidence | None]:
    """Take two clocks' word where steps would have to last longer than all that passed between reports.

    Where what is printed is the faster, the clocks tell nothing against it: pauses stand between reports, unsaid. No
    pause is so long that it goes by far oftener, as what a bar counts does that is in each step: then a rate bears out.
    """
    if against is None:
        return best, against
    if against.value >= best.value:
        rates = [one for one in evidence if one.column == "throughput" and one.trust >= OUTVOTING]
        is_inner = against.value > PAUSES * best.value and any(agrees(one, against) for one in rates)
        return (replace(against, trust=OUTVOTING), None) if is_inner else (best, against)
    clocks = [one for one in evidence if one.column in CLOCKS and one.trust >= CLOCK and one.column != against.column]
    return (replace(against, trust=OUTVOTING), None) if any(agrees(one, against) for one in clocks) else (best, against)


def outrun(
    best: StepTimeEvidence, against: StepTimeEvidence | None
) -> tuple[StepTimeEvidence, StepTimeEvidence | None]:
    """Take the clock's word, hardly sure, where steps went by some times faster than what is printed for one.

    Where they seem to be much faster, the counter counts what a step is made of.
    """
    if against is None or against.width >= 2 * NARROW or not FAR < best.value / against.value < OUTRUN:
        return best, against
    return replace(against, trust=OUTRUNNING), None


def decide(evidence: Sequence[StepTimeEvidence]) -> StepTimeEvidence:
    """Take the most trusted; while it is wide, let a narrower one that lies within it say where."""
    best = evidence[0]
    low, high = best.low, best.high
    for one in evidence[1:]:
        if best.width <= NARROW:
            break
        if one.width < best.width and one.low <= high and one.high >= low:
            value = min(max(one.value, low), high)
            best = StepTimeEvidence(
                f"{best.source}, narrowed by {one.source}", value, one.width, best.trust, best.column
            )
            low, high = max(low, one.low), min(high, one.high)
    return best
