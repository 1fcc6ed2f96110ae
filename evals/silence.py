"""What extract says nothing of, in jobs that nobody has labelled: silence is plain to see, and so is what has changed.

FILE is a CSV with the columns repo and command, and where it is known commit and workdir. With --before, what an
earlier reading said is put beside: a value that differs is to be held against the source by whoever changed the reader.
"""

import argparse
import csv
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evals.report import Cell, Report, Table
from evals.repositories import source_of
from schedmate.errors import InputError
from schedmate.graphs.extract import run_extract
from schedmate.readers.code.verify import FIELDS

Said = dict[str, Any]
"""What is said of one job, by its fields."""
ORDER = ("repo", "command", "field", "before", "now")
LONGEST = 70


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the jobs, where their repositories lie, and what was said of them before."""
    parser.add_argument("jobs", type=Path, metavar="FILE", help="CSV with the columns repo, command[, commit, workdir]")
    parser.add_argument("--repos", type=Path, metavar="DIR", help="the repositories, as folders or git directories")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write what is said as JSON lines")
    parser.add_argument("--before", type=Path, metavar="FILE", help="what was said before, as --save wrote it")


def run(options: argparse.Namespace) -> Report:
    """Read every job."""
    try:
        with options.jobs.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise InputError(f"{options.jobs} cannot be read: {error.strerror}", "name a CSV of jobs") from error
    said = {key_of(row): read_job(row, options.repos) for row in rows}
    if options.save:
        lines = (json.dumps({"repo": repo, "command": command, **fields}) for (repo, command), fields in said.items())
        options.save.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    tables = [silences(said)]
    if options.before:
        before = (json.loads(line) for line in options.before.read_text("utf-8").splitlines())
        tables.append(Table("what differs", ORDER, list(changes({key_of(one): one for one in before}, said))))
    return Report(tables)


def key_of(row: dict[str, Any]) -> tuple[str, str]:
    """Tell one job from another."""
    return row["repo"], row["command"]


def read_job(row: dict[str, str], repos: Path | None) -> Said:
    """Read one job; what cannot be read at all says nothing."""
    root = source_of(row["repo"], row.get("commit") or "HEAD", repos)
    try:
        workload = run_extract(root, row["command"], row.get("workdir") or ".", "built-in").workload
    except InputError:
        return {}
    return {name: value for name in FIELDS if (value := getattr(workload, name)) is not None}


def silences(said: dict[tuple[str, str], Said]) -> Table:
    """Count of the jobs that train how many tell each field."""
    training = [fields for fields in said.values() if fields.get("is_training")]
    told = Counter(name for fields in training for name in fields)
    rows: list[list[Cell]] = [["jobs that train", len(training), len(said), len(training) / max(1, len(said))]]
    rows += [[name, told[name], len(training), told[name] / max(1, len(training))] for name in FIELDS]
    return Table("what is said", ("field", "said", "of", "share"), rows)


def changes(before: dict[tuple[str, str], Said], now: dict[tuple[str, str], Said]) -> Iterator[Sequence[Cell]]:
    """Give each value that differs from what was said before."""
    for key, fields in now.items():
        for name in FIELDS:
            old, new = before.get(key, {}).get(name), fields.get(name)
            if key in before and old != new:
                yield (
                    key[0],
                    key[1][:LONGEST],
                    name,
                    *(None if one is None else str(one)[:LONGEST] for one in (old, new)),
                )
