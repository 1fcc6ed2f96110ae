"""Diagnoses of logs, beside the jobs that they are of: a job's number stands in its log or in the log's name."""

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from schedmate.batch.pool import readers
from schedmate.batch.sources import Source
from schedmate.errors import InputError, SchedMateError
from schedmate.readers.failures.last_save import last_save
from schedmate.reports.past import Gathering, Told
from schedmate.reports.sources import found_of
from schedmate.schemas import Diagnosis
from schedmate.watching.finding import Finder

LIMIT_S = 120.0
"""A log that takes longer is left out."""
NUMBER = re.compile(r"\d+(?:_\d+|\+\d+)?")


def from_logs(
    gathering: Gathering, patterns: Sequence[str], workers: int, tell: Callable[[int, int], None]
) -> list[str]:
    """Diagnose logs; one of no known job is a job of its own, of which only the end is known. Give what went wrong."""
    logs = [path for path, _ in Finder(patterns).find(0.0)]
    if not logs:
        raise InputError(f"{' '.join(patterns)} matches no log", "give files, folders or patterns")
    known = dict(gathering.places)
    gathering.new_source()
    notes: list[str] = []
    done = 0
    with readers("diagnose", "built-in", workers, LIMIT_S) as reading:
        for row in reading.read(Source(path) for path in logs):
            if row is None:
                continue
            done += 1
            tell(done, len(logs))
            if not row.answer:
                notes.append(f"{row.source}: {row.error}")
                continue
            keep(gathering, known, row.source, Diagnosis.model_validate_json(row.answer))
    return notes


def keep(gathering: Gathering, known: dict[str, int], log: str, diagnosis: Diagnosis) -> None:
    """Add what a log tells to its job, else as a job."""
    place = place_of(known, log, diagnosis)
    if place is None:
        failed = diagnosis.category != "none"
        place = gathering.add(
            Told(
                log,
                status="failed" if failed else "unknown",
                end_s=os.stat(log).st_mtime if os.path.exists(log) else 0.0,
            )
        )
    gathering.found[place] = found_of(diagnosis)
    with suppress(SchedMateError, OSError):
        if diagnosis.category != "none" and (saved := last_save(log)) is not None:
            gathering.lost_s[place] = max(saved.lost_s, gathering.lost_s.get(place, 0.0))


def place_of(known: dict[str, int], log: str, diagnosis: Diagnosis) -> int | None:
    """Find the job of a log: by what the log says, else by a number in the file's name."""
    if diagnosis.job_id in known:
        return known[diagnosis.job_id]
    return next((known[word] for word in NUMBER.findall(Path(log).name) if word in known), None)
