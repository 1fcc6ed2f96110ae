"""Score what is told of logs that were cut: how often, how near, and whether the truth lies in the interval."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from evals.cut_short.programs import write_programs
from evals.cut_short.running import Cut, cut, play
from evals.report import Cell, Table

NEAR = 0.25
WAYS = ("the log alone", "with --command", "with --command and --repo")


def cuts(seeds: Sequence[int]) -> list[Cut]:
    """Run the programs of each seed and cut their logs."""
    found: list[Cut] = []
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            for place, program in enumerate(write_programs(seed)):
                found += cut(play(program, Path(folder) / str(place), seed))
    return found


def table(found: Sequence[Cut]) -> Table:
    """Give a row for each way to ask."""
    rows: list[Sequence[Cell]] = []
    for place, way in enumerate(WAYS):
        pairs = [(one.told[place], one.left_s) for one in found]
        ratios = sorted(metrics.eta_s / left_s for metrics, left_s in pairs if metrics.eta_s is not None)
        inside = [
            metrics.eta_low_s <= left_s <= metrics.eta_high_s
            for metrics, left_s in pairs
            if metrics.eta_low_s is not None and metrics.eta_high_s is not None
        ]
        near = sum(abs(ratio - 1) <= NEAR for ratio in ratios)
        count = max(len(ratios), 1)
        rows.append((
            way, len(pairs), len(ratios) / len(pairs), median(ratios) if ratios else None, near / count,
            sum(inside) / count,
        ))  # fmt: skip
    columns = ("read", "cuts", "tell", "told / true, median", "within 25 %", "in the interval")
    return Table("Programs of our own that ran and were cut", columns, rows)
