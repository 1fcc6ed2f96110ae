"""Listeners to the loop: they teach estimators, let the next attempt come, tell how far a run is."""

from collections.abc import Callable

from schedmate.clusters import LiveJob
from schedmate.clusters.simulation.followers import Followers
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.simulation.results import Recorder
from schedmate.scheduling.view import Action
from schedmate.scheduling.virtual_cluster import VirtualCluster


class LearningObserver:
    """Tells an estimator of each job that has ended."""

    def __init__(self, estimator: DurationEstimator) -> None:
        self.estimator = estimator

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """Do nothing: only ends teach."""

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """Pass on how long the job really ran."""
        self.estimator.learn(job, job.served_s, status)

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Do nothing: only ends teach."""


class ChainObserver:
    """Lets the next attempt at a piece of work come once one has ended, however it ended here."""

    def __init__(self, followers: Followers, recorder: Recorder) -> None:
        self.followers, self.recorder = followers, recorder

    def release(self, number: int, ended_s: float) -> None:
        """Let a job's follower come, and take down when."""
        follower = self.followers.release(number, ended_s)
        if follower is not None:
            self.recorder.move(follower.number, follower.submit_s)

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """Do nothing: only ends matter."""

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """Let the follower come."""
        self.release(job.number, part.since_s)

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Do nothing: only ends matter."""


class ProgressObserver:
    """Calls back now and then with the number of jobs that have ended."""

    def __init__(self, tell: Callable[[int], None], every: int = 500) -> None:
        self.tell = tell
        self.every = every
        self.done = 0

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """Do nothing."""

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """Count."""
        self.done += 1
        if self.done % self.every == 0:
            self.tell(self.done)

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Do nothing."""
