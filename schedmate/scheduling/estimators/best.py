"""Whatever serves the user most: all opinions on a job's duration, weighed online by how well each does for this user.

The opinions: runs of the same thing and similar jobs (as the paper has it), the latest and the usual among the user's
and the cluster's jobs, and trees on all of these, trained beside the decision path. Where nothing is similar, the
groups speak, and the answer says so.
"""

import math
from dataclasses import dataclass

import numpy as np

from schedmate.counts import how_many
from schedmate.history.expectation import expect
from schedmate.scheduling.estimators.advisor import Advisor
from schedmate.scheduling.estimators.calibration import Calibration
from schedmate.scheduling.estimators.groups import LEVELS, Groups, JobGroup, features, places
from schedmate.scheduling.estimators.lightgbm import boost
from schedmate.scheduling.estimators.mixture import Array, Mixture
from schedmate.scheduling.estimators.published import moment
from schedmate.scheduling.estimators.retraining import DAY_S, Retraining
from schedmate.schemas import Estimate, Job, PastJob, Workload

RETRAIN_S = 4 * DAY_S
TREES = 120

LOOSE = {"feature_fraction": 0.3, "extra_trees": True}
"""Few features for each tree, split where chance says: they tell much the same, and what a month says passes."""
PLACES = 10
"""What the groups propose; beside it stand the advisor's answer, similar jobs, and the trees."""
FAITH = 4.0
"""Log weight by which the advisor is believed more than others before anything is seen."""
SHARES = (0.1, 0.5, 0.9)
LATEST = 8

