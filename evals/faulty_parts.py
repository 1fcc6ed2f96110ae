"""How often diagnose names the faulty part that a label names: a host, a board, a port, a service; and no other."""

import argparse
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evals.field.score import Row, load_labels
from evals.report import Report, Table
from schedmate.graphs.diagnose import run_diagnose

FOLDER = "folder"
COLUMNS = (FOLDER, "labelled", "named", "silent", "another", "without a part", "named there")

LEAST_CHARS = 3
"""A shorter name stands in too many others."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was wanted and what was named, of one log."""

    log: str
    wanted: tuple[str, ...]
    named: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Tell whether one of the parts that are wanted was named, a host with or without its domain."""
        return any(is_same(want, got) for want in self.wanted for got in self.named)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take folders of labelled logs."""
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="NAME.log files and labels.csv")
    parser.add_argument("--cases", action="store_true", help="also list each log whose part was not named")


def run(options: argparse.Namespace) -> Report:
    """Diagnose each log of a failure of the infrastructure, by its label."""
    answers = {
        folder: [asked(folder, row) for row in load_labels(folder) if is_machines(row)] for folder in options.folders
    }
    table = Table("Faulty parts", COLUMNS, [row_of(str(folder), found) for folder, found in answers.items()])
    missed = [one for found in answers.values() for one in found if one.wanted and not one.is_right]
    listed = Table(
        "Not named",
        ("log", "wanted", "named"),
        [(one.log, "; ".join(one.wanted), "; ".join(one.named)) for one in missed],
    )
    return Report([table, listed] if options.cases else [table])


def is_machines(row: Row) -> bool:
    """Tell a label of the infrastructure: elsewhere no part is at fault."""
    return row["category"].partition("|")[0] == "infrastructure"


def asked(folder: Path, row: Row) -> Answer:
    """Diagnose one log."""
    found = run_diagnose(str(folder / f"{row['name']}.log"), engine="built-in")
    wanted = [part.strip() for part in re.split(r"[|;,]", row.get("faulty_component") or "")]
    return Answer(f"{folder.name}/{row['name']}", tuple(part for part in wanted if part), found.faulty_components)


def is_same(want: str, got: str) -> bool:
    """Tell two ways to write one part: a label may say `gpu07 mlx5_2`, an answer `gpu07.cluster`."""
    want, got = want.lower(), got.lower()
    shorter, longer = sorted((want, got), key=len)
    return want == got or (
        len(shorter) >= LEAST_CHARS and re.search(rf"(?<!\w){re.escape(shorter)}(?!\w)", longer) is not None
    )


def row_of(folder: str, answers: Iterable[Answer]) -> tuple[str | int, ...]:
    """Count one folder's logs."""
    answers = list(answers)
    labelled, bare = [one for one in answers if one.wanted], [one for one in answers if not one.wanted]
    named = sum(one.is_right for one in labelled)
    silent = sum(not one.named for one in labelled)
    others = len(labelled) - named - silent
    return (folder, len(labelled), named, silent, others, len(bare), sum(bool(one.named) for one in bare))
