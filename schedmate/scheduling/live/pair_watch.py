"""Packing on a real machine: look at each pair again and again, for as long as it lasts."""

from schedmate.clusters import LiveJob
from schedmate.scheduling.parting import PARTED_BELOW, Speed
from schedmate.scheduling.view import Action, ClusterView, Start


class PairWatch:
    """Evicts the newcomer of a pair once the log of either says that it is slowed below the threshold."""

    def __init__(self, threshold: float = PARTED_BELOW, every_s: float = 1.0) -> None:
        self.threshold = threshold
        self.every_s = every_s
        self.pairs: dict[int, tuple[LiveJob, LiveJob]] = {}
        self.look_s = 0.0

    def note(self, actions: list[Action], now_s: float) -> None:
        """Remember new pairs by the number of the newcomer."""
        for action in actions:
            if isinstance(action, Start) and action.partner is not None:
                self.join(action.job, action.partner)
        self.look_s = now_s + self.every_s

    def join(self, job: LiveJob, partner: LiveJob) -> None:
        """Remember a pair."""
        self.pairs[job.number] = (job, partner)

    def next_s(self, vc: str) -> float | None:
        """Look again soon while there is a pair."""
        return self.look_s if any(job.vc == vc for job, _ in self.pairs.values()) else None

    def evict(self, view: ClusterView, speed: Speed) -> list[LiveJob]:
        """Name the newcomers that must go; a speed that nobody knows yet is no reason."""
        victims = []
        for number, (job, partner) in [*self.pairs.items()]:
            if job.vc != view.vc:
                continue
            if job.partner is not partner or job.placement is None:
                del self.pairs[number]
                continue
            seen = [value for value in (speed(job), speed(partner)) if value is not None]
            if seen and min(seen) < self.threshold:
                victims.append(job)
                del self.pairs[number]
        return victims
