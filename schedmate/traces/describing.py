"""What a trace is like, in numbers."""

import math
from dataclasses import dataclass

import numpy as np

from schedmate.traces.columns import Labels, Trace

DAY_S = 86_400.0
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class Described:
    """A trace in numbers; shares are of its jobs."""

    trace: str
    jobs: int
    span_days: float
    gpu_hours: float
    gpus_busy_mean: float | None
    users: int
    virtual_clusters: int
    names: int
    duration_mean_s: float | None
    duration_quantiles_s: dict[str, float]
    gpus_mean: float
    gpus_max: int
    gpus_share: dict[str, float]
    """The eight most usual numbers of GPUs."""
    status_share: dict[str, float]
    kind_share: dict[str, float]
    hour_share: list[float]
    """Of each hour of the day, from 0."""
    notes: list[str]


def describe(trace: Trace) -> Described:
    """Count jobs, sizes, durations, ends, users, and when jobs come."""
    span_s = float(trace.submit_s[-1] - trace.submit_s[0])
    timed = trace.duration_s[~np.isnan(trace.duration_s)]
    gpu_h = float((trace.gpus * np.nan_to_num(trace.duration_s)).sum()) / 3600
    hours = np.bincount((trace.submit_s % DAY_S // 3600).astype(int), minlength=24) / len(trace)
    sizes, counts = np.unique(trace.gpus, return_counts=True)
    common = np.argsort(-counts, kind="stable")[:8]
    return Described(
        trace=trace.name,
        jobs=len(trace),
        span_days=round(span_s / DAY_S, 3),
        gpu_hours=round(gpu_h, 1),
        gpus_busy_mean=round(gpu_h * 3600 / span_s, 2) if span_s else None,
        users=present(trace.user),
        virtual_clusters=present(trace.vc),
        names=present(trace.job_name),
        duration_mean_s=round(float(timed.mean()), 1) if len(timed) else None,
        duration_quantiles_s={f"p{q * 100:g}": round(float(np.quantile(timed, q)), 1) for q in QUANTILES}
        if len(timed)
        else {},
        gpus_mean=round(float(trace.gpus.mean()), 3),
        gpus_max=math.ceil(trace.gpus.max()),
        gpus_share={f"{sizes[i]:g}": round(int(counts[i]) / len(trace), 4) for i in common},
        status_share=shares(trace.status),
        kind_share=shares(trace.kind),
        hour_share=[round(float(share), 4) for share in hours],
        notes=list(trace.notes),
    )


def present(labels: Labels) -> int:
    """Count the words in use, the empty one aside."""
    return len({labels.words[code] for code in np.unique(labels.codes)} - {""})


def shares(labels: Labels) -> dict[str, float]:
    """Give each word's share of the jobs, the largest first; empty when no job has one."""
    counts = np.bincount(labels.codes, minlength=len(labels.words))
    found = {
        labels.words[i] or "(none)": round(int(counts[i]) / len(labels.codes), 4) for i in np.argsort(-counts)[:12]
    }
    return {} if set(found) <= {"(none)"} else {word: share for word, share in found.items() if share}
