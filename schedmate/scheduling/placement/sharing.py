"""Who may share GPUs: two jobs whose utilisations do not add up to too much, and whose memory fits together."""

from collections.abc import Iterable

from schedmate.clusters import LiveJob, Profile
from schedmate.scheduling.queueing.keyed_queue import KeyedQueue
from schedmate.scheduling.view import ClusterView

FULL = 100.0

MOST = 140.0
"""Measured jobs are put together up to here: utilisation overstates what a kernel takes.

Beyond it only beside a job whose log tells how it gets on: such a pair is seen to be slow, and parted.
"""


class Partners:
    """Running jobs that may get company, by size, the lightest first; kept up to date by what starts and ends."""

    def __init__(self, gpu_memory_mib: float) -> None:
        self.gpu_memory_mib = gpu_memory_mib
        """What one GPU has; 0 where nobody knows: then only those share whose owners said so."""
        self.alone: dict[float, KeyedQueue[LiveJob]] = {}
        self.entries: dict[int, tuple[float, int, LiveJob]] = {}
        self.beside: dict[int, LiveJob] = {}
        """Whom each packed job was put beside."""

    def release(self, job: LiveJob, view: ClusterView) -> LiveJob | None:
        """Part a job that has left from its partner; give the partner if it is left alone."""
        self.withdraw(job)
        other = self.beside.pop(job.number, None)
        if other is not None:
            self.beside.pop(other.number, None)
        return other if other is not None and view.running.get(other.number) is other else None

    def offer(self, jobs: Iterable[LiveJob]) -> None:
        """Take in those that run alone and whose needs are known."""
        for job in jobs:
            self.withdraw(job)
            if job.partner is not None:
                self.beside[job.number] = job.partner
            elif job.packable and job.profile is not None:
                entry = self.entries[job.number] = job.profile.gpu_util, job.number, job
                self.alone.setdefault(job.gpus, KeyedQueue()).add(entry)

    def withdraw(self, job: LiveJob) -> None:
        """Offer a job to nobody any more."""
        entry = self.entries.pop(job.number, None)
        if entry is not None:
            self.alone[job.gpus].remove(entry)

    def pick(self, job: LiveJob, view: ClusterView, avoid: frozenset[str]) -> LiveJob | None:
        """Take out the lightest that goes together with a job, of those that run elsewhere than on some nodes."""
        profile, row = job.profile, self.alone.get(job.gpus)
        if profile is None or not job.packable or row is None:
            return None
        for load, number, other in row.entries:
            alone = view.running.get(number) is other and other.partner is None
            if not alone or not self.go_together(job, other) or is_on(other, avoid):
                continue
            if load + profile.gpu_util <= MOST or view.progress(other).remaining_s is not None:
                self.withdraw(other)
                self.beside[job.number], self.beside[other.number] = other, job
                return other
        return None

    def go_together(self, job: LiveJob, other: LiveJob) -> bool:
        """Look at what both take of a GPU, and at its kind."""
        if job.profile is None or other.profile is None or other.placement is None:
            return False
        measured = job.profile.gpu_memory_mib and other.profile.gpu_memory_mib
        if not measured and job.profile.gpu_util + other.profile.gpu_util > FULL:
            return False
        memory_mib = self.memory_mib(job.profile) + self.memory_mib(other.profile)
        return memory_mib <= self.gpu_memory_mib and job.kind in ("", other.placement.kind)

    def memory_mib(self, profile: Profile) -> float:
        """Give what a job takes of a GPU's memory; a share by its owner's word is a share of the memory too."""
        return profile.gpu_memory_mib or profile.gpu_util / FULL * self.gpu_memory_mib


def is_on(job: LiveJob, nodes: frozenset[str]) -> bool:
    """Tell whether any of a job's GPUs are on these nodes."""
    return bool(nodes) and job.placement is not None and any(node in nodes for node, _ in job.placement.parts)
