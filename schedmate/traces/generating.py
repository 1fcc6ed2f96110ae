"""Make traces that look like a published cluster's: skewed durations, days and weeks, resubmissions, early ends."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from schedmate.errors import InputError
from schedmate.traces.columns import Floats, Ints, Labels, Trace
from schedmate.traces.marginals import MARGINALS, Marginals

DAY_S = 86_400.0

PEAK_H, SWING = 15.0, 0.6
"""Most jobs come in the afternoon; at night it is a quarter of that, as in Helios and Acme."""
WEEKEND = 0.7

NODE, WHOLE_NODE = 8, 4.0
"""A whole node is asked for more often than the sizes beside it: by 19 % of Venus's jobs, 4 GPUs by 7 %."""
TEMPLATE_SHARE = 0.6
"""Share of the spread of durations that lies between kinds of job, the rest within one kind."""
RESUBMITTED = 0.5
"""Share of failed jobs that their users send again, minutes after the end."""
PATIENCE_S = 600.0
ENDS = ("COMPLETED", "CANCELLED", "FAILED")


def generate(like: str = "helios", jobs: int = 20_000, days: float = 30.0, seed: int = 0, vcs: int = 1) -> Trace:
    """Draw a trace; the same arguments give the same trace."""
    if like not in MARGINALS:
        raise InputError(f"no cluster '{like}' to be like", f"there are: {', '.join(MARGINALS)}")
    if not 1 <= jobs <= 50_000_000 or not 0 < days <= 3660 or not 1 <= vcs <= 1000:
        raise InputError("a trace has from 1 to 50,000,000 jobs, 1 to 1000 virtual clusters, in at most ten years", "")
    random = np.random.default_rng(seed)
    marginals = MARGINALS[like]
    users = max(2, math.isqrt(jobs))
    user = zipf(random, users, jobs)
    template = user * 8 + zipf(random, 8, jobs)
    end = draw_ends(random, marginals, jobs)
    submit_s = arrivals(random, jobs, days)
    parent = resubmissions(random, end)
    user, template = user[parent], template[parent]
    gpus = sizes(random, marginals, template)
    duration_s = durations(random, marginals, template, end, users * 8)
    again = np.flatnonzero(parent != np.arange(jobs))
    # A chain goes forward in time, so each attempt finds the end of the one before it.
    order = np.argsort(submit_s[parent[again]], kind="stable")
    for job in again[order].tolist():
        before = parent[job]
        moment_s = math.floor(submit_s[before] + duration_s[before] + random.exponential(PATIENCE_S))
        if moment_s < days * DAY_S:
            submit_s[job] = moment_s
    return assemble(like, submit_s, duration_s, gpus, user, template, end, vcs)


def zipf(random: np.random.Generator, kinds: int, count: int) -> Ints:
    """Draw with the k-th kind 1/k as likely as the first."""
    weights = 1 / np.arange(1, kinds + 1)
    return random.choice(kinds, count, p=weights / weights.sum()).astype(np.int64)


def draw_ends(random: np.random.Generator, marginals: Marginals, count: int) -> Ints:
    """Draw how each job ends."""
    shares = np.array([marginals.completed, marginals.cancelled, marginals.failed])
    return random.choice(3, count, p=shares / shares.sum()).astype(np.int64)


