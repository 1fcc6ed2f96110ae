"""What is believed of simulated jobs: what like jobs were measured to take, else what is measured of their own run."""

import heapq

from schedmate.clusters.jobs import LiveJob, Profile
from schedmate.clusters.rigid import Truth

AFTER_S = 100.0
"""A run alone for so long shows what the job takes, as in Lucid's profiler."""
AGREED = 2
"""How many jobs of a kind must have been measured alike before the next of them is believed to be so too."""
Kind = tuple[str, str, int]


class Measuring:
    """Measures runs, and remembers by user, name and size; what a job truly takes it tells to nobody before."""

    def __init__(self, truth: Truth, after_s: float = AFTER_S) -> None:
        self.truth = truth
        self.after_s = after_s
        self.kinds: dict[Kind, tuple[Profile, int]] = {}
        self.looks: list[tuple[float, int, int, LiveJob]] = []

    def believe(self, job: LiveJob) -> None:
        """Say of a job that came what its like were measured to take, if they agreed."""
        profile, count = self.kinds.get((job.user, job.name, job.gpus), (None, 0))
        job.profile = profile if count >= AGREED else None

    def watch(self, job: LiveJob, run: int, now_s: float) -> None:
        """Look at a run that begins on GPUs of its own."""
        if job.profile is None:
            heapq.heappush(self.looks, (now_s + self.after_s, run, job.number, job))

    def next_s(self) -> float:
        """Give the next look."""
        return self.looks[0][0] if self.looks else float("inf")

    def due(self, moment_s: float) -> list[tuple[LiveJob, int]]:
        """Give the jobs whose runs are to be looked at, and which run it was."""
        found = []
        while self.looks and self.looks[0][0] <= moment_s:
            _, run, _, job = heapq.heappop(self.looks)
            found.append((job, run))
        return found

    def measure(self, job: LiveJob) -> None:
        """Believe what the run shows from now on, and of the next of its kind."""
        job.profile = self.truth(job.number)
        kind = (job.user, job.name, job.gpus)
        before, count = self.kinds.get(kind, (None, 0))
        self.kinds[kind] = job.profile, count + 1 if before == job.profile else 1
