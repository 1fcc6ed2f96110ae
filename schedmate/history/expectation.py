"""What past runs let one expect of the next: quantiles of the duration, resources, and the chance of a bad end.

Durations spread over orders of magnitude, so all is done on their logarithms. Few runs say little about their own
spread: a prior spread, worth a run or two, keeps the interval of a single run honest.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from schedmate.history.gpu_memory import need_beside, ran_out_of_memory
from schedmate.history.similarity.comparing import Likeness
from schedmate.history.similarity.fields import name_of, number_of
from schedmate.schemas import Estimate, PastJob, SimilarJob, Workload

SHORTEST_S = 1.0

SPREAD = {"resubmission": 0.5, "similar": 0.9}
"""Standard deviation of the log duration that is assumed before anything is seen: a factor of 1.6, of 2.5."""
PRIOR_RUNS = 1.5

BASE_FAILURE, BASE_CANCEL = 0.2, 0.2
"""Shares of jobs that fail and that are cancelled in published traces, roughly; they count as one run."""
Z90 = 1.2816

RECENT = 0.85
"""How much less each older run of the same thing counts: what people run again, they change on the way."""
SIZES = (("global_batch_size", 0.8), ("sequence_length", 0.8), ("param_size", 0.8), ("num_gpus", -0.8))
"""How the time of a step grows with what is processed in it and shrinks with GPUs: less than in proportion."""
NEAREST = 3
"""How many of the most alike, or of the latest runs of the same thing, the mean is of: the paper's (4.3)."""
LOSS = 20.0
"""How fast a similar job's weight falls with its raw likeness: 0.05 less counts a third."""
MOST_SCALING = math.log(100.0)


FEW_JOBS = 3
"""Fewer past jobs than these tell nothing of how durations spread and how often jobs fail."""


@dataclass(frozen=True, slots=True)
class Evidenced:
    """A past job, how alike it is (None for a run of the same thing), and how much it counts."""

    past: PastJob
    weight: float
    likeness: Likeness | None = None
    scale: float = 1.0
    """Factor on its duration for being larger or smaller than the job asked about."""
    tells_duration: bool = True
    """Whether its duration says how long the job asked about will take, as far as memory goes."""


def expect(found: Sequence[Evidenced], source: str) -> dict[str, Any]:
    """Give the fields of an estimate that rest on some past jobs."""
    ended = [one for one in found if one.past.duration_s is not None]
    ended = [one for one in ended if one.tells_duration] or ended
    fields: dict[str, Any] = {**durations(ended, SPREAD[source]), **fates(found)}
    if ended:
        nearest = [max((one.past.duration_s or 0.0) * one.scale, SHORTEST_S) for one in ended[:NEAREST]]
        fields["duration_mean_s"] = round(sum(nearest) / len(nearest), 1)
    hardware = [(one.past.hardware, one.weight) for one in found if one.past.hardware is not None]
    fields["gpu_util"] = mean([(h.gpu_util, w) for h, w in hardware])
    fields["gpu_memory_gib"] = mean([(h.gpu_memory_gib, w) for h, w in hardware])
    speeds = [(one.past.metrics, one.weight) for one in found if one.past.metrics is not None]
    fields["throughput"] = mean([(m.throughput, w) for m, w in speeds])
    if fields["throughput"] is not None:
        fields["throughput_unit"] = next((m.throughput_unit for m, _ in speeds if m.throughput is not None), None)
    return fields


def durations(ended: Sequence[Evidenced], prior: float) -> dict[str, float]:
    """Give the weighted median, and an interval that is wide where runs are few or disagree."""
    if not ended:
        return {}
    places = [(math.log(max((one.past.duration_s or 0.0) * one.scale, SHORTEST_S)), one.weight) for one in ended]
    middle = weighted_median(places)
    total = sum(weight for _, weight in places)
    runs = total**2 / sum(weight**2 for _, weight in places)
    seen = sum(weight * (place - middle) ** 2 for place, weight in places) / total
    spread = math.sqrt((PRIOR_RUNS * prior**2 + runs * seen) / (PRIOR_RUNS + runs) * (1 + 1 / runs))
    return {
        "duration_p50_s": round(math.exp(middle), 1),
        "duration_p90_s": round(math.exp(middle + Z90 * spread), 1),
        "duration_p10_s": round(math.exp(middle - Z90 * spread), 1),
    }


def weighted_median(places: Sequence[tuple[float, float]]) -> float:
    """Give the value with half of the weight on each side; between two equal halves, the middle."""
    ordered = sorted(places)
    half, below = sum(weight for _, weight in ordered) / 2, 0.0
    for index, (place, weight) in enumerate(ordered):
        below += weight
        if math.isclose(below, half) and index + 1 < len(ordered):
            return (place + ordered[index + 1][0]) / 2
        if below > half:
            return place
    return ordered[-1][0]


def fates(found: Sequence[Evidenced]) -> dict[str, float]:
    """Give the chances of failure and of cancellation; what was usual elsewhere counts as one run."""
    told = [(one.past.job.status, one.weight) for one in found if one.past.job.status != "unknown"]
    if not told:
        return {}
    total = sum(weight for _, weight in told) + 1
    failed = sum(weight for status, weight in told if status in {"failed", "timeout", "node_fail"})
    cancelled = sum(weight for status, weight in told if status == "cancelled")
    return {
        "p_failure": round((failed + BASE_FAILURE) / total, 3),
        "p_cancel": round((cancelled + BASE_CANCEL) / total, 3),
    }


