"""Tell what a counter counts that disagrees with the time printed beside it: examples, or parts of a step.

Or it counts steps, and that time is of all since the last report.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.progress.rows.rows import Rows
from schedmate.readers.progress.step_time.evidence import Scales, StepTimeEvidence, mostly
from schedmate.readers.progress.step_time.slopes import stride_of

CLOCKS = {"stamp", "elapsed"}

CLOCK = 0.8
"""The trust of clocks beside a counter."""
PARTS, WHOLE = 64, 0.02
"""The most parts of which a step is made up, and how near to a whole number they must come."""
COUNTED, EXACT, ALIKE = 4, 0.03, 0.12
"""How near a batch must come to what divides the strides, or all counts, of which so many are seen."""
FEWEST, MOST = 4, 1e6
"""Examples in a batch; with fewer a counter is taken for one of steps."""


def counts_examples(step: StepTimeEvidence, clock: StepTimeEvidence, rows: Rows) -> bool:
    """Tell whether a counter rises by whole batches: a printed step then lasts as long as so many of its counts."""
    if step.column not in {"step_time", "steps_rate"} or clock.column not in CLOCKS or clock.trust < CLOCK:
        return False
    batch, stride = step.value / clock.value, stride_of(rows.pairs("step", "step"))
    if 2 <= batch <= PARTS and abs(batch - round(batch)) < WHOLE and max(step.width, clock.width) < WHOLE:
        return True  # so many parts make a step, whose gradients are added up
    if not FEWEST <= batch <= MOST:
        return False
    steps = [int(one) for one, _ in rows.pairs("step", "step") if one]
    common = math.gcd(*steps) if len(steps) >= COUNTED else 0  # batches of one size leave no other counts
    near = ALIKE if FEWEST <= common < stride else EXACT
    whole = common if FEWEST <= common < stride else stride
    return any(whole % size == 0 for size in range(math.ceil(batch * (1 - near)), math.floor(batch * (1 + near)) + 1))


def of_a_batch(evidence: Sequence[StepTimeEvidence], rows: Rows, scales: Scales) -> StepTimeEvidence:
    """Give the first of the evidence; where a clock says that it is of a report of many batches, make it that of one.

    What is printed as a step's time is then all that passed since the last report.
    """
    first, stride = evidence[0], stride_of(rows.pairs("step", "step"))
    if not scales.counts_batches or first.column != "step_time" or stride < FEWEST:
        return first
    clocks = [one for one in evidence if one.column in CLOCKS and one.trust >= CLOCK]
    if not any(abs(mostly(first).value / clock.value / stride - 1) < ALIKE for clock in clocks):
        return first
    return replace(first, source=f"{first.source}, per report", value=first.value / stride, usual=None)
