"""How well a new job's like is found among those that came before it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeVar

from schedmate.clusters.simulation.draws import drawn

T = TypeVar("T")


@dataclass(frozen=True)
class Matching:
    """Draws once a job whether its like is found, and whether something else is taken for it."""

    hit: float = 0.0
    """Share of jobs whose like is found, if there is any."""
    wrong: float = 0.0
    """Share of jobs for which another kind of job is taken for their like."""
    seed: int = 0

    @property
    def is_asked(self) -> bool:
        """Tell whether anybody looks for likes at all."""
        return self.hit > 0 or self.wrong > 0

    def like(self, number: int, kind: T, known: Collection[T]) -> T | None:
        """Give the kind of job that is taken for a job's like, of those that are known; mostly it is the job's own."""
        if self.wrong > 0 and drawn("mistaken", self.seed, number) < self.wrong:
            others = [other for other in known if other != kind]
            return others[int(drawn("mistaken for", self.seed, number) * len(others))] if others else None
        found = kind in known and (self.hit >= 1 or drawn("alike", self.seed, number) < self.hit)
        return kind if found else None
