"""What the running loop must not forget: jobs, runs, requests, actions, marks on nodes, as rows of the store.

The loop is the only one that changes jobs and runs; everybody else adds jobs and requests. A run stands here before
anything is started, so whoever comes after a kill knows all that may have been started.
"""

import json
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from schedmate.errors import InputError, StoreError
from schedmate.history.database import open_database, plain_error, savepoint, transaction
from schedmate.history.intact import WAY_OUT, StoreChanged, is_damage
from schedmate.history.live_requests import Requests
from schedmate.history.live_rows import (
    LiveRow,
    Parts,
    RunRow,
    State,
    Submission,
    live_row,
    run_row,
    slots_in,
)
from schedmate.history.read_only import look_into
from schedmate.history.turn import Leaving, SingleValues
from schedmate.tools.accounts import my_account
from schedmate.tools.numbered_folders import numbers_in

T = TypeVar("T")
RETRY_S = 0.5
COLUMNS, RUN_COLUMNS = ", ".join(LiveRow.__slots__), ", ".join(RunRow.__slots__)

STARTABLE = (
    "SELECT 1 FROM live_jobs WHERE id = ? AND state IN ('pending', 'running') AND NOT EXISTS (SELECT 1 FROM live_runs"
    " WHERE job = live_jobs.id AND ended_s IS NULL AND stopping = 'cancel')"
)
"""A job that waits or moves, and that nobody has ended."""


