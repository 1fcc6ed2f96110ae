"""What is believed of simulated jobs: what like jobs were measured to take, else what is measured of their own run."""

import heapq
from collections.abc import Callable

from schedmate.clusters.jobs import LiveJob, Profile
from schedmate.clusters.simulation.likeness import Matching
from schedmate.clusters.simulation.rigid_jobs import Truth

AFTER_S = 100.0
"""A run alone for so long shows what the job takes, as in Lucid's profiler."""
AGREED = 2
"""How many jobs of a kind must have been measured alike before the next of them is believed to be so too."""
Kind = tuple[object, ...]
ALWAYS = Matching(hit=1.0)


def by_request(job: LiveJob) -> Kind:
    """Tell jobs apart by what an engine knows of them."""
    return job.user, job.name, job.gpus


class Measuring:
    """Measures runs, and remembers them by kind; what a job truly takes it tells to nobody before."""

    def __init__(
        self,
        truth: Truth,
        steady_s: Callable[[int], float] = lambda number: AFTER_S,
        kind_of: Callable[[LiveJob], Kind] = by_request,
        matching: Matching = ALWAYS,
        agreed: int = AGREED,
        every: bool = False,
    ) -> None:
        self.truth = truth
        self.steady_s = steady_s
        """How long a run must have been alone to show what it takes, by the job's number."""
        self.kind_of = kind_of
        self.matching = matching
        self.agreed = agreed
        self.every = every
        """Also look at runs of which something is believed."""
        self.measured: dict[Kind, tuple[Profile, int]] = {}
        self.known: dict[Kind, Profile] = {}
        """Kinds of which enough jobs were measured alike, the last of them alike."""
        self.looks: list[tuple[float, int, int, LiveJob]] = []

    def believe(self, job: LiveJob) -> None:
        """Say of a job that came what its like were measured to take; else what the job brings along stays believed."""
        kind = self.matching.like(job.number, self.kind_of(job), self.known)
        if kind is not None:
            job.profile = self.known[kind]

    def watch(self, job: LiveJob, run: int, now_s: float) -> None:
        """Look at a run that begins on GPUs of its own."""
        if self.every or job.profile is None:
            heapq.heappush(self.looks, (now_s + self.steady_s(job.number), run, job.number, job))

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
        kind = self.kind_of(job)
        before, count = self.measured.get(kind, (None, 0))
        count = count + 1 if before == job.profile else 1
        self.measured[kind] = job.profile, count
        if count >= self.agreed:
            self.known[kind] = job.profile
        else:
            self.known.pop(kind, None)
