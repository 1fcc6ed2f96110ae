"""Waiting out of all proportion: a job whose slowdown is beyond what is fair is ranked higher, the further the more."""

import heapq

from schedmate.clusters import LiveJob
from schedmate.scheduling.queueing.ranking import Ranks
from schedmate.scheduling.view import ClusterView

BOUND = 100.0
"""Time since submission over time it takes: up to here nobody is helped. Below some ten, large jobs stop everybody."""
BRIEF_S = 600.0
"""A job that takes less is taken to take so long: minutes of waiting are out of nobody's proportion."""
STEP = 1.25
"""A rank is worked out anew when the slowdown has grown by so much."""


class Lateness:
    """Ranks with the wait in them, and who waits out of proportion."""

    def __init__(self, ranks: Ranks) -> None:
        self.ranks = ranks
        self.moments: list[tuple[float, int, LiveJob]] = []
        self.late: dict[int, LiveJob] = {}

    def rank_s(self, job: LiveJob, view: ClusterView) -> float:
        """Give what a job is ranked by."""
        rank_s = self.ranks.of(job, view)
        return rank_s / max(1.0, self.excess(job, rank_s, view))

    def excess(self, job: LiveJob, rank_s: float, view: ClusterView) -> float:
        """Give the slowdown, if the job ran on from now, as a multiple of what is fair."""
        takes_s = max(job.service_s(view.now_s) + rank_s, BRIEF_S)
        return (view.now_s - job.submit_s) / takes_s / BOUND

    def note(self, job: LiveJob, view: ClusterView) -> float:
        """Remember when a job that waits has to be looked at again; give its rank."""
        rank_s = self.ranks.of(job, view)
        excess = max(1.0, self.excess(job, rank_s, view))
        beyond = STEP * excess if excess > 1 else 1.0
        due_s = job.submit_s + beyond * BOUND * max(job.served_s + rank_s, BRIEF_S)
        heapq.heappush(self.moments, (max(due_s, view.now_s + 1.0), job.number, job))
        return rank_s / excess

    def due(self, view: ClusterView) -> list[LiveJob]:
        """Give those whose ranks are to be worked out anew."""
        found = []
        while self.moments and self.moments[0][0] <= view.now_s:
            _, number, job = heapq.heappop(self.moments)
            if view.pending.get(number) is job and job not in found:
                self.late[number] = job
                found.append(job)
        return found

    def worst(self, view: ClusterView) -> LiveJob | None:
        """Give the one of those that wait that is served worst."""
        if not self.late:
            return None
        excess = {
            number: self.excess(job, self.ranks.of(job, view), view)
            for number, job in self.late.items()
            if view.pending.get(number) is job
        }
        # Who has run meanwhile, or is known better, may have been looked at for a wait that is in proportion by now.
        self.late = {number: self.late[number] for number, times in excess.items() if times >= 1}
        return max(self.late.values(), key=lambda job: (excess[job.number], -job.number), default=None)

    def next_s(self) -> float | None:
        """Give the next moment at which a rank is to be worked out anew."""
        return self.moments[0][0] if self.moments else None
