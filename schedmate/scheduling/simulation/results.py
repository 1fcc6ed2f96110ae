"""What became of each job, and the figures that are quoted of it."""

import math
from array import array
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

import numpy as np
import numpy.typing as npt

from schedmate.clusters import LiveJob
from schedmate.scheduling.view import Action
from schedmate.scheduling.virtual_cluster import VirtualCluster
from schedmate.traces.columns import Labels, Sizes

Floats = npt.NDArray[np.float64]

MOST_QOS = 8
"""Qualities of service that are told one by one."""


@dataclass
class Outcomes:
    """One row a job, by the job's number; NaN where a job has not ended."""

    submit_s: Floats
    duration_s: Floats
    gpus: Sizes
    user: npt.NDArray[np.int32]
    first_start_s: Floats
    end_s: Floats
    run_s: Floats
    queue_s: Floats
    preemptions: npt.NDArray[np.int32]
    fairness: Floats
    """Finish-time fairness: JCT over the time that a fair share of the contended cluster would have taken."""

    @property
    def jct_s(self) -> Floats:
        """Give the time from submission to the end."""
        return self.end_s - self.submit_s


class Recorder:
    """Writes outcomes down as the loop runs."""

    def __init__(self, submit_s: Floats, duration_s: Floats, gpus: Sizes) -> None:
        count = len(submit_s)
        self.duration_s, self.gpus = duration_s, gpus
        # Python's own arrays while jobs end one by one: numpy's take single values slowly.
        self._known_s, self._submitted_s = array("d", duration_s.tolist()), array("d", submit_s.tolist())
        unknown, none = array("d", [math.nan]) * count, array("d", [0.0]) * count
        self._first_start_s, self._end_s, self._fairness = unknown[:], unknown[:], unknown
        self._run_s, self._preemptions = none[:], array("i", [0]) * count
        self._demand_s, self._since_s = none[:], none[:]
        """How contended the cluster had been up to when each job came."""

    @property
    def first_start_s(self) -> Floats:
        """Give when each job first started."""
        return np.array(self._first_start_s, float)

    @property
    def end_s(self) -> Floats:
        """Give when each job ended."""
        return np.array(self._end_s, float)

    @property
    def preemptions(self) -> npt.NDArray[np.int32]:
        """Give how often each job was stopped."""
        return np.array(self._preemptions, np.int32)

    @property
    def run_s(self) -> Floats:
        """Give how long each job was on GPUs."""
        return np.array(self._run_s, float)

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """Remember how contended the cluster was so far."""
        self._demand_s[job.number], self._since_s[job.number] = part.demand_s, part.since_s

    def move(self, number: int, submit_s: float) -> None:
        """Take down that a job comes at another time than in the trace."""
        self._submitted_s[number] = submit_s

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """Write the job's row."""
        number, now_s = job.number, part.since_s
        self._first_start_s[number] = job.first_start_s
        self._end_s[number] = now_s
        self._run_s[number] = job.served_s
        self._preemptions[number] = job.preemptions
        span_s = now_s - self._since_s[number]
        contention = (part.demand_s - self._demand_s[number]) / span_s if span_s > 0 else 1.0
        took_s = now_s - self._submitted_s[number]
        known_s = self._known_s[number]
        # Where a duration follows from the run itself, the time on GPUs stands in for it.
        alone_s = max(job.served_s if math.isnan(known_s) else known_s, 1.0)
        self._fairness[number] = max(took_s, 1.0) / (alone_s * max(contention, 1.0))

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Hear nothing: rows are written at the end."""

    def outcomes(self, user: npt.NDArray[np.int32]) -> Outcomes:
        """Give the rows."""
        submit_s, end_s, run_s = np.array(self._submitted_s, float), self.end_s, self.run_s
        return Outcomes(
            submit_s,
            np.where(np.isnan(self.duration_s), run_s, self.duration_s),
            self.gpus,
            user,
            self.first_start_s,
            end_s,
            run_s,
            end_s - submit_s - run_s,
            self.preemptions,
            np.array(self._fairness, float),
        )


@dataclass(frozen=True)
class Summary:
    """One line of `simulate --json`."""

    policy: str
    trace: str
    jobs: int
    avg_jct_s: float
    median_jct_s: float
    p99_jct_s: float
    avg_queue_s: float
    p999_queue_s: float
    makespan_s: float
    gpu_utilisation: float
    preemptions: int
    evictions: int
    jain_index: float
    finish_time_fairness_p95: float
    profiling_gpu_h: float
    cpu_s: float
    seed: int
    avg_queue_s_by_gpus: Mapping[str, float] = field(default_factory=dict)
    """By the number of GPUs: a part of one, one, up to a node's eight, more."""
    avg_queue_s_by_qos: Mapping[str, float] = field(default_factory=dict)
    """By quality of service, the commonest; empty where the trace names none."""

    def fields(self) -> dict[str, object]:
        """Give the names and values in order."""
        return asdict(self)


def queues_by_size(gpus: Sizes, queue_s: Floats) -> dict[str, float]:
    """Average the queue over jobs of a part of a GPU, of one, of up to eight, and of more."""
    classes = {"part of 1": gpus < 1, "1": gpus == 1, "2 to 8": (gpus > 1) & (gpus <= 8), "more than 8": gpus > 8}
    return {name: round(float(queue_s[which].mean()), 3) for name, which in classes.items() if which.any()}


def queues_by_qos(qos: Labels, queue_s: Floats) -> dict[str, float]:
    """Average the queue over jobs of each quality of service, the commonest first."""
    if not len(qos.codes):
        return {}
    counts = np.bincount(qos.codes, minlength=len(qos.words))
    common = [place for place in np.argsort(-counts, kind="stable")[:MOST_QOS].tolist() if counts[place]]
    return {qos.words[place]: round(float(queue_s[qos.codes == place].mean()), 3) for place in common}


def jain_index(outcomes: Outcomes) -> float:
    """Score evenness from 0 to 1 over users: a user's share is the mean of duration over JCT of his jobs.

    Where a trace names no users each job counts for itself.
    """
    share = outcomes.duration_s / np.maximum(outcomes.jct_s, 1.0)
    if outcomes.user.max(initial=0) > 0:
        count = np.bincount(outcomes.user)
        share = np.bincount(outcomes.user, weights=share)[count > 0] / count[count > 0]
    square = float(np.square(share).sum())
    return float(share.sum()) ** 2 / (len(share) * square) if square else 1.0
