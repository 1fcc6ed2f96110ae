"""What each set scored when nobody had looked at it: the first runs, pooled by verb and kind of material.

`first_runs.csv` has a row for each set, in the order in which they were read: how many logs or jobs, how many were
right, how many places, how many of the answers that were 0.8 sure; for `extract` the share of fields right, of the core
fields, and of those filled in that the code leaves open. A set has one first run: its row is written once.
"""

import argparse
import csv
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from evals.report import Report, Table
from evals.statistics import wilson

SETS = Path(__file__).with_suffix(".csv")

LATEST = 3
"""So many sets at the end are shown by themselves: what the reader of today is worth."""
Row = dict[str, str]
COUNTED = ("verb", "material", "sets", "logs", "right, 95 % interval", "worst set", f"latest {LATEST}", "place", "sure")
READ = ("verb", "sets", "jobs", "fields right", "worst set", f"latest {LATEST}", "core fields", "invented")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the form for the docs."""
    parser.add_argument("--markdown", action="store_true", help="print the tables as docs/measurements.md has them")


def run(options: argparse.Namespace) -> Report:
    """Pool the sets."""
    report = Report(tables())
    if options.markdown:
        print("\n\n".join(as_markdown(table) for table in report.tables), end="\n\n")
    return report


def tables() -> list[Table]:
    """Give one table of what is counted in logs, and one of what is read in fields."""
    with SETS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kinds: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        kinds[row["verb"], row["material"]].append(row)
    counted = [pooled(kind, sets) for kind, sets in kinds.items() if sets[0]["right"]]
    read = [averaged(kind[0], sets) for kind, sets in kinds.items() if sets[0]["share"]]
    return [Table("logs", COUNTED, counted), Table("jobs by their code", READ, read)]


def pooled(kind: tuple[str, str], sets: Sequence[Row]) -> list[str | int]:
    """Add up the sets of one kind of material."""
    right, total = added(sets, "right", "n")
    worst = min(sets, key=lambda row: int(row["right"]) / int(row["n"]))
    pairs = (added([worst], "right", "n"), added(sets[-LATEST:], "right", "n"))
    place, sure = added(sets, "place_right", "place_n"), added(sets, "sure_right", "sure_n")
    return [*kind, len(sets), total, wilson(right, total), *(part(*pair) for pair in (*pairs, place, sure))]


def averaged(verb: str, sets: Sequence[Row]) -> list[str | int]:
    """Average shares of fields over jobs: the sets' own cells are not kept."""
    worst = min(sets, key=lambda row: float(row["share"]))
    shares = (mean(sets, "share"), float(worst["share"]), mean(sets[-LATEST:], "share"))
    last = sets[-LATEST:]
    return [verb, len(sets), added(sets, "n", "n")[1], *(f"{share:.3f}" for share in shares),
            f"{mean(sets, 'core'):.3f}, latest {mean(last, 'core'):.3f}",
            f"{mean(sets, 'invented'):.3f}, latest {mean(last, 'invented'):.3f}"]  # fmt: skip


def mean(sets: Sequence[Row], column: str) -> float:
    """Weigh each set's share by its jobs."""
    return sum(int(row["n"]) * float(row[column]) for row in sets) / sum(int(row["n"]) for row in sets)


def added(sets: Sequence[Row], right: str, total: str) -> tuple[int, int]:
    """Add up two columns over the sets that have them."""
    having = [row for row in sets if row[total]]
    return sum(int(row[right]) for row in having), sum(int(row[total]) for row in having)


def part(right: int, total: int) -> str:
    """Write a share with its counts, shortly."""
    return f"{right / total:.{3 if total >= 100 else 2}f} of {total}" if total else "-"


def as_markdown(table: Table) -> str:
    """Write a table as the docs have it."""
    lines = ["| " + " | ".join(table.columns) + " |", "|" + "---|" * len(table.columns)]
    return "\n".join([*lines, *("| " + " | ".join(str(cell) for cell in row) + " |" for row in table.rows)])
