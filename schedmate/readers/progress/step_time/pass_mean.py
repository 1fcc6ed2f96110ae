"""Read a step's time from means over a pass so far, as they are printed or stand behind the time that is left."""

from collections.abc import Sequence

from schedmate.readers.progress.rows.rows import Rows
from schedmate.readers.progress.step_time.evidence import StepTimeEvidence
from schedmate.readers.progress.step_time.running_mean import running_mean

BEGUN = 0.25
"""Of a pass: before so much of it is over its mean is that of its first steps."""
DIGITS, FRESH = 20.0, 1.01
"""How many times the last printed digit a time must be, and what is believed of what is newer than what is printed."""
ONE, OF_ONE = 1.2, 0.2
"""Between one and one and a half lies about what is rounded to one, and never below."""
FEW, UNSETTLED = 4, 0.55
"""So few reports of a first pass, whose first step lasts long, are believed so much."""


def newest_mean(pairs: Sequence[tuple[float, float]], total: float | None) -> float | None:
    """Give the newest mean over a pass that has come far enough for its first steps to weigh little."""
    far = [value for step, value in pairs if step > BEGUN * (total or 0.0) and step > 1 and value > 0]
    return far[-1] if far else None


def one_of_its_unit(found: tuple[float, float] | None, half: float) -> tuple[float, float] | None:
    """Read `1s/step` as what is rounded down to one: Keras prints less in the next smaller unit, as `640ms/step`."""
    return (ONE * found[0], OF_ONE) if found and half and found[0] == 2 * half else found


def mean_left(rows: Rows, total: float, half: float) -> StepTimeEvidence | None:
    """Read what is left as the mean of the newest pass's steps times those to come: the first is no such mean.

    If it is longer it outdates a mean that was printed as an earlier pass ended, which holds its evaluation too. Of a
    pass that is nearly over the digits that are printed tell less than they did before.
    """
    points = rows.pairs("step", "eta")
    begun = max((at for at in range(1, len(points)) if points[at][0] < points[at - 1][0]), default=0)
    own = [(step, eta) for step, eta in points[begun:] if 1 < step < total and eta > 0]
    if not own:
        return None
    means = [(step, (eta + half) / (total - step)) for step, eta in own]  # parts of a second are cut off
    at = max((at for at, (_, eta) in enumerate(own) if eta > DIGITS * half), default=0)
    value = running_mean(means[: at + 1]) or means[at][1]
    told, newest = rows.last("step_time"), rows.last("eta")
    is_newer = newest is not None and (told is None or (told[1] < newest[1] and told[0] < value))
    trust = FRESH if is_newer and len(own) >= FEW else UNSETTLED
    return StepTimeEvidence("mean of the pass, by what is left", value, half / own[at][1], trust, "eta")
