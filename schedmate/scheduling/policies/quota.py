"""What preemptive policies share: a walk in their own order with the GPUs as a quota, over rows kept meanwhile."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable

from schedmate.clusters import LiveJob
from schedmate.scheduling.view import ClusterView, Plan

Entry = tuple[float, int, LiveJob]

ROUNDING = 1e-9
"""Parts of GPUs add up to a little more or less than they are."""
Before = Callable[[Entry, int], int]
"""Tells how many of those that run come before one that waits; from a place on, up to which they are known to."""


class QuotaRow:
    """Jobs by ascending key, then number, and beside them what each wants."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.gpus: list[float] = []
        self.sizes: Counter[float] = Counter()
        self.held: dict[int, Entry] = {}

    def put(self, key: float, job: LiveJob) -> None:
        """Put a job in that is not there."""
        entry = self.held[job.number] = (key, job.number, job)
        place = bisect_left(self.entries, entry)
        self.entries.insert(place, entry)
        self.gpus.insert(place, job.gpus)
        self.sizes[job.gpus] += 1

    def drop(self, job: LiveJob) -> None:
        """Take a job out, whether it is there or not."""
        entry = self.held.pop(job.number, None)
        if entry is None:
            return
        place = bisect_left(self.entries, entry)
        gpus = self.gpus.pop(place)
        del self.entries[place]
        self.sizes[gpus] -= 1
        if not self.sizes[gpus]:
            del self.sizes[gpus]

    def __len__(self) -> int:
        return len(self.held)


class Granting:
    """Grants GPUs in order, skipping who wants more than is left; those who run are granted a stretch at a time."""

    def __init__(self, running: QuotaRow, quota: float, place: int) -> None:
        self.running = running
        self.quota = quota
        self.place = place
        self.victims: list[LiveJob] = []

    def grant_up_to(self, until: int) -> None:
        """Grant those who run what they have, up to a place in their row."""
        together = sum(self.running.gpus[self.place : until])
        if together <= self.quota + ROUNDING:
            self.quota -= together
        else:
            for _, _, job in self.running.entries[self.place : until]:
                if job.gpus <= self.quota + ROUNDING:
                    self.quota -= job.gpus
                else:
                    self.victims.append(job)
        self.place = until


def walk_past(plan: Plan, rows: "QuotaRows", before: Before) -> list[LiveJob]:
    """Grant GPUs to all in order; preempt who runs and gets none, then start who waits and got some.

    The first of those that run come before all that wait, and have what they need; the walk begins behind them.
    Gives all whose state has changed.
    """
    waiting, running = rows.waiting, rows.running
    sure = before(waiting.entries[0], 0)
    walk = Granting(running, plan.view.inventory.total_gpus - sum(running.gpus[:sure]), sure)
    chosen, least = list[LiveJob](), min(waiting.sizes)
    for entry, gpus in zip(waiting.entries, waiting.gpus, strict=True):
        if gpus > walk.quota + ROUNDING:
            continue  # all the less when those that run before it have had theirs
        until = before(entry, walk.place)
        if until > walk.place:
            walk.grant_up_to(until)
        if gpus <= walk.quota + ROUNDING:
            walk.quota -= gpus
            chosen.append(entry[2])
        if walk.quota + ROUNDING < least:
            break
    walk.grant_up_to(len(running.entries))
    for job in walk.victims:
        plan.preempt(job)
    return walk.victims + start_chosen(plan, chosen)


def start_chosen(plan: Plan, chosen: list[LiveJob]) -> list[LiveJob]:
    """Start who got GPUs, and give those that wait no more.

    Quota is not a place: a consolidated one may be missing, and the job waits on; others of its size then do so too.
    """
    begun, misfits = list[LiveJob](), set[tuple[float, str]]()
    for job in chosen:
        size = job.gpus, job.kind
        if size in misfits and not plan.is_dealt_with(job):
            continue
        if plan.start(job):
            begun.append(job)
        elif not job.avoid and job.reach is None:  # else another of its size may have room
            misfits.add(size)
    return begun


def all_fit(view: ClusterView) -> bool:
    """Tell whether there are GPUs for everybody, so that nobody has to go."""
    free: float = view.inventory.free_gpus
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
