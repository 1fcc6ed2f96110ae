"""Hears what a loop decides: what it believed of each job, and who had to go."""

from evals.testbed.arms import TestbedService
from evals.testbed.engine import PROFILER
from evals.testbed.users import Users, task_of
from schedmate.clusters import LiveJob
from schedmate.scheduling.simulation.simulated_setup import as_profile
from schedmate.scheduling.view import Action, Preempt, Start
from schedmate.scheduling.virtual_cluster import VirtualCluster


class Notes:
    """The last of the loop's observers."""

    def __init__(self, service: TestbedService, users: Users) -> None:
        self.service, self.users = service, users
        self.believed_s: dict[int, float] = {}
        """What was expected of a job when it first started: readers answer some time after it has come."""
        self.begun = set[int]()
        self.evicted = self.displaced = 0

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """Note what is expected; give a job the profile that Lucid's profiler took of it."""
        if job.vc == PROFILER:
            return
        self.believed_s.setdefault(job.number, self.service.estimates.duration_s(job))
        number = task_of(self.service.store.job(job.number))
        if job.profile is None and number in self.users.profiles:
            job.profile = as_profile(self.users.workload.tasks[number].program)

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """Hand on who has been profiled."""
        if job.vc == PROFILER:
            self.users.profiled(self.service.store.job(job.number))

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Note by what was decided, and count who had to go: out of a pair, or for another."""
        for action in actions:
            if isinstance(action, Start) and action.job.number not in self.begun and part.view.vc != PROFILER:
                self.begun.add(action.job.number)
                self.believed_s[action.job.number] = self.service.estimates.duration_s(action.job)
            if isinstance(action, Preempt):
                self.evicted += not action.job.packable
                self.displaced += action.job.packable
