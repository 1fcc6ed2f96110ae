"""What the two published predictors look at: who asks for what, and when. Both take seconds, not their logarithm."""

import math
from abc import ABC, abstractmethod

import numpy as np

from schedmate.counts import how_many
from schedmate.scheduling.estimators.groups import number
from schedmate.scheduling.estimators.mixture import Array
from schedmate.scheduling.estimators.retraining import DAY_S, Model, Retraining
from schedmate.schemas import Estimate, Job, PastJob, Workload

FIELDS = ("user", "vc", "name", "gpus", "cpus", "hour", "weekday", "day")
NOMINAL = 3
REFIT_S = 7 * DAY_S

NEGATIVE_AS_S = 1000.0
"""How the published artifact reads a negative prediction."""

Row = tuple[str | float | None, ...]


def row_of(job: Job, at_s: float) -> Row:
    """Write a job as the published predictors see it."""
    day = at_s / DAY_S
    return (
        job.user,
        job.vc,
        job.name,
        job.gpus,
        number(job.extra.get("cpus")),
        day % 1 * 24 // 1,
        day // 1 % 7,
        day // 1 % 31,
    )


class Published(ABC):
    """Refits once a week on all that has ended, as the published systems do."""

    name = "published"

    def __init__(self, in_background: bool = True, every_s: float = REFIT_S) -> None:
        self.retraining: Retraining[Row] = Retraining(self.train, every_s=every_s, in_background=in_background)

    @abstractmethod
    def train(self, rows: list[Row], targets: Array) -> Model:
        """Fit one model; each kind brings its own."""

    def estimate(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> Estimate:
        """Give the model's number; it knows no interval."""
        at_s = moment(job, at_s)
        model = self.retraining.model
        if model is None:
            return Estimate(notes=(f"{self.name} has not been trained yet",))
        said = float(model.predict([row_of(job, at_s)])[0])  # type: ignore[arg-type]
        said = said if math.isfinite(said) and said >= 0 else NEGATIVE_AS_S
        return Estimate(
            duration_p50_s=said, notes=(f"{self.name}, trained on {how_many(len(self.retraining.rows), 'job')}",)
        )

    def begin(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> None:
        """See whether a refit is due."""
        self.retraining.tick(moment(job, at_s))

    def learn(self, past: PastJob) -> None:
        """Keep an ended job for the next refit."""
        if past.duration_s is not None:
            self.retraining.add(row_of(past.job, moment(past.job)), past.duration_s)


def moment(job: Job, at_s: float | None = None) -> float:
    """Give the moment of a question: as told, else the job's submission."""
    return at_s if at_s is not None else (job.submit_s or 0.0)


class Coded:
    """Turns the nominal fields of rows into numbers, those not seen in training into a missing one."""

    def __init__(self, rows: list[Row]) -> None:
        self.codes = [
            {word: float(code) for code, word in enumerate(dict.fromkeys(row[k] for row in rows))}
            for k in range(NOMINAL)
        ]

    def matrix(self, rows: list[Row]) -> Array:
        """Give the rows as numbers."""
        return np.array(
            [[*(self.codes[k].get(row[k], math.nan) for k in range(NOMINAL)), *row[NOMINAL:]] for row in rows], float
        )