class LiveStore(Requests, SingleValues):
    """The live rows of one history; a write that finds the store locked or the disk full is tried until it is done."""

    def __init__(
        self,
        data_dir: Path,
        patient: bool = False,
        complain: Callable[[str], None] = lambda text: None,
        only_look: bool = False,
    ) -> None:
        self.data_dir = data_dir
        self.connection = look_into(data_dir) if only_look else open_database(data_dir)
        if not only_look:
            self.connection.execute("PRAGMA synchronous=FULL")  # what is acknowledged survives a loss of power
        self.patient = patient
        """Whether to wait for ever: the loop must not act on what it could not write down."""
        self.complain = complain
        self.leaving: Callable[[], bool] = lambda: False
        """Whether to give up rather than wait."""
        if patient:  # it asks again by itself, and hears between that it is to leave
            self.connection.execute(f"PRAGMA busy_timeout = {int(1000 * RETRY_S)}")
        self.later: list[Callable[[], None]] = []

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def write(self, work: Callable[[], T]) -> T:
        """Do work in a transaction, until the store is neither locked nor full; inside another, as part of it.

        What fails as a part leaves nothing, also where the whole goes on: an answer that says so is written in it.
        """
        if self.connection.in_transaction:
            count = len(self.later)
            try:
                with savepoint(self.connection):
                    return work()
            except BaseException:
                del self.later[count:]
                raise

        def whole() -> T:
            self.later.clear()
            with transaction(self.connection):
                self.keep_turn()
                return work()

        done = self.patiently(whole)
        later, self.later = self.later, []
        for each in later:
            each()
        return done

    def when_written(self, work: Callable[[], None]) -> None:
        """Do something in memory as soon as what is being written is safe; at once where nothing is being written."""
        if self.connection.in_transaction:
            self.later.append(work)
        else:
            work()

    def patiently(self, work: Callable[[], T]) -> T:
        """Do work until the store is neither locked nor full."""
        told = False
        while True:
            try:
                return work()
            except sqlite3.OperationalError as error:
                if not self.patient:
                    hint = plain_error(error).hint
                    raise StoreError(f"the store in {self.data_dir} cannot be written: {error}", hint) from error
                if is_damage(error):  # no waiting mends that
                    raise StoreChanged(f"the store in {self.data_dir} is damaged: {error}", WAY_OUT) from error
                if told and self.leaving():
                    raise Leaving from error
                if not told:
                    self.complain(f"the store cannot be written ({error}): waiting, nothing is lost")
                    told = True
                time.sleep(RETRY_S)

    def submit(self, job: Submission, token: str, submit_s: float, engine_id: str = "") -> int:
        """Hand in a job, or take in one that an engine has; the same token gives the same job, so repeat safely."""
        values = {
            "token": token, "name": job.name, "user": job.user, "vc": job.vc, "kind": job.kind, "slots": job.slots,
            "share": job.share, "command": json.dumps(job.command), "workdir": job.workdir,
            "environment": json.dumps(dict(job.environment)), "git_branch": job.git_branch, "submit_s": submit_s,
            "packable": not job.alone, "engine_id": engine_id, "memory_gib": job.memory_gib, "cpus": job.cpus,
            "most_slots": job.most_slots,
            "account": job.account or ("" if engine_id else my_account()), "runs_as": job.runs_as,
        }  # fmt: skip
        names = ", ".join(values)
        sql = (
            f"INSERT INTO live_jobs ({names}) SELECT {', '.join('?' * len(values))}"
            " WHERE NOT EXISTS (SELECT 1 FROM live_jobs WHERE token = ?)"
        )

        def work() -> None:
            put = self.connection.execute(sql, (*values.values(), token))
            if put.rowcount:
                self.pass_over_folders(int(put.lastrowid or 0))

        self.write(work)
        found = self.connection.execute("SELECT id FROM live_jobs WHERE token = ?", (token,)).fetchone()
        return int(found["id"])

    def pass_over_folders(self, number: int) -> None:
        """Give a new job another number where its own has folders of runs: a store that was restored counts anew."""
        folder = self.data_dir / "jobs"
        if numbers_in(folder / str(number)):
            self.renumber(number, folder)

    def renumber(self, number: int, folder: Path) -> None:
        """Let a new job be the first after all that have folders."""
        free = 1 + max(numbers_in(folder))
        self.connection.execute("UPDATE live_jobs SET id = ? WHERE id = ?", (free, number))
        self.connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'live_jobs'", (free,))

    def job(self, number: int) -> LiveRow:
        """Read one job."""
        row = self.connection.execute(f"SELECT {COLUMNS} FROM live_jobs WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise InputError(f"there is no job {number}", "schedmate jobs --all lists them")
        return live_row(row)

    def number_of(self, name: str) -> int:
        """Give the number of a job by it, or by what the engine calls the job."""
        row = self.connection.execute("SELECT id FROM live_jobs WHERE engine_id = ?", (name,)).fetchone()
        if row is not None and name:  # a job that its engine does not have yet has no name there
            return int(row["id"])
        if not (name.isascii() and name.isdigit() and len(name) < 19):
            raise InputError(f"there is no job {name}", "schedmate jobs --all lists them")
        return self.job(int(name)).id

    def name_of(self, number: int) -> str:
        """Give what the engine calls a job, else its number; also of one that is no longer here."""
        row = self.connection.execute("SELECT engine_id FROM live_jobs WHERE id = ?", (number,)).fetchone()
        return str(row["engine_id"] if row is not None and row["engine_id"] else number)

    def numbers(self) -> dict[str, int]:
        """Give the number of every job that an engine has a name for, by that name."""
        rows = self.connection.execute("SELECT engine_id, id FROM live_jobs WHERE engine_id != ''")
        return {row["engine_id"]: row["id"] for row in rows}

    def jobs(self, states: Sequence[State] = (), after: int = 0, limit: int = -1) -> list[LiveRow]:
        """List jobs in the order of submission."""
        where = f" AND state IN ({', '.join('?' * len(states))})" if states else ""
        sql = f"SELECT {COLUMNS} FROM live_jobs WHERE id > ?{where} ORDER BY id LIMIT ?"
        return [live_row(row) for row in self.connection.execute(sql, (after, *states, limit))]

    def others_in(self, workdir: str, number: int, since_s: float) -> bool:
        """Tell whether another job has run in a directory since then."""
        sql = (
            "SELECT 1 FROM live_jobs j JOIN live_runs r ON r.job = j.id WHERE j.workdir = ? AND j.id != ?"
            " AND (r.ended_s IS NULL OR r.ended_s >= ?) LIMIT 1"
        )
        return self.connection.execute(sql, (workdir, number, since_s)).fetchone() is not None

    def users_hit(self, failure: str, node: str, but: str, since_s: float) -> list[str]:
        """Name the other users whose runs on a node ended in a failure since then."""
        sql = (
            "SELECT DISTINCT j.user FROM live_runs r JOIN live_jobs j ON j.id = r.job WHERE r.failure = ?"
            " AND r.ended_s >= ? AND j.user != ?"
            " AND EXISTS (SELECT 1 FROM json_each(r.parts) WHERE json_extract(value, '$[0]') = ?)"
        )
        return [row["user"] for row in self.connection.execute(sql, (failure, since_s, but, node))]

    def newest_job(self) -> int:
        """Give the highest number that was given to a job."""
        return int(self.connection.execute("SELECT coalesce(max(id), 0) FROM live_jobs").fetchone()[0])

    def update(self, number: int, **values: Any) -> None:
        """Change a job's columns."""
        names = ", ".join(f"{name} = ?" for name in values)
        sql = f"UPDATE live_jobs SET {names} WHERE id = ?"
        self.write(lambda: self.connection.execute(sql, (*values.values(), number)))

    def open_run(
        self, job: int, kind: str, parts: Parts, partner: int | None, now_s: float, log: str = ""
    ) -> int | None:
        """Write down the intent to start a job, before anything is started; give the run's number.

        None where the job is not to run: whoever was told that it is cancelled or held was told the truth.
        """

        def work() -> int | None:
            if self.connection.execute(STARTABLE, (job,)).fetchone() is None:
                return None
            row = self.connection.execute("SELECT coalesce(max(run), 0) FROM live_runs WHERE job = ?", (job,))
            run = int(row.fetchone()[0]) + 1
            self.connection.execute(
                "INSERT INTO live_runs (job, run, kind, parts, partner, intended_s, log, slots) SELECT"
                " ?, ?, ?, ?, ?, ?, ?, CASE WHEN most_slots THEN ? END FROM live_jobs WHERE id = ?",
                (job, run, kind, json.dumps(parts), partner, now_s, log, slots_in(parts), job),
            )
            self.connection.execute(
                "UPDATE live_jobs SET state = 'running', reason = '', end_s = NULL,"
                " first_start_s = coalesce(first_start_s, ?) WHERE id = ?",
                (now_s, job),
            )
            return run

        return self.write(work)

    def update_run(self, job: int, run: int, **values: Any) -> None:
        """Change a run's columns."""
        names = ", ".join(f"{name} = ?" for name in values)
        sql = f"UPDATE live_runs SET {names} WHERE job = ? AND run = ?"
        self.write(lambda: self.connection.execute(sql, (*values.values(), job, run)))

    def runs(self, job: int | None = None) -> list[RunRow]:
        """List a job's runs, or without a job all that have not ended."""
        where = "ended_s IS NULL" if job is None else "job = ?"
        sql = f"SELECT {RUN_COLUMNS} FROM live_runs WHERE {where} ORDER BY job, run"
        return [run_row(row) for row in self.connection.execute(sql, () if job is None else (job,))]

    def run(self, job: int, run: int) -> RunRow:
        """Read one run."""
        found = next((row for row in self.runs(job) if row.run == run), None)
        if found is None:
            raise InputError(f"job {job} has no run {run}", f"schedmate why {job} lists them")
        return found

    def log_of(self, job: int, run: int) -> Path:
        """Name a run's log; the path need not be there, nor on this host."""
        return Path(self.run(job, run).log or self.data_dir.resolve() / "jobs" / str(job) / str(run) / "log")

    def open_log(self, job: int, run: int) -> int:
        """Open a run's log for reading; what a job has put in its place is waited for by nobody."""
        path = self.log_of(job, run)
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise InputError(f"{path} is no file", "the job has put something else in the place of its log")
        return handle

    def marks(self) -> dict[str, tuple[str, int]]:
        """Give each marked node's mark and the action that made it."""
        return {
            row["node"]: (row["mark"], row["action"]) for row in self.connection.execute("SELECT * FROM live_nodes")
        }

    def mark(self, node: str, mark: str, action: int, now_s: float) -> None:
        """Mark a node; a node has one mark at a time."""
        sql = "INSERT INTO live_nodes VALUES (?, ?, ?, ?) ON CONFLICT (node) DO NOTHING"
        self.write(lambda: self.connection.execute(sql, (node, mark, action, now_s)))

    def unmark(self, node: str, action: int) -> bool:
        """Take back the mark that this very action made; False when it is another's."""
        sql = "DELETE FROM live_nodes WHERE node = ? AND action = ?"
        return bool(self.write(lambda: self.connection.execute(sql, (node, action))).rowcount)


class Changes:
    """Tells one who asks whether others have written since he asked last."""

    def __init__(self, store: LiveStore) -> None:
        self.connection = store.connection
        self.version = -1

    def are_new(self) -> bool:
        """Tell whether there is anything; next to free, and always so the first time."""
        version = int(self.connection.execute("PRAGMA data_version").fetchone()[0])
        changed, self.version = version != self.version, version
        return changed
