"""GPUs that go bad while their nodes stay up: who runs on one dies of it, and so does who comes next."""

import heapq
import math
import random
from collections.abc import Container, Iterable, Iterator, Sequence

from schedmate.clusters import LiveJob, NodeSpec, Placement

MEETS_S = 60.0
"""How long a program runs on a GPU that was bad before it came: it has loaded its model by then, and needs the GPU."""
GOOD, BAD, MET, OUT = "good", "bad", "met", "out"
"""What a GPU is: bad without anybody knowing, bad and somebody has died of it, taken out of service."""
UP = "up"
"""It is back."""
Spot = tuple[str, int]
"""A GPU: its node, and its bit in the node's mask."""


class GpuFaults:
    """Each GPU goes bad at random (exponential); found when a job dies of it, it is out until it is repaired."""

    def __init__(
        self,
        nodes: Sequence[NodeSpec],
        mean_up_s: float,
        repair_s: float = 4 * 3600.0,
        notice_s: float = 0.0,
        checkpoint_s: float = 1800.0,
        seed: int = 0,
    ) -> None:
        self.mean_up_s = mean_up_s
        self.repair_s = repair_s
        self.notice_s = notice_s
        """From the first job's death until the GPU is taken out: 0 with a reader of logs, hours with a person."""
        self.checkpoint_s = checkpoint_s
        self._random = random.Random(f"gpus {seed}")
        self._is: dict[Spot, str] = {(node.name, 1 << gpu): GOOD for node in nodes for gpu in range(node.gpus)}
        self._due_s: dict[Spot, float] = {}
        """When each is next to change; what lies in a heap with another time is no longer true."""
        self._breaks: list[tuple[float, Spot]] = []
        self._later: list[tuple[float, Spot]] = []
        self._dying: list[tuple[float, int, LiveJob]] = []
        self._bad: dict[str, int] = {}
        """The masks of GPUs that are bad and in service, by node."""
        for spot in self._is:
            self._break_later(spot, 0.0)

    def next_s(self, busy: bool) -> float:
        """Give the next moment; further faults do not count once nothing runs and nothing will come."""
        heaps = (self._breaks, self._later, self._dying) if busy else (self._later, self._dying)
        return min((heap[0][0] for heap in heaps if heap), default=math.inf)

    def placed(self, job: LiveJob, placement: Placement, run: int, now_s: float) -> None:
        """Doom a run that begins on a bad GPU."""
        if self._bad and self.bad_of(placement):
            heapq.heappush(self._dying, (now_s + MEETS_S, run, job))

    def bad_of(self, placement: Placement | None) -> list[Spot]:
        """List the GPUs of a place that are bad."""
        parts = placement.parts if placement is not None else ()
        masks = ((node, mask & self._bad.get(node, 0)) for node, mask in parts)
        return [(node, 1 << gpu) for node, bad in masks for gpu in range(bad.bit_length()) if bad >> gpu & 1]

    def dying(self, moment_s: float) -> Iterator[tuple[LiveJob, int]]:
        """Yield the doomed runs whose time has come."""
        while self._dying and self._dying[0][0] <= moment_s:
            _, run, job = heapq.heappop(self._dying)
            yield job, run

    def meet(self, spots: Iterable[Spot], now_s: float) -> None:
        """Note that a job has died of GPUs; whoever is first sets the clock."""
        for spot in spots:
            if self._is[spot] == BAD:
                self._set(spot, MET)
                self._push(self._later, spot, now_s + self.notice_s)

    def until(self, moment_s: float, nodes: Container[str]) -> Iterator[tuple[str, int, str]]:
        """Yield the GPUs that go bad, out or up until a moment; on a node that is away none goes bad."""
        while self._breaks and self._breaks[0][0] <= moment_s:
            time_s, spot = heapq.heappop(self._breaks)
            if self._due_s[spot] != time_s:
                continue
            if spot[0] in nodes:
                self._set(spot, BAD)
                yield *spot, BAD
            else:
                self._break_later(spot, moment_s)
        while self._later and self._later[0][0] <= moment_s:
            time_s, spot = heapq.heappop(self._later)
            if self._due_s[spot] != time_s:
                continue
            if self._is[spot] == MET:
                self._set(spot, OUT)
                self._push(self._later, spot, moment_s + self.repair_s)
                yield *spot, OUT
            else:
                self._break_later(spot, moment_s)
                yield *spot, UP

    def mend(self, node: str, now_s: float) -> None:
        """Repair all GPUs of a node that goes away: it comes back whole."""
        for spot in [spot for spot, state in self._is.items() if spot[0] == node and state != GOOD]:
            self._break_later(spot, now_s)

    def lost_work(self, done: float) -> float:
        """Give the work since the last checkpoint of a run; without checkpoints all of it is lost."""
        return done % self.checkpoint_s if self.checkpoint_s else done

    def _set(self, spot: Spot, state: str) -> None:
        node, gpu = spot
        self._is[spot] = state
        mask = self._bad.get(node, 0) & ~gpu | (gpu if state in (BAD, MET) else 0)
        if mask:
            self._bad[node] = mask
        else:
            self._bad.pop(node, None)

    def _break_later(self, spot: Spot, now_s: float) -> None:
        self._set(spot, GOOD)
        self._push(self._breaks, spot, now_s + self._random.expovariate(1 / self.mean_up_s))

    def _push(self, heap: list[tuple[float, Spot]], spot: Spot, time_s: float) -> None:
        self._due_s[spot] = time_s
        heapq.heappush(heap, (time_s, spot))


def held_by(jobs: Iterable[LiveJob], node: str, gpu: int) -> list[LiveJob]:
    """List who runs on a GPU."""
    parts = ((job, job.placement.parts if job.placement else ()) for job in jobs)
    return [job for job, held in parts if any(name == node and mask & gpu for name, mask in held)]
