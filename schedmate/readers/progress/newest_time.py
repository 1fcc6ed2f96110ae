"""Tell how long a step takes now, where printed times differ: by the newest, if it is no single one that fell out."""

from collections.abc import Sequence

NEWS = 1.15
"""So far from the middle the newest time must lie to tell something else."""
NEAR, DRIFTING = 1.1, 1.1
"""So far beyond all others it may lie; so far two times in a row have gone the same way where the pace drifts."""
LEAST = 4


def newest_time(values: Sequence[float], usual: float) -> float | None:
    """Give the newest time where it lies far from the usual one, but among the others, or where the last ones lead."""
    if len(values) < LEAST:
        return None
    newest, others = values[-1], values[:-1]
    if usual / NEWS <= newest <= usual * NEWS:
        return None
    return newest if min(others) / NEAR < newest < max(others) * NEAR or drifts(values) else None


def drifts(values: Sequence[float]) -> bool:
    """Tell whether the last two moves went the same way, and far."""
    before, last, newest = values[-3:]
    up = before * DRIFTING < last and last * DRIFTING < newest
    return up or (before > last * DRIFTING and last > newest * DRIFTING)
