"""A scheduler's own estimate beside what similar jobs took: asked only where it has been the better of the two.

A queue wants the expected time, so both are judged by how likely the true duration is under each as an expectation
(the deviance of a gamma distribution, a proper score of means): who says minutes of a job of days pays for it.
"""

import math
from collections import defaultdict, deque
from dataclasses import dataclass

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import DurationEstimator

REMEMBERED = 24
"""The paper takes the mean of three; more of them err less, and still follow what a user does now."""
FORGET = 0.9
"""How much of a kind's record outlives one more end."""
LEAST = 3.0
"""How much of a record there must be before similar jobs are asked: three ends at least."""
WORST = 50.0
"""The most that one surprise may cost, so that no kind is out for good."""
Kind = tuple[str, str, float, str]


@dataclass(slots=True)
class Record:
    """How far both have been off for one kind of job, older ends forgotten."""

    own: float = 0.0
    similar: float = 0.0
    ends: float = 0.0

    def add(self, own: float, similar: float) -> None:
        """Take in one end."""
        self.own = FORGET * self.own + min(own, WORST)
        self.similar = FORGET * self.similar + min(similar, WORST)
        self.ends = FORGET * self.ends + 1

    def is_for_similar(self) -> bool:
        """Tell whether similar jobs are known to say more."""
        return self.ends >= LEAST * FORGET and self.similar < self.own


class Similar:
    """Similar is what the same user asked for under the same name, of the same size and in the same cluster."""

    def __init__(self, own: DurationEstimator) -> None:
        self.own = own
        self.latest: dict[Kind, deque[float]] = defaultdict(lambda: deque(maxlen=REMEMBERED))
        self.records: dict[Kind, Record] = defaultdict(Record)
        self.said: dict[int, tuple[float, float]] = {}
        """What both said of each job under way, to be judged at its end."""

    def duration_s(self, job: LiveJob) -> float:
        """Give the geometric mean of both where similar jobs have been the better guide, else the scheduler's own."""
        kind, own_s = kind_of(job), max(self.own.duration_s(job), 1.0)
        similar = self.latest.get(kind)
        if not similar:
            return own_s
        similar_s = sum(similar) / len(similar)
        self.said[job.number] = own_s, similar_s
        return math.sqrt(own_s * similar_s) if self.records[kind].is_for_similar() else own_s

    def learn(self, job: LiveJob, duration_s: float, status: str) -> None:
        """Judge what was said, take in the end, and hand it on."""
        kind, took_s = kind_of(job), max(duration_s, 1.0)
        if (said := self.said.pop(job.number, None)) is not None:
            self.records[kind].add(deviance(said[0], took_s), deviance(said[1], took_s))
        self.latest[kind].append(took_s)
        self.own.learn(job, duration_s, status)


def deviance(expected_s: float, took_s: float) -> float:
    """Give the unit deviance of a gamma distribution: 0 where the expectation was met."""
    ratio = took_s / expected_s
    return 2 * (ratio - 1 - math.log(ratio))


def kind_of(job: LiveJob) -> Kind:
    """Tell similar jobs from others."""
    return job.user, job.name, job.gpus, job.vc
