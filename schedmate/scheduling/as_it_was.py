"""What a site's records tell of waiting, beside what is replayed: before anything is promised, the past must hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from schedmate.scheduling.results import Summary, queues_by_size
from schedmate.traces.columns import Trace

NAME = "as it was"
ENOUGH = 0.9
"""The share of jobs whose starts must be known."""
NEAR, BRIEF_S = 0.15, 60.0
"""A replay is near that is off by no more than this part, of a minute where jobs hardly waited."""


@dataclass(frozen=True)
class RecordedWaits:
    """The waits that a trace tells of."""

    jobs: int
    avg_jct_s: float
    median_jct_s: float
    p99_jct_s: float
    avg_queue_s: float
    p999_queue_s: float
    avg_queue_s_by_gpus: Mapping[str, float]

    def fields(self) -> dict[str, object]:
        """Give the names and values in order, as a policy's."""
        return {"policy": NAME, **vars(self)}


def recorded(trace: Trace) -> RecordedWaits | None:
    """Read the waits of those jobs whose starts are known; None where that is not enough of them."""
    known: npt.NDArray[np.bool_] = trace.waited_s >= 0
    if not len(known) or known.mean() < ENOUGH:
        return None
    queue_s = trace.waited_s[known]
    jct_s = queue_s + trace.duration_s[known]
    return RecordedWaits(
        jobs=len(queue_s),
        avg_jct_s=round(float(jct_s.mean()), 3),
        median_jct_s=round(float(np.median(jct_s)), 3),
        p99_jct_s=round(float(np.quantile(jct_s, 0.99)), 3),
        avg_queue_s=round(float(queue_s.mean()), 3),
        p999_queue_s=round(float(np.quantile(queue_s, 0.999)), 3),
        avg_queue_s_by_gpus=queues_by_size(trace.gpus[known], queue_s),
    )


def doubt(past: RecordedWaits, replayed: Sequence[Summary]) -> str:
    """Say how far the replay that comes nearest to the past is from it; empty where it is near."""
    nearest, size, off = "", "", float("inf")
    for summary in replayed:
        worst, where = max(
            (abs(summary.avg_queue_s_by_gpus.get(size, 0.0) - queue_s) / max(queue_s, BRIEF_S), size)
            for size, queue_s in past.avg_queue_s_by_gpus.items()
        )
        if worst < off:
            nearest, size, off = summary.policy, where, worst
    if not nearest or off <= NEAR:
        return ""
    was_s = past.avg_queue_s_by_gpus[size]
    now_s = next(one for one in replayed if one.policy == nearest).avg_queue_s_by_gpus.get(size, 0.0)
    jobs = f"jobs of {size} GPU{'' if size == '1' else 's'}"
    return (
        f"no policy replays the waits that are recorded: the nearest, {nearest}, lets {jobs} wait {now_s:,.0f} s where "
        f"they waited {was_s:,.0f} s; the cluster, its limits or its other jobs are not as given, so compare policies "
        "with each other, not with the past"
    )
