"""Cancelling a packing that turned out badly: a part that is plugged into the loop, whatever the policy."""

import heapq
import random
from collections.abc import Callable
from typing import Protocol

from schedmate.clusters import LiveJob
from schedmate.scheduling.view import Action, ClusterView, Start

PARTED_BELOW = 0.8
"""Share of its speed alone below which our own policy parts a pair; Lucid with SchedMate does at 0.65."""
TRIES = 5
"""Pairs of one weight that are looked at before it is judged."""
Speed = Callable[[LiveJob], float | None]


class PackingWatch(Protocol):
    """Looks at packed jobs and says which to part; the baselines have none."""

    def note(self, actions: list[Action], now_s: float) -> None:
        """Hear which jobs were packed."""
        ...

    def next_s(self, vc: str) -> float | None:
        """Say when to look again."""
        ...

    def evict(self, view: ClusterView, speed: Speed) -> list[LiveJob]:
        """Name the jobs that must leave their partners now, and may not be packed again."""
        ...


class SpeedWatch:
    """Evicts the newcomer of a pair when either is slower than a share of its speed alone."""

    def __init__(
        self, threshold: float, look_after_s: float = 300.0, detection_rate: float = 1.0, seed: int = 0
    ) -> None:
        self.threshold = threshold
        self.look_after_s = look_after_s
        self.detection_rate = detection_rate
        """Share of jobs whose log tells their speed."""
        self.random = random.Random(seed)
        self.seen: dict[int, tuple[int, float]] = {}
        """How many pairs were looked at, and the mean speed of the slower, by the sum of their sharing scores."""
        self.due: dict[str, list[tuple[float, int, LiveJob, LiveJob]]] = {}
        self.evicted = 0

    def note(self, actions: list[Action], now_s: float) -> None:
        """Mark a look at each new pair, if its slowing down would be seen at all."""
        for action in actions:
            if isinstance(action, Start) and action.partner is not None and self.random.random() < self.detection_rate:
                entry = (now_s + self.look_after_s, action.job.number, action.job, action.partner)
                heapq.heappush(self.due.setdefault(action.job.vc, []), entry)

    def next_s(self, vc: str) -> float | None:
        """Give the next look."""
        looks = self.due.get(vc)
        return looks[0][0] if looks else None

    def evict(self, view: ClusterView, speed: Speed) -> list[LiveJob]:
        """Look at the pairs that are due and still together."""
        looks = self.due.get(view.vc, [])
        victims = []
        while looks and looks[0][0] <= view.now_s:
            _, _, job, partner = heapq.heappop(looks)
            if job.partner is not partner or job.placement is None:
                continue
            seen = [value for value in (speed(job), speed(partner)) if value is not None]
            if seen:
                self.remember(job, partner, min(seen))
            if seen and min(seen) < self.threshold:
                victims.append(job)
        self.evicted += len(victims)
        return victims

    def remember(self, job: LiveJob, partner: LiveJob, speed: float) -> None:
        """Keep how fast the slower of a pair was."""
        if job.profile is not None and partner.profile is not None:
            weight = job.profile.score + partner.profile.score
            count, mean = self.seen.get(weight, (0, 0.0))
            self.seen[weight] = count + 1, mean + (speed - mean) / (count + 1)

    def allows(self, weight: int) -> bool:
        """Tell whether pairs that weigh so much are worth a try: a few were not looked at yet, or they went well."""
        count, mean = self.seen.get(weight, (0, 0.0))
        return count < TRIES or mean >= self.threshold
