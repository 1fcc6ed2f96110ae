"""Hold the newest of the printed times against the clocks that run beside it."""

from collections.abc import Sequence

from schedmate.readers.progress.rows.rows import Rows
from schedmate.readers.progress.step_time.counted import CLOCK, CLOCKS
from schedmate.readers.progress.step_time.evidence import StepTimeEvidence, mostly
from schedmate.readers.progress.step_time.slopes import differences
from schedmate.readers.progress.step_time.sources import distance

NEAR = 1.1
"""So near to the newest time lies the last report of a clock that bears it out."""


def beside_clocks(evidence: Sequence[StepTimeEvidence], rows: Rows) -> Sequence[StepTimeEvidence]:
    """Take the newest value back where a clock that runs between reports lies nearer to most of the others.

    A clock that says the same of the last report bears the newest one out.
    """
    first, most = evidence[0], mostly(evidence[0])
    clocks = [one for one in evidence if one.column in CLOCKS and one.trust >= CLOCK]
    clocks = [one for one in clocks if not bears_out(rows.pairs("step", one.column), first.value)]
    if not any(distance(most, one) < distance(first, one) for one in clocks):
        return evidence
    return sorted([most, *evidence[1:]], key=lambda one: -one.trust)


def bears_out(clock: Sequence[tuple[float, float]], newest_s: float) -> bool:
    """Tell whether a clock ran as long between the last two reports as the newest time says."""
    last = differences(clock[-2:])
    return bool(last) and newest_s / NEAR < last[-1][1] / last[-1][0] < newest_s * NEAR
