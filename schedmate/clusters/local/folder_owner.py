"""Whose a run's folder is, and what the folders prove that the store does not know.

Folder and store bear the store's identity and the job's token. A store that was moved away or restored from a backup
counts from an earlier number: its runs must never be taken for those that a folder of that number tells of. What is
another's is moved into `aside` and named; what is ours and unknown to the store is written into it before anything
starts, so that a job which ran after the backup was made does not run again.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from schedmate.clusters.local.books import LocalBooks
from schedmate.clusters.local.runs import still_runs
from schedmate.clusters.runner.records import Record, read_record
from schedmate.errors import StoreError
from schedmate.history.restoring import Known, known_runs, restore_job, restore_run
from schedmate.tools.numbered_folders import numbers_in

ASIDE = "aside"

TRACES = ("began", "exit", "job")
"""Where none of these is, nothing has run."""
MOST_NAMED = 20
Told = Record


def compare(books: LocalBooks) -> list[str]:
    """Go through all folders before anything is taken over; give in words what was odd."""
    known, odd = known_runs(books.store), list[str]()
    for number, runs in folders_in(books.folder):
        row = known.get(number)
        for run in runs:
            folder = books.folder / str(number) / str(run)
            told = read_record(folder / "spec")
            if told is None and is_untouched(folder):
                continue
            if told is None or not is_of(told, books.identity, number, row):
                odd.append(set_aside(folder, number, run))
            elif row is None or run not in row.runs:
                last = max(runs[-1], *(row.runs if row else ()), run)
                row, words = take_back(books, FoundFolder(number, run, folder, told), row, run == last)
                odd.append(words)
    return [*odd, *filter(None, [missing(books)])]


def claim(books: LocalBooks, folder: Path, number: int, run: int) -> str:
    """See to it that a run that is about to begin meets no folder of another; say so where one was there."""
    told, token = read_record(folder / "spec"), books.store.job(number).token
    if told is None and is_untouched(folder):
        return ""
    if told is not None and is_of(told, books.identity, number, Known(token, frozenset())):
        return ""
    return set_aside(folder, number, run)


def is_of(told: Told, ours: str, number: int, row: Known | None) -> bool:
    """Tell whether a folder is this store's, and of the job that has this number in it."""
    job = told.get("job")
    name = str(told.get("name", ""))
    if not isinstance(job, dict) or told.get("store") != ours or name.partition("/")[0] != f"{number}":
        return False
    return row is None or job.get("token") == row.token


def is_untouched(folder: Path) -> bool:
    """Tell whether nothing has run in a folder."""
    return not any((folder / trace).exists() for trace in TRACES)


class FoundFolder(NamedTuple):
    """A run that a folder of ours tells of and the store does not."""

    number: int
    run: int
    folder: Path
    told: Told


def take_back(books: LocalBooks, found: FoundFolder, row: Known | None, is_last: bool) -> tuple[Known | None, str]:
    """Write into the store what a folder proves; the last run of a job is left open: its end is booked later."""
    number, run, folder, told = found

    def work() -> None:
        if row is None:
            restore_job(books.store, number, told)
        ended = None if is_last else read_record(folder / "exit")
        restore_run(books.store, number, run, told, read_record(folder / "began"), ended, is_last)

    try:
        books.store.write(work)
    except (LookupError, TypeError, ValueError, OverflowError, sqlite3.Error):
        return row, set_aside(folder, number, run)
    words = f"run {run} of job {number} was not in the store: taken from its folder"
    return Known(told["job"]["token"], (row.runs if row else frozenset()) | {run}), words


def folders_in(folder: Path) -> Iterator[tuple[int, list[int]]]:
    """List jobs that have folders, and the numbers of their runs."""
    for number in numbers_in(folder):
        if runs := numbers_in(folder / str(number)):
            yield number, runs


def set_aside(folder: Path, number: int, run: int) -> str:
    """Move a folder out of the way, and say whose it was as far as it tells."""
    aside = folder.parents[1] / ASIDE
    try:
        aside.mkdir(mode=0o700, exist_ok=True)
        place = next(path for k in count() if not (path := aside / f"{number}-{run}-{k}").exists())
        folder.rename(place)
    except OSError as error:
        raise StoreError(
            f"{folder} is not this store's, and cannot be moved away: {error}", "move it by hand"
        ) from error
    told, record = read_record(place / "spec") or {}, read_record(place / "job")
    still = f"; it still runs, as process {record['pid']}" if record is not None and still_runs(record) else ""
    whose = "of a job that is not this store's" if told else "of which nothing can be read"
    return f"a folder {whose} was in the place of run {run} of job {number}: it is now {place}{still}"


def identity_of(folder: Path) -> str:
    """Tell which store most of the folders bear; empty where none tells."""
    told: Counter[str] = Counter()
    for number, runs in folders_in(folder):
        spec = read_record(folder / f"{number}" / f"{runs[-1]}" / "spec")
        told[str((spec or {}).get("store", ""))] += 1
    del told[""]
    return told.most_common(1)[0][0] if told else ""


def missing(books: LocalBooks) -> str:
    """Name jobs of which neither the store nor a folder knows any more; numbers are given once and never taken back."""
    known = known_runs(books.store)
    gone = [number for number in range(1, max(known, default=0)) if number not in known]
    more = f" and {len(gone) - MOST_NAMED} more" if len(gone) > MOST_NAMED else ""
    names = ", ".join(map(str, gone[:MOST_NAMED]))
    return f"the store has lost jobs, and no folder knows of them: {names}{more}" if gone else ""
