"""What the logs of simulated jobs would tell of the time that they still need: some tell nothing, and none is exact."""

import math
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from schedmate.clusters.jobs import JobProgress
from schedmate.clusters.simulation.draws import drawn

SILENT_S = 180.0
"""Before a job has run so long its log has too few lines to tell by."""


@dataclass(frozen=True)
class Legibility:
    """How well logs are read, as it was measured: which share tells the remaining time, and how far off it then is."""

    share: float = 0.0
    ratios: tuple[float, ...] = (1.0,)
    """Told over true remaining time, one a log that was read, in ascending order."""
    after_s: float = SILENT_S


@dataclass(frozen=True)
class Telling:
    """Draws once a job whether its log tells and how wrong it is; a job that will break off does not know it."""

    legibility: Legibility
    work_s: npt.NDArray[np.float64]
    planned_s: npt.NDArray[np.float64]
    """The work that each job set out to do, which those that fail or are cancelled never do."""
    seed: int = 0
    _ends: tuple[float, float] = field(init=False, default=(1.0, 1.0))

    def __post_init__(self) -> None:
        low, high = np.quantile(self.legibility.ratios, (0.05, 0.95))
        object.__setattr__(self, "_ends", (float(low), float(high)))

    def progress(self, number: int, left_s: float, saved_s: float | None) -> JobProgress:
        """Tell what a job's log says when so much is left of it."""
        legible, done_s = self.legibility, float(self.work_s[number]) - left_s
        if done_s < legible.after_s or legible.share <= 0 or drawn("tells", self.seed, number) >= legible.share:
            return JobProgress(saved_s=saved_s)
        place = int(drawn("ratio", self.seed, number) * len(legible.ratios))
        told_s = max(float(self.planned_s[number]) - done_s, 0.0) * legible.ratios[place]
        low, high = self._ends
        return JobProgress(told_s, told_s / max(high, 1e-6), told_s / max(low, 1e-6), saved_s)


def planned_s(work_s: npt.NDArray[np.float64], broke_off: npt.NDArray[np.bool_], seed: int) -> npt.NDArray[np.float64]:
    """Let a job that broke off have done an unknown part of what it set out to do: any part is as likely."""
    done = np.random.default_rng((seed, 41)).uniform(0.02, 1.0, len(work_s))
    return np.where(broke_off, work_s / done, work_s)


def spread(share: float, sigma: float, count: int = 101) -> Legibility:
    """Give lognormal errors, where nothing was measured."""
    places = [(place + 0.5) / count for place in range(count)]
    normal = NormalDist()
    return Legibility(share, tuple(math.exp(sigma * normal.inv_cdf(place)) for place in places))
