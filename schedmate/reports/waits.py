"""Time lost in queues, and what was asked for and not used."""

import numpy as np

from schedmate.reports.findings import Asked, Limits, Typical, Wait
from schedmate.reports.past import Floats, Ints, Mask, Past

SIZES = (("no GPU", 0, 0), ("1 GPU", 0, 1), ("2 to 8 GPUs", 1, 8), ("9 to 64 GPUs", 8, 64), ("more GPUs", 64, np.inf))
"""The name, more than, up to."""
MOST = 12

LEAST = 5
"""Jobs that a user must have had to be listed by his waits."""
IDLE = 0.05

DECADES = (60.0, 180.0, 600.0, 1800.0, 3600.0, 3 * 3600.0, 6 * 3600.0, 86_400.0, 2 * 86_400.0, 7 * 86_400.0)
"""Where limits and run times are cut for the picture of both."""


def waits(past: Past) -> tuple[Wait, ...]:
    """Tell waits by the number of GPUs."""
    waited_s, known = waited(past)
    gpus = past["gpus"]
    told = [wait("all", waited_s, gpus, known)] if known.any() else []
    for name, above, most in SIZES:
        mine = known & ((gpus == 0) if most == 0 else (gpus > above) & (gpus <= most))
        if mine.any():
            told.append(wait(name, waited_s, gpus, mine))
    return tuple(told)


def waits_by_user(past: Past) -> tuple[Wait, ...]:
    """Tell who waited longest for most GPUs."""
    waited_s, known = waited(past)
    codes, names = past.codes["user"], past.words["user"]
    lost = np.bincount(codes[known], (waited_s * past["gpus"])[known], len(names))
    count = np.bincount(codes[known], minlength=len(names))
    order = [user for user in np.argsort(-lost, kind="stable").tolist() if count[user] >= LEAST and names[user]]
    return tuple(wait(names[user], waited_s, past["gpus"], known & (codes == user)) for user in order[:MOST])


def waited(past: Past) -> tuple[Floats, Mask]:
    """Give from submission to start, and of which jobs it is known."""
    waited_s = past["start_s"] - past["submit_s"]
    return waited_s, waited_s >= 0


def wait(name: str, waited_s: Floats, gpus: Floats, mine: Mask) -> Wait:
    """Write a group's waits."""
    values = waited_s[mine]
    p50, p90, p99 = np.quantile(values, (0.5, 0.9, 0.99)).tolist()
    return Wait(
        name=name,
        jobs=len(values),
        mean_s=round(float(values.mean()), 1),
        p50_s=round(p50, 1),
        p90_s=round(p90, 1),
        p99_s=round(p99, 1),
        gpu_hours=round(float((values * gpus[mine]).sum()) / 3600, 2),
    )


def typical(past: Past) -> Typical | None:
    """Say what a job with GPUs is like; one that never ran is none."""
    ran = (past["gpus"] > 0) & ~np.isnan(past["ran_s"])
    if not ran.any():
        return None
    waited_s, known = waited(past)
    waits_s = waited_s[known & ran]
    return Typical(
        jobs=int(ran.sum()),
        mean_run_s=round(float(past["ran_s"][ran].mean()), 1),
        median_run_s=round(float(np.median(past["ran_s"][ran])), 1),
        mean_gpus=round(float(past["gpus"][ran].mean()), 3),
        mean_wait_s=round(float(waits_s.mean()), 1) if len(waits_s) else None,
        median_wait_s=round(float(np.median(waits_s)), 1) if len(waits_s) else None,
    )


def gpus_asked(past: Past) -> tuple[Asked, ...]:
    """Set what GPUs were asked for beside how busy they were, where anybody measured."""
    return asked(past, past.gpu_hours, past["gpu_util"])


def memory_asked(past: Past) -> tuple[Asked, ...]:
    """Set the hosts' memory that was asked for beside the most that was used."""
    hours = past["memory_asked_gib"] * past["ran_s"] / 3600
    with np.errstate(divide="ignore", invalid="ignore"):
        share = past["memory_used_gib"] / past["memory_asked_gib"]
    return asked(past, hours, np.where(np.isfinite(share), share, np.nan))


def asked(past: Past, hours: Floats, share: Floats) -> tuple[Asked, ...]:
    """Add up by user, whoever left most unused first; all together come before."""
    known = (hours > 0) & ~np.isnan(share)
    if not known.any():
        return ()
    codes, names = past.codes["user"], past.words["user"]
    used = hours * np.minimum(np.nan_to_num(share), 1.0)
    idle = known & (share < IDLE)

    def sums(values: Floats | Mask, which: Mask) -> list[float]:
        added: list[float] = np.bincount(codes[which], values[which], len(names)).tolist()
        return added

    jobs: Ints = np.bincount(codes[known], minlength=len(names))
    wanted, taken, unused = sums(hours, known), sums(used, known), sums(idle, idle)
    order = sorted(np.flatnonzero(jobs).tolist(), key=lambda u: (taken[u] - wanted[u], names[u]))
    rows = [(names[u] or "unknown", jobs[u], wanted[u], taken[u], unused[u]) for u in order[:MOST]]
    every = ("all", known.sum(), hours[known].sum(), used[known].sum(), idle.sum())
    return tuple(
        Asked(name=name, jobs=int(n), asked=round(float(w), 2), used=round(float(t), 2), unused_jobs=int(i))
        for name, n, w, t, i in (every, *rows)
    )


def limits(past: Past) -> Limits | None:
    """Set time limits beside run times."""
    known = (past["limit_s"] > 0) & (past["ran_s"] > 0)
    known &= ~past.having("status", "cancelled", "running", "pending")
    if not known.any():
        return None
    limit_s, ran_s = past["limit_s"][known], past["ran_s"][known]
    p10, p50, p90 = np.quantile(ran_s / limit_s, (0.1, 0.5, 0.9)).tolist()
    size = len(DECADES) + 1
    cells = np.searchsorted(DECADES, limit_s) * size + np.searchsorted(DECADES, ran_s)
    grid = np.bincount(cells, minlength=size * size).reshape(size, size)
    return Limits(
        jobs=int(known.sum()),
        used_p10=round(p10, 4),
        used_p50=round(p50, 4),
        used_p90=round(p90, 4),
        hit=int((known & past.having("status", "timeout")).sum()),
        grid=tuple(tuple(row) for row in grid.tolist()),
    )
