"""Import jobs into the history: a file of any size, again and again, with what was wrong with it told by line."""

import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from schedmate.history.database import open_database
from schedmate.history.importers.reading import Advance, open_history_file
from schedmate.history.jobs import Added, add_jobs


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    path: str
    format: str
    source: str
    new: int
    changed: int
    same: int
    bad: int
    bad_shown: tuple[str, ...]
    odd: int
    odd_shown: tuple[str, ...]
    elapsed_s: float


def import_file(
    data_dir: Path,
    path: str,
    source: str = "",
    origin_s: float = 0.0,
    advance: Advance = lambda done, total: None,
) -> Imported:
    """Add the jobs of a file; importing it again changes nothing, and one that was cut short can simply be repeated."""
    started = time.monotonic()
    with (
        closing(open_database(data_dir)) as connection,
        open_history_file(path, source, origin_s, advance) as (
            reading,
            jobs,
        ),
    ):
        added: Added = add_jobs(connection, jobs)
    return Imported(
        path=path,
        format=reading.form,
        source=reading.source,
        new=added.new,
        changed=added.changed,
        same=added.same,
        bad=reading.bad.count,
        bad_shown=tuple(reading.bad.shown),
        odd=reading.odd,
        odd_shown=tuple(reading.odd_shown),
        elapsed_s=time.monotonic() - started,
    )
