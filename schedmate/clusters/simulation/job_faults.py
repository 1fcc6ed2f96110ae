"""Faults of the cluster that end single jobs, while their nodes stay up: a GPU, a link, a file system for a moment."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from schedmate.clusters.jobs import LiveJob

SHARE, GPU_TIME = 0.11, 0.82
"""Of Acme's failed jobs, and of the GPU time that failed jobs took: what faults of the infrastructure ended."""


class Mishaps:
    """How much of a job's work is left when a fault hits it, by the job's number, the first fault first."""

    def __init__(self, left: Mapping[int, Sequence[float]], blamed: Collection[int] = ()) -> None:
        self.ahead = {number: list(reversed(places)) for number, places in left.items()}
        self.blamed = frozenset(blamed)
        """Jobs whose faults speak against the first of their nodes: they start again elsewhere."""

    def next_left(self, number: int) -> float | None:
        """Give the work that will be left; None for a job that nothing will hit any more."""
        ahead = self.ahead.get(number)
        return ahead[-1] if ahead else None

    def strike(self, job: LiveJob, node: str) -> None:
        """Let the next one hit a job that runs on a node."""
        self.ahead[job.number].pop()
        if job.number in self.blamed:
            job.avoid = frozenset([node])


def struck(
    gpu_s: npt.NDArray[np.float64],
    failed: npt.NDArray[np.bool_],
    resumed: npt.NDArray[np.bool_],
    seed: int,
    share: float = SHARE,
    gpu_time: float = GPU_TIME,
) -> npt.NDArray[np.bool_]:
    """Choose which failed jobs a fault of the cluster ended: so many of them that took so much of their GPU time.

    They are among those whose owners went on with them. The more GPU time a job took, the likelier; how much likelier
    follows from the two shares.
    """
    random = np.random.default_rng((seed, 47))
    places = np.flatnonzero(failed & resumed)
    count = min(round(share * int(failed.sum())), len(places))
    whole_s = max(float(gpu_s[failed].sum()), 1.0)
    cost, luck = np.maximum(gpu_s[places], 1.0), random.gumbel(size=len(places))
    low, high, chosen = 0.0, 4.0, places[:0]
    for _ in range(30):
        power = (low + high) / 2
        chosen = places[np.argsort(-(power * np.log(cost) + luck), kind="stable")[:count]]
        taken = float(gpu_s[chosen].sum()) / whole_s
        low, high = (power, high) if taken < gpu_time else (low, power)
    return np.isin(np.arange(len(failed)), chosen)
