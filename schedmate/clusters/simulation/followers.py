"""Attempts at one piece of work: who sent a job again did so because it had ended, and comes when it has ended here."""

import heapq
import math
from collections.abc import Iterable, Iterator, Mapping

from schedmate.clusters import Event, LiveJob, Submitted
from schedmate.clusters.simulation.cluster import SimulatedCluster


class Followers:
    """Jobs that come some time after the end of another, whenever that is."""

    def __init__(self, after: Mapping[int, tuple[int, float]], jobs: Iterable[LiveJob]) -> None:
        self._after = after
        """By the forerunner's number: who follows, and how long after its end."""
        self._held = {job.number: job for job in jobs}
        self._coming: list[tuple[float, int, LiveJob]] = []

    def release(self, forerunner: int, ended_s: float) -> LiveJob | None:
        """Let a job's follower come in due time; None where it has none."""
        number, gap_s = self._after.get(forerunner, (-1, 0.0))
        job = self._held.pop(number, None)
        if job is not None:
            job.submit_s = ended_s + gap_s
            heapq.heappush(self._coming, (job.submit_s, number, job))
        return job

    def next_s(self) -> float:
        """Give when the next one comes."""
        return self._coming[0][0] if self._coming else math.inf

    def due(self, moment_s: float) -> Iterator[LiveJob]:
        """Yield those that have come."""
        while self._coming and self._coming[0][0] <= moment_s:
            yield heapq.heappop(self._coming)[2]


class ChainedCluster(SimulatedCluster):
    """A simulated cluster to which some jobs come when others have ended."""

    followers = Followers({}, ())

    def expect(self, followers: Followers) -> None:
        """Learn who is to follow whom."""
        self.followers = followers

    def wait(self, until_s: float | None) -> list[Event] | None:
        """Jump on; those who follow come after all others of the moment."""
        events = super().wait(until_s)
        if events is None:
            return None
        for job in self.followers.due(self._now_s):
            if self._measuring is not None:
                self._measuring.believe(job)
            events.append(Submitted(job))
        return events

    def _next_moment(self) -> float:
        return max(min(super()._next_moment(), self.followers.next_s()), self._now_s)