def mean(values: Sequence[tuple[float | None, float]]) -> float | None:
    """Give the weighted mean of what is known."""
    known = [(value, weight) for value, weight in values if value is not None]
    return round(sum(v * w for v, w in known) / sum(w for _, w in known), 4) if known else None


def scale_between(now: Workload, then: Workload) -> float:
    """Give the factor between two durations that their sizes explain: steps in proportion, the rest less.

    A size counts only where both know it; epochs stand in for steps where both train on data of one name.
    """
    steps = gap(now, then, "total_steps")
    factor = steps if steps is not None else gap(now, then, "epochs") or 0.0
    for name, power in SIZES:
        # A larger batch makes a step longer, and an epoch no longer.
        if name == "global_batch_size" and steps is None:
            continue
        factor += power * (gap(now, then, name) or 0.0)
    return math.exp(max(-MOST_SCALING, min(MOST_SCALING, factor)))


def gap(now: Workload, then: Workload, field: str) -> float | None:
    """Give the log ratio of a field; None where either is unknown or zero."""
    here, there = number_of(now, field), number_of(then, field)
    return math.log(here) - math.log(there) if here and there else None


def resubmissions(runs: Sequence[PastJob]) -> list[Evidenced]:
    """Weigh runs of the same thing, latest first."""
    return [Evidenced(past, RECENT**place) for place, past in enumerate(runs)]


def similar_jobs(workload: Workload, found: Sequence[tuple[PastJob, Likeness]], scaled: bool = True) -> list[Evidenced]:
    """Weigh similar jobs: what is a little less alike counts much less."""
    best = max((likeness.raw for _, likeness in found), default=0.0)
    evidence = [
        Evidenced(
            past,
            math.exp(LOSS * (likeness.raw - best)),
            likeness,
            scale_between(workload, past.workload)
            if scaled and past.workload is not None and not ran_out_of_memory(past)
            else 1.0,
        )
        for past, likeness in found
    ]
    return by_memory(workload, evidence)


def by_memory(workload: Workload, found: Sequence[Evidenced]) -> list[Evidenced]:
    """Settle whose durations count: memory that was too small is so for who needs as much.

    It is nothing to others, and not sure where somebody who needs as much got through.
    """
    needs = [need_beside(workload, one.past.workload) if ran_out_of_memory(one.past) else "" for one in found]
    is_sure = "as much" in needs and not any(got_through(workload, one.past) for one in found)
    return [
        replace(one, tells_duration=need == "as much" if is_sure else need != "less")
        for one, need in zip(found, needs, strict=True)
    ]


def got_through(workload: Workload, past: PastJob) -> bool:
    """Tell whether a job that needs as much, or more, came to its own end."""
    then = past.workload
    return past.job.status == "completed" and then is not None and need_beside(then, workload) == "as much"


def told_by_ends(found: Sequence[Evidenced]) -> list[Evidenced]:
    """Take cancelled runs for what they are: how long they would have gone on nobody knows.

    One of them is a bound from below. It tells something where it is longer than all that came to an end, and nothing
    where nothing did.
    """
    ends = [one for one in found if one.tells_duration and knows_end(one)]
    longest = max(((one.past.duration_s or 0.0) * one.scale for one in ends), default=math.inf)
    return [
        replace(
            one,
            tells_duration=one.tells_duration
            and (knows_end(one) or (one.past.duration_s or 0.0) * one.scale > longest),
        )
        for one in found
    ]


def knows_end(one: Evidenced) -> bool:
    """Tell whether a past job ran until something other than a person's word ended it."""
    return one.past.duration_s is not None and one.past.job.status != "cancelled"


def estimate_from(found: Sequence[Evidenced], source: str) -> Estimate:
    """Give an estimate that rests on the jobs found, none of whose details are told."""
    ids = tuple(one.past.job.job_id for one in found)
    return Estimate.model_validate({"source": source, "rests_on": ids, **expect(found, source)})


def expected_s(estimate: Estimate) -> float | None:
    """Give the one duration that is told and ranked by: the mean, else the median."""
    return estimate.duration_p50_s if estimate.duration_mean_s is None else estimate.duration_mean_s


def rests_on_few(estimate: Estimate) -> bool:
    """Tell whether so few past jobs are behind it that its ranges and chances are what is assumed of any job."""
    return len(estimate.rests_on) < FEW_JOBS


def similar_job(one: Evidenced, workload: Workload | None) -> SimilarJob:
    """Tell a past job, and in which fields it is like the one asked about; a run of the same is like it in all."""
    past, likeness = one.past, one.likeness
    compared: dict[str, tuple[str, str]] = {}
    if likeness is not None and workload is not None and past.workload is not None:
        for name in (*likeness.agrees, *likeness.differs):
            compared[name] = name_of(workload, name), name_of(past.workload, name)
    return SimilarJob(
        job_id=past.job.job_id,
        similarity=1.0 if likeness is None else round(likeness.similarity, 4),
        duration_s=past.duration_s,
        status=past.job.status,
        agrees=("user", "workdir", "command", "git_branch") if likeness is None else likeness.agrees,
        differs=() if likeness is None else likeness.differs,
        compared=compared,
        gpu_util=past.hardware.gpu_util if past.hardware else None,
        gpu_memory_gib=past.hardware.gpu_memory_gib if past.hardware else None,
        user=past.job.user,
        source=past.source,
    )
