"""The paper's advisor: runs of the same thing, else the most similar jobs, else nothing similar, and it says so."""

from collections import deque

from schedmate.history.expectation import Evidenced, estimate_from, resubmissions, similar_jobs
from schedmate.history.rows import run_key
from schedmate.history.similarity.memory import WorkloadMemory
from schedmate.history.similarity.names import NameCloseness
from schedmate.schemas import Estimate, Job, PastJob, Workload

THRESHOLD, TOP = 0.90, 3
RUNS = 10


class Advisor:
    """Admission Analyzer and Similar Job Retriever over what has ended, held in memory."""

    def __init__(
        self,
        names: NameCloseness,
        threshold: float = THRESHOLD,
        top: int = TOP,
        *,
        scaled: bool = True,
        by_request: bool = False,
    ) -> None:
        self.by_request = by_request
        """Where a trace tells no commands, take the same user, cluster, name and GPUs for the same thing."""
        self.threshold = threshold
        self.top = top
        self.scaled = scaled
        """Correct a similar job's duration for its size (steps, epochs, GPUs, parameters)."""
        self.similar = WorkloadMemory(names)
        self.runs: dict[tuple[object, ...], deque[PastJob]] = {}

    def estimate(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> Estimate:
        """Estimate from the same runs, else from similar jobs; else nothing is known."""
        if found := self.resubmitted(job):
            return estimate_from(found, "resubmission")
        if found := self.alike(workload):
            return estimate_from(found, "similar")
        return Estimate(notes=("nothing similar has ended yet",))

    def resubmitted(self, job: Job) -> list[Evidenced]:
        """Find ended runs of the same thing, latest first."""
        key = self.key(job)
        return [] if key is None else resubmissions(list(reversed(self.runs.get(key, ()))))

    def key(self, job: Job) -> tuple[object, ...] | None:
        """Say what makes two jobs runs of the same thing; None where nothing does."""
        number = run_key(job)
        if number is not None:
            return number, job.gpus, job.git_branch
        return (job.user, job.vc, job.name, job.gpus) if self.by_request else None

    def alike(self, workload: Workload | None) -> list[Evidenced]:
        """Find similar jobs."""
        if workload is None:
            return []
        return similar_jobs(workload, self.similar.find(workload, self.threshold, self.top), self.scaled)

    def begin(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> None:
        """Do nothing: only ends are looked at."""

    def learn(self, past: PastJob) -> None:
        """Keep an ended job under its run and its workload."""
        if past.duration_s is None:
            return
        key = self.key(past.job)
        if key is not None:
            self.runs.setdefault(key, deque(maxlen=RUNS)).append(past)
        self.similar.add(past)
