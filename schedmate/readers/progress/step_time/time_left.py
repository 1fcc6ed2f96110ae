"""Read a step's time from the time that is left: until the end of the pass, or of the run."""

import math
from statistics import median

from schedmate.readers.progress.rows.rows import Rows
from schedmate.readers.progress.step_time.evidence import Scales, StepTimeEvidence
from schedmate.readers.progress.step_time.pass_mean import mean_left
from schedmate.readers.progress.step_time.running_mean import running_mean, settling
from schedmate.readers.progress.step_time.slopes import RECENT, differences, gathered
from schedmate.readers.progress.step_time.sources import leaning

STRETCHES, WAVERS = 6, 4.0
"""In so many stretches the remaining time must have fallen alike, within this factor."""
NOUGHTS = 0.25
"""So many remaining times of nought, of all others, say that what is printed is rounded too far."""
FEW = 4
"""Reports of the newest pass that are enough by themselves."""


def remaining(rows: Rows) -> list[tuple[float, float]]:
    """Give the remaining times; so is a time "of the epoch" that falls while the counter rises."""
    return rows.pairs("step", "eta") or (rows.pairs("step", "epoch_time") if leaning(rows) < 0 else [])


def foretold(rows: Rows, scales: Scales) -> StepTimeEvidence | None:
    """Divide the remaining time by the steps that remain; where no end is printed a percentage tells it."""
    half = scales.half_units.get("eta", scales.half_units.get("epoch_time", 0.5))
    shares = [step / percent * 100 for step, percent in rows.pairs("step", "percent") if percent > 1 and step > 0]
    total = scales.total or (median(shares) if shares else None)
    points = [(total - step, eta) for step, eta in remaining(rows) if total and total > step and eta > 0]
    if not points:
        return falling(rows, half)
    nearest = min(left for left, _ in points)
    if sum(eta <= 0 and total - step >= nearest for step, eta in remaining(rows) if total) >= len(points) * NOUGHTS:
        return None  # nothing is left, it says, where as much is left as when it said something: too coarse a clock
    if scales.means_of_pass and total:
        return mean_left(rows, total, half)
    newest = rows.column("epoch")[-1]
    own = [(total - step, eta) for epoch, step, eta in told_left(rows) if total and epoch == newest and step < total]
    points = own if len(own) >= FEW else points  # in the last pass both ends are one
    paces = [(-left, eta / left) for left, eta in points]
    counted = [(total + step, pace) for step, pace in paces] if total else paces
    value = running_mean(counted) or settling(counted) or median(pace for _, pace in paces[-RECENT:])
    if scales.passes_left and scales.total and not scales.eta_of_pass and rows.pairs("epoch", "eta"):
        whole = median(eta / steps for steps, eta in of_the_run(rows, scales.passes_left, scales.total)[-RECENT:])
        lean = falling(rows, half)
        if scales.eta_of_run:
            lean = StepTimeEvidence("remaining time of the run / steps", whole, 0.0, 0.0, "eta")
        if lean is None:
            return None  # until the end of this pass, or of all of them: it does not say
        value = min(value, whole, key=lambda one: abs(math.log(one / lean.value)))
    width = half / points[-1][1] + (0.05 if scales.total else 0.25)
    return StepTimeEvidence("remaining time / steps", value, width, 0.5 if scales.total else 0.3, "eta")


def told_left(rows: Rows) -> list[tuple[float, float, float]]:
    """Give pass, step and remaining time of the rows that have them."""
    placed = zip(rows.column("epoch"), rows.column("step"), rows.column("eta"), strict=True)
    return [one for one in placed if not any(map(math.isnan, one)) and one[2] > 0]


def of_the_run(rows: Rows, passes_left: float, total: float) -> list[tuple[float, float]]:
    """Give the steps that are left until the end of all passes, with the remaining time, of each row."""
    found = [one for one in told_left(rows) if one[1] < total]
    newest = found[-1][0] if found else 0.0
    return [(total - step + (passes_left + newest - epoch) * total, eta) for epoch, step, eta in found]


def falling(rows: Rows, half: float) -> StepTimeEvidence | None:
    """Divide what the remaining time has lost by the steps in between; one that wavers much tells nothing."""
    pieces = differences([(step, -eta) for step, eta in remaining(rows)])
    if len(pieces) < 4:
        return None
    even = sum(steps for steps, _ in pieces) / STRETCHES
    stretches = gathered(gathered(pieces, even, by=0), 8 * half)
    slopes = [spent / steps for steps, spent in stretches if spent > 0]
    if not slopes or max(slopes) > WAVERS * min(slopes):
        return None
    return StepTimeEvidence("falling remaining time", median(slopes), 0.4, 0.25, "eta")
