"""Diagnoses of logs, beside the jobs that they are of: a job's number stands in its log or in the log's name."""

import os
import re
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from schedmate.batch.pool import readers
from schedmate.batch.sources import Source
from schedmate.errors import InputError, SchedMateError
from schedmate.history.importers.reading import as_text
from schedmate.readers.failures.runs.last_save import last_save
from schedmate.reports.past import Gathering, Told
from schedmate.reports.sources import found_of
from schedmate.schemas import Diagnosis
from schedmate.traces.reading import detect
from schedmate.watching.finding import Finder

LIMIT_S = 120.0
"""A log that takes longer is left out."""
HEADER = 4096
"""Characters in which a table's header line ends."""
NUMBER = re.compile(r"\d+(?:_\d+|\+\d+)?")


def from_logs(
    gathering: Gathering, patterns: Sequence[str], workers: int, tell: Callable[[int, int], None]
) -> list[str]:
    """Diagnose logs; give what went wrong.

    Where records tell which jobs there were, a log of none of them counts for nothing. Where there are only logs, each
    is a job of its own, of which only the end is known.
    """
    found = [path for path, _, _ in Finder(patterns).find(0.0)]
    if not found:
        raise InputError(f"{' '.join(patterns)} matches no log", "give files, folders or patterns")
    tables = {path: form for path in found if (form := table_in(path))}
    logs = [path for path in found if path not in tables]
    notes = [f"{path} is no log but a table of jobs ({form}): give it as --jobs" for path, form in tables.items()]
    if not logs:
        path, form = next(iter(tables.items()))
        raise InputError(f"{path} is no log but a table of jobs ({form})", f"give it as --jobs {path}")
    known = {job_id: place for place, job_id in enumerate(gathering.ids)}
    gathering.new_source()
    done = unknown = 0
    with readers("diagnose", "built-in", workers, LIMIT_S) as reading:
        for row in reading.read(Source(path) for path in logs):
            if row is None:
                continue
            done += 1
            tell(done, len(logs))
            if not row.answer:
                notes.append(f"{row.source}: {row.error}")
                continue
            diagnosis = Diagnosis.model_validate_json(row.answer)
            place = place_of(known, row.source, diagnosis)
            if place is None and known:
                unknown += 1
            else:
                keep(gathering, place, row.source, diagnosis)
    if unknown:
        belong = "log belongs" if unknown == 1 else "logs belong"
        notes.insert(0, f"{unknown:,} {belong} to no record, and no figure counts {'it' if unknown == 1 else 'them'}")
    return notes


def table_in(path: str) -> str:
    """Name the format of a scheduler's records that were taken for a log, by their header line; empty for a log."""
    try:
        with open(path, "rb") as raw, as_text(raw) as text:
            first = text.read(HEADER).lstrip().partition("\n")[0]
        return "" if first[:1] in ("[", "{") else detect(first, Path(path))
    except (InputError, OSError, EOFError, zlib.error):
        return ""


def keep(gathering: Gathering, place: int | None, log: str, diagnosis: Diagnosis) -> None:
    """Add what a log tells to its job, else as a job."""
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
