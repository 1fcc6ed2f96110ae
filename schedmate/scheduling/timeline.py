"""What the figures need beyond the outcomes: GPUs in use and jobs waiting over time, and who ran where."""

from typing import NamedTuple

from schedmate.clusters import LiveJob
from schedmate.scheduling.loop import Part
from schedmate.scheduling.view import Action, Preempt, Resize, Start


class Sample(NamedTuple):
    """The cluster just after a decision."""

    time_s: float
    busy_gpus: int
    waiting: int


class Stretch(NamedTuple):
    """A job on one node for a while; `slot` is its lowest GPU there."""

    number: int
    start_s: float
    end_s: float
    node: str
    slot: int
    gpus: int


class Timeline:
    """Listens to the loop; only there when somebody wants figures, as it grows with the trace."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self.stretches: list[Stretch] = []
        self._open: dict[int, tuple[float, tuple[tuple[str, int], ...]]] = {}
        self._busy: dict[str, int] = {}
        self._waiting: dict[str, int] = {}

    def submitted(self, job: LiveJob, part: Part) -> None:
        """Do nothing: the decision that follows counts it."""

    def ended(self, job: LiveJob, part: Part, status: str) -> None:
        """Close the job's stretch."""
        self._close(job.number, part.since_s)

    def decided(self, part: Part, actions: list[Action]) -> None:
        """Open and close stretches, then sample."""
        now_s, view = part.since_s, part.view
        for action in actions:
            if isinstance(action, Start | Preempt | Resize):
                self._close(action.job.number, now_s)
            if isinstance(action, Start | Resize):
                self._open[action.job.number] = (now_s, action.placement.parts)
        self._busy[view.vc] = view.inventory.total_gpus - view.inventory.free_gpus
        self._waiting[view.vc] = len(view.pending)
        sample = Sample(now_s, sum(self._busy.values()), sum(self._waiting.values()))
        if self.samples and self.samples[-1].time_s == now_s:
            self.samples[-1] = sample
        else:
            self.samples.append(sample)

    def _close(self, number: int, now_s: float) -> None:
        start_s, parts = self._open.pop(number, (now_s, ()))
        for node, mask in parts:
            slot = (mask & -mask).bit_length() - 1
            self.stretches.append(Stretch(number, start_s, now_s, node, slot, mask.bit_count()))
