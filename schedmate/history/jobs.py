"""The jobs of the past: kept in SQLite, each once by source and id, told more about as more becomes known."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from sqlite3 import Connection, Row
from typing import Any, Literal, NamedTuple

from schedmate.history.database import plain_errors, transaction
from schedmate.history.rows import COLUMNS, WORKLOAD_ID, as_row, digest, facts_json, from_row, writable
from schedmate.schemas import PastJob

BATCH = 1_000
"""Jobs a transaction: large enough to be fast, small enough that other writers come in between."""

INSERT = f"INSERT INTO jobs ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
UPDATE = f"UPDATE jobs SET {', '.join(f'{name} = ?' for name in COLUMNS)} WHERE job_id = ? AND source = ?"
SELECT = "SELECT jobs.*, workloads.facts FROM jobs LEFT JOIN workloads ON workloads.id = jobs.workload_id"

BEGUN = "coalesce(submit_s, start_s, end_s)"
"""When a job came; where nobody told, the first that is known of it."""
Order = Literal["submitted", "ended", "newest"]
ORDERS = {
    "submitted": f"{BEGUN}, jobs.id",
    "ended": "known_s, jobs.id",
    "newest": f"{BEGUN} DESC, jobs.id DESC",
}


class Added(NamedTuple):
    """What became of the jobs that were handed in."""

    new: int = 0
    changed: int = 0
    same: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """Which jobs are meant; what is not set excludes none. Times are seconds since the epoch, both ends included."""

    user: str = ""
    status: tuple[str, ...] = ()
    source: str = ""
    name: str = ""
    since_s: float | None = None
    until_s: float | None = None
    known_by_s: float | None = None
    """Only jobs that had ended by then."""
    ended: bool = False
    with_workload: bool = False

    def where(self) -> tuple[str, list[Any]]:
        """Give the condition and its values."""
        parts: list[tuple[str, list[Any]]] = [
            ("user = ?", [self.user] if self.user else []),
            (f"status IN ({', '.join('?' * len(self.status))})", list(self.status)),
            ("source = ?", [self.source] if self.source else []),
            ("instr(lower(name), lower(?)) > 0", [self.name] if self.name else []),
            (f"{BEGUN} >= ?", [] if self.since_s is None else [self.since_s]),
            (f"{BEGUN} <= ?", [] if self.until_s is None else [self.until_s]),
            ("known_s <= ?", [] if self.known_by_s is None else [self.known_by_s]),
        ]
        conditions = [text for text, values in parts if values]
        conditions += ["known_s IS NOT NULL"] if self.ended else []
        conditions += ["workload_id IS NOT NULL"] if self.with_workload else []
        return " AND ".join(conditions) or "1", [value for _, values in parts for value in values]


EVERY = Which()


def add_job(connection: Connection, past: PastJob) -> Added:
    """Keep a job, or what more is known of one that is kept."""
    return add_jobs(connection, [past])


def add_jobs(connection: Connection, jobs: Iterable[PastJob]) -> Added:
    """Keep many jobs, a thousand a transaction; handing in the same ones again changes nothing."""
    total = Added()
    stream = iter(jobs)
    while batch := list(islice(stream, BATCH)):
        try:
            written = add_batch(connection, batch)
        except UnicodeEncodeError:
            written = add_batch(connection, [past.model_copy(update={"job": writable(past.job)}) for past in batch])
        total = Added(*(a + b for a, b in zip(total, written, strict=True)))
    return total


def add_batch(connection: Connection, batch: list[PastJob]) -> Added:
    """Keep some jobs in one transaction: all of them or none."""
    rows = [as_row(past) for past in batch]
    with plain_errors("written"), transaction(connection):
        present = stored(connection, [past.job.job_id for past in batch])
        new: dict[tuple[str, str], PastJob] = {}
        changed: dict[tuple[str, str], PastJob] = {}
        for past in batch:
            key = (past.job.job_id, past.source)
            before = changed.get(key) or new.get(key) or present.get(key)
            if before is None:
                new[key] = past
            elif (both := merged(before, past)) != before:
                (new if key in new else changed)[key] = both
        # Rows made before the lock was taken serve where nothing had to be merged.
        made = {id(past): row for past, row in zip(batch, rows, strict=True)}
        connection.executemany(INSERT, with_workloads(connection, list(new.values()), made))
        updates = with_workloads(connection, list(changed.values()), made)
        connection.executemany(UPDATE, [[*row, *key] for row, key in zip(updates, changed, strict=True)])
    return Added(len(new), len(changed), len(batch) - len(new) - len(changed))


def stored(connection: Connection, ids: Sequence[str]) -> dict[tuple[str, str], PastJob]:
    """Read those of the jobs that are kept already, by id and source."""
    question = f"{SELECT} WHERE job_id IN ({', '.join('?' * len(ids))})"
    return {(row["job_id"], row["source"]): from_row(row, row["facts"]) for row in connection.execute(question, ids)}


def merged(before: PastJob, now: PastJob) -> PastJob:
    """Let what is told now go before what was known, and keep what is not told now."""
    unset = {"", 0, None, "unknown", ()}
    fields = {name: getattr(now.job, name) for name in type(now.job).model_fields if name != "extra"}
    job = before.job.model_copy(
        update={
            **{name: value for name, value in fields.items() if value not in unset},
            "extra": {**before.job.extra, **now.job.extra},
        }
    )
    parts = {name: getattr(now, name) for name in ("ran_s", "workload", "metrics", "hardware", "diagnosis")}
    told = {name: value for name, value in parts.items() if value is not None}
    return before.model_copy(update={**told, "job": job, "notes": now.notes or before.notes})


def with_workloads(connection: Connection, jobs: list[PastJob], made: dict[int, list[Any]]) -> list[list[Any]]:
    """Give the rows of jobs, their workloads stored and named in them."""
    facts = {index: facts_json(past.workload) for index, past in enumerate(jobs) if past.workload is not None}
    numbers = workload_numbers(connection, facts.values()) if facts else {}
    rows = []
    for index, past in enumerate(jobs):
        row = made.get(id(past)) or as_row(past)
        row[WORKLOAD_ID] = numbers[digest(facts[index])] if index in facts else None
        rows.append(row)
    return rows


def workload_numbers(connection: Connection, facts: Iterable[str]) -> dict[int, int]:
    """Store the workloads that are new; give the number of each by its digest."""
    by_digest = {digest(text): text for text in facts}
    connection.executemany("INSERT OR IGNORE INTO workloads (digest, facts) VALUES (?, ?)", by_digest.items())
    question = f"SELECT digest, id FROM workloads WHERE digest IN ({', '.join('?' * len(by_digest))})"
    return {row["digest"]: row["id"] for row in connection.execute(question, list(by_digest))}


def get_job(connection: Connection, job_id: str, source: str = "") -> PastJob | None:
    """Give a job; where several sources know the id and none is named, the one added last."""
    question = f"{SELECT} WHERE job_id = ? AND (source = ? OR ? = '') ORDER BY jobs.id DESC LIMIT 1"
    with plain_errors():
        row: Row | None = connection.execute(question, (job_id, source, source)).fetchone()
    return None if row is None else from_row(row, row["facts"])


def iterate_jobs(
    connection: Connection, which: Which = EVERY, order: Order = "submitted", limit: int | None = None
) -> Iterator[PastJob]:
    """Give jobs one by one, however many there are; `ended` gives them in the order in which one could learn."""
    where, values = which.where()
    question = f"{SELECT} WHERE {where} ORDER BY {ORDERS[order]} LIMIT ?"
    with plain_errors():
        for row in connection.execute(question, [*values, -1 if limit is None else limit]):
            yield from_row(row, row["facts"])


def iterate_rows(connection: Connection) -> Iterator[Row]:
    """Give the bare rows of all jobs, for whoever counts a million of them and reads no workload."""
    with plain_errors():
        yield from connection.execute("SELECT * FROM jobs")


def list_jobs(connection: Connection, which: Which = EVERY, limit: int = 20) -> list[PastJob]:
    """Give the jobs submitted last."""
    return list(iterate_jobs(connection, which, "newest", limit))


def count_jobs(connection: Connection, which: Which = EVERY) -> int:
    """Count jobs."""
    where, values = which.where()
    with plain_errors():
        return int(connection.execute(f"SELECT count(*) FROM jobs WHERE {where}", values).fetchone()[0])


def remove_jobs(connection: Connection, which: Which) -> int:
    """Forget jobs, and the workloads that no job has any more; vectors of these find nothing from then on."""
    where, values = which.where()
    with plain_errors("written"), transaction(connection):
        removed = connection.execute(f"DELETE FROM jobs WHERE {where}", values).rowcount
        connection.execute(
            "DELETE FROM workloads WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.workload_id = workloads.id)"
        )
    return removed


def jobs_of_workload(
    connection: Connection, workload_id: int, known_by_s: float | None = None, limit: int = 10
) -> list[PastJob]:
    """Give the ended jobs of a stored workload, latest first; `known_by_s` leaves out what had not ended by then."""
    question = f"{SELECT} WHERE workload_id = ? AND known_s <= ? ORDER BY known_s DESC LIMIT ?"
    until_s = 1e18 if known_by_s is None else known_by_s
    with plain_errors():
        return [from_row(row, row["facts"]) for row in connection.execute(question, (workload_id, until_s, limit))]
