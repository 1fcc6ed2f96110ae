"""Rows of an accounting that are no jobs to replay: those that run or wait still, and those that never ran."""

from collections import Counter
from collections.abc import Iterable, Iterator

from schedmate.traces.rows import BadRow, Row

OPEN = frozenset({"RUNNING", "PENDING", "SUSPENDED", "REQUEUED", "RESIZING", "CONFIGURING", "COMPLETING"})
CANCELLED = "were cancelled while they waited"
NEVER_RAN = "ended without having run"


class Unfinished:
    """Passes rows on, and counts what it leaves out and why: a site's records are never all of ended jobs."""

    def __init__(self) -> None:
        self.left_out: Counter[str] = Counter()

    def sift(self, rows: Iterable[Row | BadRow]) -> Iterator[Row | BadRow]:
        """Leave out what has no end, or no beginning."""
        for row in rows:
            if isinstance(row, BadRow):
                yield row
            elif row.status.upper() in OPEN:
                self.left_out[f"are {row.status.lower()}"] += 1
            elif row.start_s is None and not row.duration_s:
                self.left_out[CANCELLED if row.status.upper().startswith("CANCEL") else NEVER_RAN] += 1
            else:
                yield row

    def notes(self) -> tuple[str, ...]:
        """Say what was left out."""
        return tuple(f"jobs left out that {why}: {count:,}" for why, count in sorted(self.left_out.items()))
