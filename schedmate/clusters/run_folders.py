"""What the folders of a job's runs keep, and how it is forgotten: variables, logs, and at last the folders."""

import os
import shutil
from collections.abc import Container, Iterable
from contextlib import suppress
from pathlib import Path

from schedmate.clusters.runner.records import read_record, write_whole
from schedmate.counts import how_many
from schedmate.tools.numbered_folders import numbers_in

MOST_TOLD = 5


def forget_variables(folder: Path) -> bool:
    """Take the environment out of the records of all runs of a job; tell whether there was any."""
    had = False
    for run in runs_in(folder):
        told = read_record(run / "spec")
        if told is not None and told.get("environment"):
            with suppress(OSError):
                write_whole(str(run / "spec"), told | {"environment": {}}, through=False)
                had = True
    return had


def forget_logs(paths: Iterable[Path]) -> int:
    """Remove what a job's runs have written; give the bytes."""
    freed = 0
    for path in paths:
        with suppress(OSError):
            size = os.lstat(path).st_size
            os.unlink(path)
            freed += size
    return freed


def forget_folder(folder: Path) -> bool:
    """Remove all that a job's runs have left here."""
    if not folder.is_dir():
        return False
    shutil.rmtree(folder, ignore_errors=True)
    return True


def unknown_jobs(folder: Path, known: Container[int]) -> list[int]:
    """List the jobs that have folders of runs here and are not among the known: their store has lost them."""
    found = numbers_in(folder)
    return [number for number in found if number not in known and runs_in(folder / str(number))]


def told_of(numbers: list[int]) -> str:
    """Say that jobs are missing from the store, and where they are."""
    which = f"{', '.join(map(str, numbers[:MOST_TOLD]))}{', ...' if numbers[MOST_TOLD:] else ''}"
    return f"{how_many(len(numbers), 'job')} ({which}) left folders of runs that the store does not know"


def runs_in(folder: Path) -> list[Path]:
    """List the folders of a job's runs."""
    return [folder / str(number) for number in numbers_in(folder)]
