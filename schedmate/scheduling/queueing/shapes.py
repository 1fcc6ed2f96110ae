"""A queue that is walked past those that do not fit: jobs of one shape fit, or find a partner, all or none."""

import heapq
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator

from schedmate.clusters import LiveJob, Profile
from schedmate.clusters.jobs import Reach
from schedmate.scheduling.queueing.keyed_queue import KeyedQueue

Entry = tuple[float, int, LiveJob]
Shape = tuple[float, str, Profile | None, frozenset[str], Reach]


class ShapedQueue:
    """One row a shape: thousands that cannot start cost a walk next to nothing."""

    def __init__(self, sharing: bool) -> None:
        self.sharing = sharing
        self.rows: dict[Shape, KeyedQueue[LiveJob]] = {}
        self.held: dict[int, tuple[Shape, Entry]] = {}

    def put(self, job: LiveJob, key: float) -> None:
        """Queue a job, or move one that is queued."""
        self.drop(job.number)
        # All that decides where a job can go.
        shape = (job.gpus, job.kind, job.profile if self.sharing and job.packable else None, job.avoid, job.reach)
        entry = (key, job.number, job)
        self.held[job.number] = shape, entry
        self.rows.setdefault(shape, KeyedQueue()).add(entry)

    def drop(self, number: int) -> None:
        """Forget a job, whether it is queued or not."""
        if number in self.held:
            shape, entry = self.held.pop(number)
            self.rows[shape].remove(entry)
            if not self.rows[shape].entries:
                del self.rows[shape]

    def key(self, number: int) -> float:
        """Give what a queued job is ordered by."""
        return self.held[number][1][0]

    def gpus_below(self, gpus: float) -> float:
        """Count the GPUs that those want together who want less than so many each."""
        return sum(shape[0] * len(row.entries) for shape, row in self.rows.items() if shape[0] < gpus)

    def first_from(self, gpus: float) -> LiveJob | None:
        """Give the first of those that want so many GPUs at least."""
        return min((row.entries[0] for shape, row in self.rows.items() if shape[0] >= gpus), default=(0, 0, None))[2]

    def in_order(self) -> Iterator[Entry]:
        """Give all that wait, in the order in which they are looked at."""
        return heapq.merge(*(row.entries for row in self.rows.values()))

    def start_past(self, start: Callable[[LiveJob], bool]) -> None:
        """Start jobs in order; where one cannot, no other of its shape is looked at in this walk."""
        heads = [(row.entries[0], shape) for shape, row in self.rows.items()]
        heapq.heapify(heads)
        while heads:
            (_, number, job), shape = heads[0]
            if start(job):
                self.drop(number)
                if shape in self.rows:
                    heapq.heapreplace(heads, (self.rows[shape].entries[0], shape))
                    continue
            heapq.heappop(heads)

    def start_again(
        self, start: Callable[[LiveJob], bool], failed: Collection[Shape], revived: Callable[[], Iterable[Shape]]
    ) -> bool:
        """Start jobs in order, leaving out shapes that have failed; tell whether any started.

        Who starts may give others a chance: their shapes join in with those who come later than it.
        """
        heads = [(row.entries[0], shape) for shape, row in self.rows.items() if shape not in failed]
        heapq.heapify(heads)
        has_started = False
        while heads:
            entry, shape = heapq.heappop(heads)
            if not start(entry[2]):
                continue
            self.drop(entry[1])
            has_started = True
            for one in (shape, *revived()):
                row = self.rows[one].entries if one in self.rows else []
                if (place := bisect_right(row, entry)) < len(row):
                    heapq.heappush(heads, (row[place], one))
        return has_started
