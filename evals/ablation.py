"""Which diagnoses hang on a single catalogue entry: each deciding entry is taken out, and its logs are read again."""

import argparse
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from evals.failures import Answer, Case, located, read_cases
from evals.report import Cell, Report, Table
from schedmate.graphs.diagnose import run_diagnose
from schedmate.knowledge.catalogue import load_catalogue
from schedmate.readers.failures.sightings import catalogue_search
from schedmate.schemas import Diagnosis


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Name the logs, and entries to leave out together instead of one by one."""
    parser.add_argument("directory", type=Path, help="NAME.log files and labels.csv")
    parser.add_argument("--without", nargs="+", default=[], metavar="ID", help="leave these entries out together")


@contextmanager
def left_out(ids: Collection[str]) -> Iterator[None]:
    """Read logs as if entries had never been written; the user's cache stays as it is."""
    before = os.environ.get("SCHEDMATE_CACHE_DIR")
    with TemporaryDirectory() as scratch:
        os.environ["SCHEDMATE_CACHE_DIR"] = scratch
        catalogue_search.LEFT_OUT.update(ids)
        catalogue_search.ready_entries.cache_clear()
        try:
            yield
        finally:
            catalogue_search.LEFT_OUT.clear()
            catalogue_search.ready_entries.cache_clear()
            os.environ.pop("SCHEDMATE_CACHE_DIR")
            if before is not None:
                os.environ["SCHEDMATE_CACHE_DIR"] = before


def ask(case: Case) -> Diagnosis:
    """Diagnose one log with the built-in alone."""
    return run_diagnose(str(case.path), engine="built-in")


def verdict(case: Case, found: Diagnosis) -> str:
    """Say what of a diagnosis is right: its class, its sub-class, its place."""
    answer = Answer(found.category, found.subcategory or "", found.root_line or 0, 0.0)
    wrong = ["class"] if answer.category != case.truth(answer.category) else []
    if not wrong and not case.is_right(answer.category, answer.subcategory):
        wrong.append("sub-class")
    if case.root_line and not located(case, answer):
        wrong.append("place")
    return f"wrong {' and '.join(wrong)}" if wrong else "right"


def run(options: argparse.Namespace) -> Report:
    """Take entries out and read again."""
    cases = read_cases(options.directory)
    if options.without:
        return together(cases, options.without)
    return one_by_one(cases)


def together(cases: Sequence[Case], ids: Sequence[str]) -> Report:
    """Compare every log with and without some entries."""
    before = [verdict(case, ask(case)) for case in cases]
    with left_out(ids):
        after = [verdict(case, ask(case)) for case in cases]
    rows: list[Sequence[Cell]] = [
        [case.name, case.category, was, becomes]
        for case, was, becomes in zip(cases, before, after, strict=True)
        if was != becomes
    ]
    notes = [f"right with them: {before.count('right')} of {len(cases)}, without: {after.count('right')}"]
    return Report([Table(f"Without {', '.join(ids)}", ["case", "true", "with", "without"], rows)], notes)


def one_by_one(cases: Sequence[Case]) -> Report:
    """Take out the entry that decided each log, and see what the rest of the catalogue makes of it."""
    rows: list[Sequence[Cell]] = []
    held = alone = 0
    for case in cases:
        found = ask(case)
        name = found.failure_id or ""
        if verdict(case, found) != "right" or name not in known_ids():
            continue
        with left_out([name]):
            without = ask(case)
        becomes = verdict(case, without)
        held += becomes == "right"
        alone += becomes != "right"
        rows.append([case.name, case.category, name, without.failure_id or "-", becomes])
    columns = ["case", "true", "decided by", "without it", "then"]
    notes = [f"{held} stay right without the entry that decided them, {alone} hang on it"]
    return Report([Table("Leave the deciding entry out", columns, rows)], notes)


def known_ids() -> frozenset[str]:
    """Give the ids that stand in the catalogue; an exception without an entry has none to leave out."""
    return frozenset(failure.id for failure in load_catalogue())
