"""How often track's answer moves when a log is only dressed otherwise, or other programs print beside it."""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from evals.metrics import Case, invented, labelled
from evals.progress.bystanders import BYSTANDERS, stood_by
from evals.progress.carriers import CARRIERS, carried
from evals.report import Cell, Report, Table
from schedmate.readers.progress.tracker import Tracker
from schedmate.schemas import Metrics

EXACT = ("step", "total_steps", "loss", "epoch")

NEAR = 0.1
"""Noise may drive out some of the lines that a median is made of."""
SURE = 0.8
ALL = "all kinds"

Moved = tuple[str, str, str, Metrics, Metrics]
"""What was done to a log, the log, what moved, and the two answers."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take a folder of logs, or none for invented ones."""
    parser.add_argument(
        "folder", nargs="?", type=Path, help="NAME.log files with labels.csv; without it, invented logs"
    )
    parser.add_argument("--count", type=int, default=60, help="how many logs to invent")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", type=int, default=20000, help="lines of noise of all kinds; 0 for none")
    parser.add_argument("--noise-each", type=int, default=1000, help="lines of noise of each kind alone; 0 for none")
    parser.add_argument("--only", action="append", help="only this dress or kind of noise; may be given again")
    parser.add_argument("--moved", action="store_true", help="list the answers that moved")


def run(options: argparse.Namespace) -> Report:
    """Read every log as it is, then in other dress and among other programs' lines, and count what moved."""
    cases = labelled(options.folder) if options.folder else list(invented(options.seed, options.count))
    tried: dict[str, int] = defaultdict(int)
    moved: list[Moved] = []
    for case in cases:
        plain = answer(case.data)
        for name, data in shown(case, options):
            tried[name] += 1
            other = answer(data)
            if what := differences(plain, other):
                moved.append((name, case.name, what, plain, other))
    tables = [summary(tried, moved)]
    if options.moved:
        tables.append(listed(moved))
    return Report(tables, [f"{len(cases)} logs of {options.folder or 'our own invention'}, seed {options.seed}"])


def shown(case: Case, options: argparse.Namespace) -> Iterator[tuple[str, bytes]]:
    """Give one log in every dress and among every kind of noise."""
    text = case.data.decode("utf-8", "surrogateescape")
    for name in wanted(CARRIERS, options):
        yield name, encoded(carried(name, dice_of(options, case, name), text))
    for name in wanted(BYSTANDERS, options) if options.noise_each else ():
        yield name, encoded(stood_by(dice_of(options, case, name), text, options.noise_each, [name]))
    for name in wanted([ALL], options) if options.noise else ():
        yield name, encoded(stood_by(dice_of(options, case, name), text, options.noise, list(BYSTANDERS)))


def wanted(names: Iterable[str], options: argparse.Namespace) -> list[str]:
    return [name for name in names if not options.only or name in options.only]


def dice_of(options: argparse.Namespace, case: Case, name: str) -> random.Random:
    return random.Random(f"{options.seed}/{case.name}/{name}")


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def answer(data: bytes) -> Metrics:
    """Read one log as `schedmate track` does."""
    tracker = Tracker("job.log")
    tracker.feed(data, now_s=0.0)
    tracker.finish()
    return tracker.metrics()


def differences(plain: Metrics, other: Metrics) -> str:
    """Name the values that moved."""
    found = [name for name in EXACT if getattr(plain, name) != getattr(other, name)]
    if is_apart(plain.step_time_s, other.step_time_s):
        found.insert(0, "step_time_s")
    return ", ".join(found)


def is_apart(one: float | None, other: float | None) -> bool:
    """Tell whether two step times differ; silence differs from any."""
    if one is None or other is None:
        return one is not other
    return abs(one - other) > NEAR * max(one, other)


def summary(tried: dict[str, int], moved: Sequence[Moved]) -> Table:
    """Count by what was done: answers that moved, step times that moved, that fell silent, that are sure."""
    rows: list[list[Cell]] = []
    for name, count in [*tried.items(), ("together", sum(tried.values()))]:
        mine = [one for one in moved if name in {one[0], "together"}]
        timed = [one for one in mine if one[2].startswith("step_time_s")]
        silent = sum(other.step_time_s is None for *_, other in timed)
        sure = sum(other.step_time_s is not None and (other.confidence or 0) > SURE for *_, other in timed)
        rows.append([name, count, len(mine), 100 * len(mine) / count if count else None, len(timed), silent, sure])
    columns = ("shown", "logs", "moved", "moved %", "step time moved", "fell silent", "moved, confidence > 0.8")
    return Table("Answers that moved", columns, rows)


def listed(moved: Sequence[Moved]) -> Table:
    """List what moved, from what to what."""
    rows: list[list[Cell]] = []
    for name, log, what, plain, other in moved:
        first = what.partition(", ")[0]
        rows.append([name, log, what, getattr(plain, first), getattr(other, first), other.confidence])
    return Table("What moved", ("shown", "log", "what", "from", "to", "confidence"), rows)