TAIL = tuple(np.linspace(0.05, 0.95, 19).tolist())
"""Quantiles that stand for the whole where a mean is asked for; what lies beyond is learned from what came."""
NEW = 20
"""Jobs that a user has sent up to which he counts as new, ended or not: most of what is said of him is of others."""
TREES_SHARE, FAR = 0.6, 3.0
"""How far the middle goes to meet the trees where they are far off, and what is far, in log seconds.

Who repeats himself is told to the minute by his latest run, and the trees agree; where they do not, the mixture has
taken one habit of a user for all of them, and trees on everybody's past put jobs in a better order.
"""
OPEN = 100_000
"""Jobs under way whose opinions are kept; beyond, the earliest teach no weights any more."""


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of a job when it came, as it is judged at its end; logarithms of seconds."""

    opinions: Array
    features: Array
    middle: float
    ends: tuple[float, float]
    mean_s: float
    """As the mixture has it, before it is held against what came."""
    is_new: bool
    """Whether little was known of the user."""


class LogTrees:
    """Trees on log durations, for their median."""

    def __init__(self, rows: list[Array], targets: Array) -> None:
        self.booster = boost(np.stack(rows), targets, "l1", [], TREES, **LOOSE)

    def predict(self, rows: Array) -> Array:
        """Give log seconds."""
        return np.asarray(self.booster.predict(rows, num_threads=1), float)


class Best:
    """Learns at once from every end; only the trees lag behind, and never block."""

    def __init__(self, advisor: Advisor | None = None, *, trees: bool = True, in_background: bool = True) -> None:
        self.advisor = advisor
        self.groups = Groups()
        self.mixture = Mixture([0.0] * PLACES + [FAITH, 0.0, 0.0])
        self.calibration = Calibration()
        self.open: dict[str, Said] = {}
        self.asked: tuple[str, float, Said] | None = None
        self.retraining: Retraining[Array] | None = None
        if trees:
            self.retraining = Retraining(LogTrees, every_s=RETRAIN_S, in_background=in_background)

    def estimate(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> Estimate:
        """Mix what is known into quantiles, and tell what they rest on."""
        groups = self.groups.seen(job)
        evidence = self.evidence(job, workload, groups)
        at_s = moment(job, at_s)
        said = self.say(job, workload, groups, at_s)
        self.asked = job.job_id, at_s, said
        if math.isnan(said.middle):
            return evidence
        quantiles = {"duration_p10_s": said.ends[0], "duration_p50_s": said.middle, "duration_p90_s": said.ends[1]}
        durations = {name: round(math.exp(place), 1) for name, place in quantiles.items()}
        durations["duration_mean_s"] = round(self.calibration.mean_s(said.mean_s), 1)
        return evidence.model_copy(update=durations)

    def say(self, job: Job, workload: Workload | None, groups: list[JobGroup], at_s: float) -> Said:
        """Mix the opinions; NaN where nobody has any."""
        opinions, seen = self.opinions(job, workload, groups, at_s)
        if np.isnan(opinions).all():
            return Said(opinions, seen, math.nan, (math.nan, math.nan), math.nan, True)
        low, middle, high, *tail = self.mixture.quantiles(job.user, opinions, (*SHARES, *TAIL))
        middle = met(middle, float(opinions[PLACES + 2]))
        is_new = groups[LEVELS.index("user")].sent < NEW
        ends = self.calibration.ends(low, middle, high, is_new)
        return Said(opinions, seen, middle, ends, float(np.exp(tail).mean()), is_new)

    def evidence(self, job: Job, workload: Workload | None, groups: list[JobGroup]) -> Estimate:
        """Give all but the duration: from the same runs, else from similar jobs, else from the closest group."""
        if self.advisor is not None:
            known = self.advisor.estimate(job, workload)
            if known.source != "fallback":
                return known
        for level, group in zip(LEVELS, groups, strict=True):
            if group.count:
                latest = list(group.jobs)[-LATEST:]
                told = f"nothing similar is known: rests on {how_many(group.count, 'job')} of the {level}"
                return Estimate(rests_on=tuple(reversed(latest)), notes=(told,), **fates(group))
        return Estimate(notes=("no similar job has ended yet: nothing is known",))

    def opinions(self, job: Job, workload: Workload | None, groups: list[JobGroup], at_s: float) -> tuple[Array, Array]:
        """Gather the experts' log durations, and the features that the trees saw."""
        seen = features(job, groups, at_s)
        proposed = [*places(groups), math.nan, math.nan, math.nan]
        if self.advisor is not None:
            alike = self.advisor.alike(workload)
            found = self.advisor.resubmitted(job) or alike
            for place, rests_on in ((PLACES, found), (PLACES + 1, alike)):
                said = expect(rests_on, "similar").get("duration_p50_s") if rests_on else None
                proposed[place] = math.log(max(said, 1.0)) if said else math.nan
        if self.retraining is not None and self.retraining.model is not None:
            proposed[PLACES + 2] = float(self.retraining.model.predict(seen[None, :])[0])
        return np.array(proposed), seen

    def begin(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> None:
        """Remember what each expert said, to judge it at the job's end; then take the submission in."""
        at_s = moment(job, at_s)
        if self.retraining is not None:
            self.retraining.tick(at_s)
        # A job is nearly always asked about in the moment in which it is submitted.
        if self.asked is not None and self.asked[:2] == (job.job_id, at_s):
            self.open[job.job_id] = self.asked[2]
        else:
            self.open[job.job_id] = self.say(job, workload, self.groups.seen(job), at_s)
        if len(self.open) > OPEN:
            del self.open[next(iter(self.open))]
        self.groups.begin(job, at_s)

    def learn(self, past: PastJob) -> None:
        """Judge the experts and teach them all; a job that was never asked about is judged as if it came now."""
        duration_s = past.duration_s
        if duration_s is None:
            return
        truth = math.log(max(duration_s, 1.0))
        said = self.open.pop(past.job.job_id, None)
        if said is None:
            # Queues ask only about those that wait: what would be said of this one before its end is known is judged.
            said = self.say(past.job, past.workload, self.groups.seen(past.job), moment(past.job))
        self.mixture.learn(past.job.user, said.opinions, truth)
        if not math.isnan(said.middle):
            self.calibration.learn(said.mean_s, said.ends, truth, said.is_new)
        if self.retraining is not None:
            self.retraining.add(said.features, truth)
        self.groups.learn(past.job, duration_s, past.known_s or moment(past.job) + duration_s)
        if self.advisor is not None:
            self.advisor.learn(past)


def met(middle: float, trees: float) -> float:
    """Move the mixture's middle towards the trees, the more the farther they are from it."""
    if math.isnan(trees):
        return middle
    return middle + TREES_SHARE * (1 - math.exp(-(((trees - middle) / FAR) ** 2))) * (trees - middle)


def fates(group: JobGroup) -> dict[str, float]:
    """Give the chances of failure and cancellation among a group's latest ends."""
    told = [fate for fate in group.fates if fate != "unknown"]
    if not told:
        return {}
    failed = sum(fate in {"failed", "timeout", "node_fail"} for fate in told)
    total = len(told) + 1
    return {
        "p_failure": round((failed + 0.2) / total, 3),
        "p_cancel": round((told.count("cancelled") + 0.2) / total, 3),
    }
