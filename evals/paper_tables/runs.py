"""Simulations that the page is made of, each remembered in a file once it is done."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.results import Summary
from schedmate.scheduling.simulation.run_policy import run as play
from schedmate.scheduling.simulation.sweep import SweepLedger, fingerprint


@dataclass
class Runs:
    """Plays what was not played yet, and says so; whoever is killed goes on where he was."""

    ledger: SweepLedger
    tell: Callable[[str], None]
    draws: range
    """Seeds."""
    folder: Path

    def one(self, label: str, experiment: Experiment, policy: str, seed: int) -> Summary:
        """Give the figures of one run."""
        seeded = replace(experiment, seed=seed)
        name = fingerprint(seeded, policy, seed)
        if name not in self.ledger.done:
            summary = play(seeded, policy).summary
            self.ledger.add(name, summary)
            self.ledger.done[name] = summary
            self.tell(f"{label}, seed {seed}: {summary.avg_jct_s:,.0f} s ({summary.cpu_s:.1f} CPU s)")
        return self.ledger.done[name]

    def each(self, label: str, experiments: Iterable[Experiment], policy: str) -> list[Summary]:
        """Give the figures for each seed's experiment."""
        return [
            self.one(label, experiment, policy, seed) for seed, experiment in zip(self.draws, experiments, strict=False)
        ]


def open_runs(folder: Path, tell: Callable[[str], None], draws: range) -> Runs:
    """Open the file of runs in the folder of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    return Runs(SweepLedger(folder / "runs.jsonl"), tell, draws, folder)


def mean_jct_s(found: Iterable[Summary]) -> float:
    """Average over seeds."""
    return fmean(one.avg_jct_s for one in found)


def better(before_s: float, after_s: float) -> str:
    """Write how many per cent the second is below the first."""
    return f"{after_s / before_s - 1:+.1%}"