def arrivals(random: np.random.Generator, count: int, days: float) -> Floats:
    """Draw submit times from a rate that follows the hours of the day and the days of the week."""
    edges_h = np.arange(0.0, days * 24 + 1e-9, 0.5)
    rate = 1 + SWING * np.cos((edges_h - PEAK_H) / 24 * 2 * np.pi)
    rate = rate * np.where((edges_h // 24).astype(int) % 7 >= 5, WEEKEND, 1.0)
    total = np.concatenate([[0.0], np.cumsum(rate[:-1])]) if len(edges_h) > 1 else np.array([0.0])
    moments = np.interp(np.sort(random.random(count)) * total[-1], total, edges_h) * 3600
    return np.floor(np.asarray(moments, np.float64))


def resubmissions(random: np.random.Generator, end: Ints) -> Ints:
    """Name for each job the failed one that it repeats, or itself."""
    count = len(end)
    parent = np.arange(count)
    failed = np.flatnonzero((end == 2) & (random.random(count) < RESUBMITTED))
    # A later place in the trace is given up for the repetition; the chain must not loop, so parents come first.
    places = np.minimum(failed + 1 + random.integers(0, 50, len(failed)), count - 1)
    for before, after in zip(failed.tolist(), places.tolist(), strict=True):
        if after > before and parent[after] == after and parent[before] == before:
            parent[after] = before
    return parent


def sizes(random: np.random.Generator, marginals: Marginals, template: Ints) -> Ints:
    """Give each kind of job a power of two of GPUs: single ones have their share, the mean is met, large ones are rare.

    Kinds are laid out from the common to the rare, with some noise, and cut where the shares of the sizes end.
    """
    powers = 2 ** np.arange(0, int(math.log2(marginals.most_gpus)) + 1)
    low, high = -2.0, 8.0
    shares = np.ones(len(powers))
    for _ in range(60):
        middle = (low + high) / 2
        weights = np.exp(-middle * np.arange(len(powers) - 1)) * np.where(powers[1:] == NODE, WHOLE_NODE, 1.0)
        shares = np.concatenate([[marginals.single], (1 - marginals.single) * weights / weights.sum()])
        low, high = (middle, high) if float((shares * powers).sum()) > marginals.mean_gpus else (low, middle)
    count = np.bincount(template)
    order = np.argsort(-np.log(np.maximum(count, 0.5)) + random.normal(0, 1.0, len(count)), kind="stable")
    middle_mass = (np.cumsum(count[order]) - count[order] / 2) / len(template)
    size = np.empty(len(count), np.int64)
    size[order] = powers[np.searchsorted(np.cumsum(shares)[:-1], middle_mass)]
    return size[template]


def durations(random: np.random.Generator, marginals: Marginals, template: Ints, end: Ints, templates: int) -> Floats:
    """Draw lognormal run times, longer where the published share of GPU time says so, and meet median and mean."""
    count = len(template)
    between = random.standard_normal(templates)[template] * math.sqrt(TEMPLATE_SHARE)
    normal = between + random.standard_normal(count) * math.sqrt(1 - TEMPLATE_SHARE)
    shares = np.array([marginals.completed, marginals.cancelled, marginals.failed])
    times = np.array([marginals.completed_time, marginals.cancelled_time, marginals.failed_time])
    weight = np.log(times / shares)[end]
    low, high = 0.0, 5.0
    drawn = np.full(count, marginals.median_s)
    for _ in range(40):
        spread = (low + high) / 2
        logs = normal * spread + weight
        drawn = np.exp(logs - np.median(logs)) * marginals.median_s
        drawn = np.clip(np.round(drawn), 1.0, marginals.longest_s)
        low, high = (low, spread) if drawn.mean() > marginals.mean_s else (spread, high)
    return drawn


def assemble(
    like: str,
    submit_s: Floats,
    duration_s: Floats,
    gpus: Ints,
    user: Ints,
    template: Ints,
    end: Ints,
    vcs: int,
) -> Trace:
    """Number the jobs in the order in which they come."""
    count = len(submit_s)
    order = np.argsort(submit_s, kind="stable")
    words = tuple(f"vc{i + 1}" for i in range(vcs)) if vcs > 1 else ("",)
    return Trace(
        name=f"like-{like}",
        job_id=np.arange(1, count + 1),
        submit_s=submit_s[order],
        duration_s=duration_s[order],
        gpus=gpus[order],
        user=numbered("u", user[order]),
        vc=Labels((user[order] % len(words)).astype(np.int32), words),
        job_name=numbered("job", template[order]),
        status=Labels(end[order].astype(np.int32), ENDS),
        kind=Labels.same("", count),
        line=np.zeros(count, np.int64),
    )


def numbered(prefix: str, codes: npt.NDArray[Any]) -> Labels:
    """Give words to numbers."""
    return Labels(codes.astype(np.int32), tuple(f"{prefix}{i}" for i in range(int(codes.max(initial=0)) + 1)))
