"""How many logs tell the remaining time with what else is known: the last step, the passes, what the code says."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.metrics import labelled
from evals.report import Table
from evals.repositories import source_of
from schedmate.graphs.extract import run_extract
from schedmate.readers.progress.loop.ends import NO_ENDS, Ends, ends_of, joined
from schedmate.readers.progress.tracker import Tracker

STEPS, EPOCHS = 1e9, 1e6
"""Ends that no log has passed."""
Knows = tuple[bool, bool]
"""Whether a job's command or code tells its last step, and its passes."""


@dataclass(frozen=True)
class Telling:
    """What one log tells: by itself, given the last step, given the passes."""

    alone: bool
    with_steps: bool
    with_epochs: bool

    def told(self, knows: Knows) -> bool:
        """Tell whether the remaining time is told when so much is known besides."""
        return self.alone or (knows[0] and self.with_steps) or (knows[1] and self.with_epochs)


def tells(data: bytes, ends: Ends) -> bool:
    """Tell whether a log's remaining time can be read with these ends."""
    tracker = Tracker("log", ends=ends)
    tracker.feed(data, now_s=0.0)
    tracker.finish()
    return tracker.metrics().eta_s is not None


def tellings(folder: Path) -> list[Telling]:
    """Read each labelled log three times."""
    ways = (NO_ENDS, Ends(steps=STEPS), Ends(epochs=EPOCHS))
    return [Telling(*(tells(case.data, ends) for ends in ways)) for case in labelled(folder)]


def jobs_know(labels: Path, repos: Path | None) -> list[Knows]:
    """Read the command and the code of each labelled training job."""
    found = []
    with labels.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["is_training"] == "yes":
                root = source_of(row["repo"], row["commit"], repos)
                work = run_extract(root, row["command"], row["workdir"] or ".", "built-in").workload
                ends = joined(ends_of(row["command"]), work.total_steps, work.epochs)
                found.append((bool(ends.steps), bool(ends.epochs)))
    return found


def composed(logs: Sequence[Telling], jobs: Sequence[Knows]) -> float:
    """Give the share of all pairs of a log and a job that tell, as if which job has which log were chance."""
    pairs = len(logs) * len(jobs)
    return sum(log.told(job) for log in logs for job in jobs) / pairs if pairs else 0.0


def table(logs: Sequence[Telling], jobs: Sequence[Knows]) -> Table:
    """Give the shares one by one, the last of them composed under its assumption."""
    count = max(len(logs), 1)
    rows: list[tuple[str, int, float]] = [
        (name, len(logs), sum(log.told(knows) for log in logs) / count)
        for name, knows in (
            ("the log alone", (False, False)),
            ("and its last step, were it known", (True, False)),
            ("and its passes, were they known", (False, True)),
            ("and either", (True, True)),
        )
    ]
    if jobs:
        rows += [
            ("jobs whose command or code tells the last step", len(jobs), sum(one[0] for one in jobs) / len(jobs)),
            ("jobs whose command or code tells the passes", len(jobs), sum(one[1] for one in jobs) / len(jobs)),
            ("logs of such jobs, if one is independent of the other", len(logs) * len(jobs), composed(logs, jobs)),
        ]
    return Table("What the remaining time is told by", ("known", "count", "share"), rows)
