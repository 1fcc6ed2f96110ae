"""Who may share GPUs: two jobs whose utilisations add up to no more than one GPU's, and whose memory fits together."""

from bisect import insort
from collections.abc import Iterable

from schedmate.clusters import LiveJob, Profile
from schedmate.scheduling.reservations import Reservation
from schedmate.scheduling.view import View

FULL = 100.0


class Partners:
    """Running jobs that may get company, by size, the lightest first; kept up to date by what starts and ends."""

    def __init__(self, gpu_memory_mib: float) -> None:
        self.gpu_memory_mib = gpu_memory_mib
        """What one GPU has; 0 where nobody knows: then only those share whose owners said so."""
        self.alone: dict[int, list[tuple[float, int, LiveJob]]] = {}
        self.beside: dict[int, LiveJob] = {}
        """Whom each packed job was put beside."""
        self.is_new = True

    def take_in(self, view: View) -> None:
        """Offer whoever was left alone; at first, all that run already."""
        if self.is_new:
            self.is_new = False
            self.offer(view.running.values())
        for job in (*view.ended, *view.arrived):
            other = self.beside.pop(job.number, None)
            if other is not None:
                self.beside.pop(other.number, None)
                if view.running.get(other.number) is other:
                    self.offer([other])

    def offer(self, jobs: Iterable[LiveJob]) -> None:
        """Take in those that run alone and whose needs are known."""
        for job in jobs:
            if job.partner is not None:
                self.beside[job.number] = job.partner
            elif job.packable and job.profile is not None:
                insort(self.alone.setdefault(job.gpus, []), (job.profile.gpu_util, job.number, job))

    def pick(self, job: LiveJob, view: View, reservation: Reservation) -> LiveJob | None:
        """Take out the lightest that goes together with a job."""
        profile = job.profile
        if profile is None or not job.packable:
            return None
        crowd = self.alone.get(job.gpus, [])
        crowd[:] = [entry for entry in crowd if view.running.get(entry[1]) is entry[2] and entry[2].partner is None]
        for place, (load, _, other) in enumerate(crowd):
            if load + profile.gpu_util > FULL:
                return None
            if self.go_together(job, other) and not reservation.covers(other.placement):
                del crowd[place]
                self.beside[job.number], self.beside[other.number] = other, job
                return other
        return None

    def go_together(self, job: LiveJob, other: LiveJob) -> bool:
        """Look at memory and kind."""
        if job.profile is None or other.profile is None or other.placement is None:
            return False
        memory_mib = self.memory_mib(job.profile) + self.memory_mib(other.profile)
        return memory_mib <= self.gpu_memory_mib and job.kind in ("", other.placement.kind)

    def memory_mib(self, profile: Profile) -> float:
        """Give what a job takes of a GPU's memory; a share by its owner's word is a share of the memory too."""
        return profile.gpu_memory_mib or profile.gpu_util / FULL * self.gpu_memory_mib
