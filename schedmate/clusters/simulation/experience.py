"""What trainings that have ended were seen to take, for those of the same application that begin after them."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Protocol

from schedmate.clusters.simulation.draws import drawn
from schedmate.clusters.simulation.goodput import Noise
from schedmate.clusters.simulation.likeness import Matching
from schedmate.clusters.simulation.told_remaining import Legibility
from schedmate.clusters.simulation.work_left import Outlook

Steps = dict[tuple[int, int, int], tuple[float, float]]
"""Seconds of a step and of its synchronisation, by nodes, GPUs and batch a GPU."""


class Learner(Protocol):
    """A training, as far as it can take in what others have seen."""

    application: str
    seen: dict[str, Steps]
    first_noise: Noise | None
    outlook: Outlook

    def borrow(self, steps: Mapping[str, Steps], noise: Noise) -> None:
        """Believe others' steps until its own belie them."""
        ...


@dataclass
class Experience:
    """All steps of ended jobs by application and kind of GPU, and the noise with which such a training begins."""

    matching: Matching = field(default_factory=Matching)
    steps: dict[str, dict[str, Steps]] = field(default_factory=dict)
    noise: dict[str, Noise] = field(default_factory=dict)
    work: dict[str, float] = field(default_factory=dict)
    """What an ended training did in all, by application."""
    trial_s: float = 0.0
    """What steps on one GPU of a kind take before a job without a like begins; 0 as in Sia's simulator: none."""
    legibility: Legibility | None = None
    """How well logs tell what is left; None, as in the paper: neither they nor likes are asked for that."""
    taught: int = 0
    """How many jobs began with what others had seen."""

    def copied(self, matching: Matching) -> "Experience":
        """Give a copy that goes on by itself."""
        return Experience(
            matching, deepcopy(self.steps), dict(self.noise), dict(self.work), self.trial_s, self.legibility
        )

    def learn(self, ended: Learner, work: float) -> None:
        """Keep what an ended job has seen, and what it did in all."""
        if ended.first_noise is None:
            return
        self.noise.setdefault(ended.application, ended.first_noise)
        self.work[ended.application] = work
        kinds = self.steps.setdefault(ended.application, {})
        for kind, seen in ended.seen.items():
            kinds.setdefault(kind, {}).update(seen)

    def teach(self, number: int, beginner: Learner) -> bool:
        """Hand a new job what its like has seen, and say whether one was found; rarely it is no like of it."""
        name = self.matching.like(number, beginner.application, sorted(self.steps))
        if name is not None:
            self.taught += 1
            beginner.borrow(self.steps[name], self.noise[name])
        if self.legibility is not None:
            beginner.outlook = self.outlook(number, name, self.legibility)
        return name is not None

    def outlook(self, number: int, like: str | None, read: Legibility) -> Outlook:
        """Draw whether its log tells what is left, and how far off log and like are: likes are no better than logs."""

        def off(what: str) -> float:
            return read.ratios[int(drawn(what, self.matching.seed, number) * len(read.ratios))]

        told = off("ratio") if drawn("tells", self.matching.seed, number) < read.share else None
        expected = self.work.get(like) if like is not None else None
        return Outlook(told, read.after_s, None if expected is None else expected * off("like's work"))
