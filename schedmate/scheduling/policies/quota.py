"""What preemptive policies share: a walk in their own order with the GPUs as a quota, over rows kept meanwhile."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from schedmate.clusters import LiveJob
from schedmate.scheduling.keyed_queue import KeyedQueue
from schedmate.scheduling.view import ClusterView, Plan

Entry = tuple[float, int, LiveJob]


class QuotaRow:
    """Jobs by ascending key, then number."""

    def __init__(self) -> None:
        self.queue: KeyedQueue[LiveJob] = KeyedQueue()
        self.held: dict[int, Entry] = {}

    def put(self, key: float, job: LiveJob) -> None:
        """Put a job in, or where it is now."""
        self.drop(job)
        entry = self.held[job.number] = (key, job.number, job)
        self.queue.add(entry)

    def drop(self, job: LiveJob) -> None:
        """Take a job out, whether it is there or not."""
        entry = self.held.pop(job.number, None)
        if entry is not None:
            self.queue.remove(entry)

    def __len__(self) -> int:
        return len(self.held)


def walk_past(plan: Plan, jobs: Iterable[LiveJob], running: Sequence[Entry], sure: int) -> list[LiveJob]:
    """Grant GPUs in this order, skipping who wants more than is left; preempt the others, then start who waits.

    The first of those that run come before all that wait, and have what they need; the walk begins behind them.
    Gives all whose state may have changed.
    """
    quota = plan.view.inventory.total_gpus - sum(job.gpus for _, _, job in islice(running, sure))
    chosen: list[LiveJob] = []
    granted: set[int] = set()
    for job in jobs:
        if job.gpus <= quota:
            quota -= job.gpus
            granted.add(job.number)
            if job.placement is None:
                chosen.append(job)
            if not quota:
                break
    victims = [job for _, number, job in islice(running, sure, None) if number not in granted]
    for job in victims:
        plan.preempt(job)
    for job in chosen:
        # Quota is not a place: a consolidated one may be missing, and the job waits on.
        plan.start(job)
    return victims + chosen


def all_fit(view: ClusterView) -> bool:
    """Tell whether there are GPUs for everybody, so that nobody has to go."""
    free = view.inventory.free_gpus
    for job in view.pending.values():
        free -= job.gpus
        if free < 0:
            return False
    return True


class QuotaRows:
    """Who waits and who runs, each in a policy's order; kept only for as long as there are not GPUs for all."""

    def __init__(self) -> None:
        self.waiting, self.running = QuotaRow(), QuotaRow()
        self.is_kept = False

    def take_in(self, view: ClusterView, book: Callable[[LiveJob, ClusterView], None]) -> None:
        """Book who came and went; all anew where others than this policy have started or stopped jobs."""
        if not self.is_kept:
            return
        for job in (*view.ended, *view.broken, *view.arrived):
            book(job, view)
        self.is_kept = len(self.waiting) == len(view.pending) and len(self.running) == len(view.running)

    def begin(self, view: ClusterView, book: Callable[[LiveJob, ClusterView], None]) -> None:
        """Book everybody, unless that was done."""
        if self.is_kept:
            return
        self.waiting, self.running, self.is_kept = QuotaRow(), QuotaRow(), True
        for job in (*view.pending.values(), *view.running.values()):
            book(job, view)
