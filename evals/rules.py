"""How often each rule of the first cause fired, changed the root and was right: what carries, what is anecdotal."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.field.score import Row, accepted, load_labels, placed
from evals.report import Cell, Report, Table
from schedmate.readers.failures.answer.classify import classify
from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.causes.corrections import FATES, STATEMENTS, TABLES, WEIGHTS
from schedmate.readers.failures.causes.first_cause import CauseVerdict, decide
from schedmate.readers.failures.causes.weighing import weigh_all
from schedmate.readers.failures.reading import FailureReading, read_log
from schedmate.tools.logfile import open_log

COLUMNS = ("rule", "fired", "changed", "right with it", "right without", "gained", "lost")

OF_WEIGHING = frozenset(rule.name for table in (STATEMENTS, FATES, WEIGHTS) for rule in table)
"""What has to be weighed anew without it."""


@dataclass(frozen=True, slots=True)
class Count:
    """What one rule did to the answer of one log."""

    rule: str
    log: str
    changed: bool
    """the root, or its class, is another without it"""
    right: bool
    right_without: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take folders of labelled logs."""
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="NAME.log files and labels.csv")
    parser.add_argument("--cases", action="store_true", help="also list each log whose answer hangs on a rule")


def run(options: argparse.Namespace) -> Report:
    """Read each log, then leave out one rule after the other of those that did something."""
    logs = [(folder, row) for folder in options.folders for row in load_labels(folder)]
    counts = [count for folder, row in logs for count in counts_of(folder / f"{row['name']}.log", row)]
    table = Table(f"{len(logs)} logs", COLUMNS, [row_of(name, counts) for name in names()])
    return Report([table, listed(counts)] if options.cases else [table])


def names() -> list[str]:
    """Give the rules in the order in which they are asked."""
    return [rule.name for table in TABLES for rule in table]


def counts_of(path: Path, row: Row) -> Iterator[Count]:
    """Tell of each rule that did something to a log what comes without it."""
    with open_log(path) as log:
        readings = [read_log(log)]
        sightings = readings[0].suspects()
        case = JobCase(readings, sightings)
        weighed = weigh_all(case)
        verdict = decide(*weighed, case)
        right = is_right(row, verdict, readings)
        for rule in fired(verdict):
            without_it = JobCase(readings, sightings, left_out=frozenset({rule}))
            own = weigh_all(without_it) if rule in OF_WEIGHING else weighed
            other = decide(*own, without_it)
            changed = answer_of(other) != answer_of(verdict)
            without = is_right(row, other, readings) if changed else right
            yield Count(rule, f"{path.parent.name}/{path.stem}", changed, right, without)


def fired(verdict: CauseVerdict) -> list[str]:
    """List the rules that did something, in their order."""
    taken = {step.rule for one in verdict.suspects for step in one.history} | {move.rule for move in verdict.moves}
    return [name for name in names() if name in taken]


def answer_of(verdict: CauseVerdict) -> tuple[int, int, str] | None:
    """Give what a rule may change: the line, and which entry classes it."""
    root = verdict.root
    return (root.source, root.start, root.failure.id if root.failure else "") if root else None


def is_right(row: Row, verdict: CauseVerdict, readings: Sequence[FailureReading]) -> bool:
    """Tell whether class and place are the label's."""
    answer = classify(verdict, readings).model_dump(include={"category", "root_line"})
    return accepted(row, answer) and placed(row, answer)


def row_of(name: str, counts: Iterable[Count]) -> list[Cell]:
    """Count for one rule."""
    own = [count for count in counts if count.rule == name]
    changed = [count for count in own if count.changed]
    gained = sum(count.right and not count.right_without for count in changed)
    lost = sum(count.right_without and not count.right for count in changed)
    right, without = sum(one.right for one in changed), sum(one.right_without for one in changed)
    return [name, len(own), len(changed), right, without, gained, lost]


def listed(counts: Iterable[Count]) -> Table:
    """List the answers that hang on a rule."""
    rows = [[one.rule, one.log, told(one.right), told(one.right_without)] for one in counts if one.changed]
    return Table("answers that hang on a rule", ("rule", "log", "with it", "without"), rows)


def told(right: bool) -> str:
    """Say whether an answer was right."""
    return "right" if right else "wrong"
