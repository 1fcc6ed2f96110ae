"""What stopping and starting a job again costs it: the start itself, and the work since its last checkpoint."""

from dataclasses import dataclass, replace

from schedmate.clusters.simulation.draws import drawn
from schedmate.errors import InputError


@dataclass(frozen=True)
class Saving:
    """How jobs save their state; the defaults are the published constants, under which a stop loses no work."""

    small_s: float = 40.0
    large_s: float = 60.0
    """An optimistic reading of the 62 s that Tiresias measured on average."""
    small_gpus: int = 8
    share: float = 1.0
    """Share of jobs that write checkpoints at all."""
    every_s: float = 0.0
    """Seconds between them; 0: every moment is saved."""
    seed: int = 0
    starts_s: tuple[float, ...] = ()
    """What each job's start takes, by its number, where that was measured; the first is part of the job's work."""

    def start_s(self, number: int) -> float:
        """Give the part of each run in which the program only starts, and nothing is done that could be saved."""
        return self.starts_s[number] if self.starts_s else 0.0

    def cost_s(self, number: int, gpus: float) -> float:
        """Give the work that a start adds, in seconds of running alone."""
        if self.starts_s:
            return self.start_s(number)
        return self.small_s if gpus <= self.small_gpus else self.large_s

    def saves(self, number: int) -> bool:
        """Tell whether a job writes checkpoints; the same job always does, or never."""
        return self.share >= 1.0 or drawn("saves", self.seed, number) < self.share

    def lost(self, number: int, done: float) -> float:
        """Give what a run loses that is stopped now, beside the start that follows: below zero in its own start."""
        begun = done - self.start_s(number)
        if begun < 0 or not self.saves(number):
            return begun
        return begun % self.every_s if self.every_s else 0.0

    def saved(self, number: int, done: float) -> float | None:
        """Give the work of a run that its last checkpoint holds; None before there is one."""
        start_s = self.start_s(number)
        if done < start_s or not self.saves(number):
            return None
        kept = done - self.lost(number, done)
        return kept if kept > start_s or not self.every_s else None


PUBLISHED = Saving()

REAL = Saving(120.0, 180.0, share=0.6, every_s=1800.0)
"""What clusters see: not everybody saves, nobody all the time, and a start takes minutes."""
NONE = Saving(120.0, 180.0, share=0.0)
WORDS = {"published": PUBLISHED, "real": REAL, "none": NONE}

MOST = {"share": 1.0, "every_min": 525_600.0, "start_s": 86_400.0}
"""What may be said of saving, and the most that makes sense."""


def read_saving(text: str) -> Saving:
    """Read one of the words, or `share=0.6,every_min=30,start_s=120`; what is not said is as in `real`."""
    if text in WORDS:
        return WORDS[text]
    said: dict[str, float] = {}
    for pair in text.split(","):
        name, _, value = pair.strip().partition("=")
        try:
            said[name] = float(value)
        except ValueError:
            said[name] = -1.0
        if name not in MOST or not 0 <= said[name] <= MOST[name]:
            raise InputError(
                f"saving '{pair.strip()[:80]}' is not known",
                f"give {', '.join(WORDS)}, or as in: share=0.6,every_min=30,start_s=120",
            )
    start_s = said.get("start_s", REAL.small_s)
    return replace(
        REAL,
        small_s=start_s,
        large_s=said.get("start_s", REAL.large_s),
        share=said.get("share", REAL.share),
        every_s=said["every_min"] * 60 if "every_min" in said else REAL.every_s,
    )
