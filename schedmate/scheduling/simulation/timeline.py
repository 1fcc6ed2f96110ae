"""What the figures need beyond the outcomes: GPUs in use and jobs waiting over time, and who ran where."""

import heapq
from typing import NamedTuple

from schedmate.clusters import LiveJob
from schedmate.scheduling.view import Action, Preempt, Resize, Start
from schedmate.scheduling.virtual_cluster import VirtualCluster

WHOLE = (0.0, 1.0)


class Sample(NamedTuple):
    """The cluster just after a decision."""

    time_s: float
    busy_gpus: float
    waiting: int


class Stretch(NamedTuple):
    """A job on one node for a while, on the GPUs of a bit mask; `shared` where it came to GPUs already in use.

    Of a GPU that is cut it has a part, drawn from `low` on.
    """

    number: int
    start_s: float
    end_s: float
    node: str
    mask: int
    shared: bool
    low: float = 0.0
    part: float = 1.0


class Timeline:
    """Listens to the loop; only there when somebody wants figures, as it grows with the trace."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self.stretches: list[Stretch] = []
        self._open: dict[int, tuple[float, tuple[tuple[str, int], ...], bool]] = {}
        self._strips: dict[tuple[tuple[str, int], ...], dict[int, tuple[float, float]]] = {}
        """The parts of each cut GPU, by job: from where to where."""
        self._now: dict[str, tuple[float, int]] = {}
        self._busy, self._waiting = 0.0, 0

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """Do nothing: the decision that follows counts it."""

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """Close the job's stretch."""
        self._close(job.number, part.since_s)

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Open and close stretches, then sample."""
        now_s, view = part.since_s, part.view
        for action in actions:
            if isinstance(action, Start | Preempt | Resize):
                self._close(action.job.number, now_s)
            if isinstance(action, Start | Resize):
                shared = isinstance(action, Start) and action.partner is not None
                self._open[action.job.number] = (now_s, action.placement.parts, shared)
                if action.placement.piece:
                    self._lay(action.job, action.placement.parts)
        busy, waiting = self._now.get(view.vc, (0.0, 0))
        self._now[view.vc] = view.inventory.busy_gpus, len(view.pending)
        self._busy += self._now[view.vc][0] - busy
        self._waiting += self._now[view.vc][1] - waiting
        sample = Sample(now_s, self._busy, self._waiting)
        if self.samples and self.samples[-1].time_s == now_s:
            self.samples[-1] = sample
        else:
            self.samples.append(sample)

    def _close(self, number: int, now_s: float) -> None:
        start_s, parts, shared = self._open.pop(number, (now_s, (), False))
        low, high = self._strips[parts].pop(number, WHOLE) if parts in self._strips else WHOLE
        self.stretches += [Stretch(number, start_s, now_s, node, mask, shared, low, high - low) for node, mask in parts]

    def _lay(self, job: LiveJob, gpu: tuple[tuple[str, int], ...]) -> None:
        """Choose where a part of a GPU is drawn: in the first gap, or over others where all gaps are too small."""
        strips, low = self._strips.setdefault(gpu, {}), 0.0
        for begin, end in sorted(strips.values()):
            if begin - low >= job.gpus:
                break
            low = end
        low = min(low, 1.0 - job.gpus)
        strips[job.number] = low, low + job.gpus

    def add_busy(self, other: "Timeline") -> None:
        """Take in nodes that were scheduled apart (the profiler's): their jobs, and their GPUs in use."""
        self.stretches += other.stretches
        mine = theirs = Sample(0.0, 0, 0)
        merged: list[Sample] = []
        for moment in heapq.merge(self.samples, [sample._replace(waiting=-1) for sample in other.samples]):
            mine, theirs = (mine, moment) if moment.waiting < 0 else (moment, theirs)
            merged.append(Sample(moment.time_s, mine.busy_gpus + theirs.busy_gpus, mine.waiting))
        self.samples = merged
