"""Nodes that break and are repaired, drawn from a seed."""

import heapq
import math
import random
from collections.abc import Iterator, Sequence

from schedmate.clusters import NodeSpec


class Breakage:
    """Each node breaks at random (exponential), is repaired after a fixed time, and spares stand in meanwhile."""

    def __init__(
        self,
        nodes: Sequence[NodeSpec],
        mean_up_s: float,
        repair_s: float = 4 * 3600.0,
        swap_s: float = 600.0,
        spares: int = 0,
        checkpoint_s: float = 1800.0,
        seed: int = 0,
    ) -> None:
        self.mean_up_s = mean_up_s
        self.repair_s = repair_s
        self.swap_s = swap_s
        self.spares = spares
        self.checkpoint_s = checkpoint_s
        self._random = random.Random(seed)
        self._breaks = [(self._random.expovariate(1 / mean_up_s), i) for i in range(len(nodes))]
        heapq.heapify(self._breaks)
        self._returns: list[tuple[float, int]] = []
        self._nodes = list(nodes)
        self._spare_back: list[float] = []

    def next_s(self, busy: bool) -> float:
        """Give the next moment; further breaks do not count once nothing runs and nothing will come."""
        moment = self._returns[0][0] if self._returns else math.inf
        return min(moment, self._breaks[0][0]) if busy and self._breaks else moment

    def until(self, moment_s: float) -> Iterator[tuple[NodeSpec, bool]]:
        """Yield the nodes that come up (True) or break (False) up to a moment."""
        while self._returns and self._returns[0][0] <= moment_s:
            _, index = heapq.heappop(self._returns)
            heapq.heappush(self._breaks, (moment_s + self._random.expovariate(1 / self.mean_up_s), index))
            yield self._nodes[index], True
        while self._breaks and self._breaks[0][0] <= moment_s:
            _, index = heapq.heappop(self._breaks)
            heapq.heappush(self._returns, (moment_s + self._away_s(moment_s), index))
            yield self._nodes[index], False

    def _away_s(self, now_s: float) -> float:
        while self._spare_back and self._spare_back[0] <= now_s:
            heapq.heappop(self._spare_back)
        if len(self._spare_back) < self.spares:
            # The spare takes the broken node's name and place; the repaired node is the next spare.
            heapq.heappush(self._spare_back, now_s + self.repair_s)
            return min(self.swap_s, self.repair_s)
        return self.repair_s

    def lost_work(self, done: float) -> float:
        """Give the work since the last checkpoint of a run; without checkpoints all of it is lost."""
        return done % self.checkpoint_s if self.checkpoint_s else done
