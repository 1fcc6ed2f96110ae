"""Tell how long a step takes now, where printed times differ: by the newest, if it is no single one that fell out."""

from collections.abc import Sequence

NEWS = 1.15
"""So far from the middle the newest time must lie to tell something else."""
NEAR, DRIFTING = 1.1, 1.1
"""So far beyond all others it may lie; so far two times in a row have gone the same way where the pace drifts."""
LEAP = 3.0
"""So much at once a pace does not change by drifting."""
LEAST = 4

UNEVEN = 1.3
"""So far apart lie the quarters of times of which a far one is nothing unusual: no pause among steps that are alike."""


def newest_time(values: Sequence[float], usual: float) -> float | None:
    """Give the newest time where it lies far from the usual one, and is no pause: that comes now and then, alone."""
    if len(values) < LEAST:
        return None
    newest, others = values[-1], values[:-1]
    if not is_far(newest, usual):
        return None
    is_met = min(others) / NEAR < newest < max(others) * NEAR
    stays = is_far(others[-1], usual) and (others[-1] > usual) == (newest > usual)
    return newest if (is_met and stays) or is_one_of_uneven(newest, others) or drifts(values) else None


def is_far(value: float, usual: float) -> bool:
    """Tell a time that says something else than the usual one."""
    return not usual / NEWS <= value <= usual * NEWS


def is_one_of_uneven(newest: float, others: Sequence[float]) -> bool:
    """Tell a time of those of which half differ from each other, as far as all but a few of them do."""
    ordered, few = sorted(others), len(others) // 4
    low, high = ordered[few], ordered[-1 - few]
    return high > UNEVEN * low and low / NEAR < newest < high * NEAR


def drifts(values: Sequence[float]) -> bool:
    """Tell whether the last two moves went the same way, and far, but by no leap."""
    before, last, newest = values[-3:]
    up = before * DRIFTING < last and last * DRIFTING < newest < last * LEAP
    return up or (before > last * DRIFTING and newest * LEAP > last > newest * DRIFTING)
