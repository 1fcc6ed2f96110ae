"""What a site's records tell of waiting, beside what is replayed: before anything is promised, the past must hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from schedmate.scheduling.simulation.results import Floats, Summary, queues_by_qos, queues_by_size
from schedmate.tools.student import STUDENT
from schedmate.traces.columns import Trace

NAME = "as it was"
STRETCHES = 12

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
    avg_queue_s_by_qos: Mapping[str, float]

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
        avg_queue_s_by_qos=queues_by_qos(trace.rows(known).qos, queue_s),
    )


def classes_of(told: RecordedWaits | Summary) -> dict[str, float]:
    """Give the waits by size and by quality of service."""
    sizes = {f"jobs of {size} GPU{'' if size == '1' else 's'}": s for size, s in told.avg_queue_s_by_gpus.items()}
    return sizes | {f"jobs of QoS {name or 'none'}": s for name, s in told.avg_queue_s_by_qos.items()}


def worst_of(past: RecordedWaits, replay: Summary) -> tuple[float, str]:
    """Give how far a replay is off where it is off most, and of which jobs."""
    now = classes_of(replay)
    return max((abs(now.get(jobs, 0.0) - s) / max(s, BRIEF_S), jobs) for jobs, s in classes_of(past).items())


def nearest_to(past: RecordedWaits, replayed: Sequence[Summary]) -> Summary | None:
    """Choose the replay that comes nearest to the past; None where nothing was played."""
    return min(replayed, key=lambda one: worst_of(past, one)[0], default=None)


def stretches(trace: Trace, queue_s: Floats) -> Floats:
    """Average the queue over equal stretches of the trace; NaN where no job came."""
    begin_s, end_s = float(trace.submit_s[0]), float(trace.submit_s[-1])
    place = np.minimum((trace.submit_s - begin_s) / max(end_s - begin_s, 1.0) * STRETCHES, STRETCHES - 1).astype(int)
    counts = np.bincount(place, minlength=STRETCHES)
    sums = np.bincount(place, weights=queue_s, minlength=STRETCHES)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


@dataclass(frozen=True)
class Change:
    """What a policy would change against the one that replays the past."""

    against: str
    """The policy that comes nearest to the recorded waits."""
    less_wait_s: float
    """How much less jobs would wait on average; below 0: more."""
    low_s: float
    high_s: float
    """The 90 % interval of that, over stretches of the trace."""
    stretches: int

    def told(self, policy: str) -> str:
        """Say it in a line."""
        return (
            f"{policy} instead of {self.against}, which replays the past: jobs would wait "
            f"{abs(self.less_wait_s):,.0f} s {'less' if self.less_wait_s >= 0 else 'more'} on average (90 % interval "
            f"over {self.stretches} stretches of the trace: {self.low_s:,.0f} to {self.high_s:,.0f} s less)"
        )


def changes(
    past: RecordedWaits | None, replayed: Sequence[Summary], waits: Mapping[tuple[str, int], Floats]
) -> dict[tuple[str, int], Change]:
    """Work out what each run would change against the policy that replays the past; nothing where none does."""
    nearest = nearest_to(past, replayed) if past is not None else None
    if past is None or nearest is None or doubt(past, replayed) or (nearest.policy, nearest.seed) not in waits:
        return {}
    found, was_s = dict[tuple[str, int], Change](), waits[nearest.policy, nearest.seed]
    for (policy, seed), now_s in waits.items():
        saved_s = (was_s - now_s)[~np.isnan(was_s - now_s)]
        if policy == nearest.policy or seed != nearest.seed or len(saved_s) < 3:
            continue
        mean, half = float(saved_s.mean()), STUDENT[len(saved_s) - 2] * float(saved_s.std(ddof=1)) / len(saved_s) ** 0.5
        low_s, high_s = round(mean - half, 3), round(mean + half, 3)
        found[policy, seed] = Change(nearest.policy, round(mean, 3), low_s, high_s, len(saved_s))
    return found


def doubt(past: RecordedWaits, replayed: Sequence[Summary]) -> str:
    """Say how far the replay that comes nearest to the past is from it; empty where it is near."""
    nearest = nearest_to(past, replayed)
    if nearest is None:
        return ""
    off, jobs = worst_of(past, nearest)
    if off <= NEAR:
        return ""
    was_s, now_s = classes_of(past)[jobs], classes_of(nearest).get(jobs, 0.0)
    return (
        f"no policy replays the waits that are recorded: the nearest, {nearest.policy}, lets {jobs} "
        f"wait {now_s:,.0f} s where they waited {was_s:,.0f} s; the cluster, its limits or its other jobs are not as "
        "given, so compare policies with each other, not with the past"
    )
