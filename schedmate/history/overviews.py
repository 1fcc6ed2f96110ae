"""What many look at at once, of the running loop's rows: few columns, counted, cut and sorted by the database."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from sqlite3 import Connection, Row
from typing import Any, Literal, NamedTuple

from schedmate.history.live_requests import QUESTIONS
from schedmate.history.live_rows import Parts, State, slots_in

TOLD = {
    "metrics": ("step", "total_steps", "epoch", "total_epochs", "eta_s", "loss", "phase", "step_time_s"),
    "estimate": ("duration_mean_s", "duration_p50_s", "duration_p90_s", "source"),
    "diagnosis": ("category", "failure_id"),
}
"""What is read out of the JSON of a job's row."""
EXTRACTED = ", ".join(
    f"json_extract(nullif(j.{column}, ''), '$.{name}') AS {name}" for column, names in TOLD.items() for name in names
)
SELECT = (
    "SELECT j.id, j.engine_id, j.name, j.user, j.vc, j.kind, j.state, j.reason, j.slots, j.share, j.submit_s,"
    f" j.first_start_s, j.end_s, j.preemptions, {EXTRACTED}, r.run, r.parts, r.partner,"
    " coalesce(r.began_s, r.intended_s) AS began_s FROM live_jobs j"
    " LEFT JOIN live_runs r ON r.job = j.id AND r.ended_s IS NULL"
)
Order = Literal["newest", "oldest", "ended"]
ORDERS = {"newest": "j.id DESC", "oldest": "j.id", "ended": "j.end_s DESC, j.id DESC"}


@dataclass(frozen=True, slots=True)
class JobLine:
    """A job as one line of a list."""

    id: int
    job_id: str
    name: str
    user: str
    vc: str
    kind: str
    state: State
    reason: str
    slots: int
    share: float
    submit_s: float
    first_start_s: float | None
    end_s: float | None
    preemptions: int
    step: int | None
    total_steps: int | None
    epoch: float | None
    total_epochs: float | None
    eta_s: float | None
    loss: float | None
    phase: str | None
    step_time_s: float | None
    expected_s: float | None
    expected_p90_s: float | None
    source: str | None
    """What the expectation rests on."""
    category: str | None
    failure_id: str | None
    run: int | None
    """The run that has not ended, and where it is."""
    parts: Parts
    partner: int | None
    began_s: float | None

    @property
    def held(self) -> int:
        """Give the slots that it has; of an elastic job these may be more than it asks for."""
        return max(self.slots, slots_in(self.parts))

    @property
    def done(self) -> float | None:
        """Give how far it is, 0 to 1, by its own log."""
        for at, total in ((self.step, self.total_steps), (self.epoch, self.total_epochs)):
            if at is not None and total:
                return max(0.0, min(1.0, at / total))
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Which jobs are meant; what is not set excludes none."""

    states: Sequence[State] = ()
    user: str = ""
    text: str = ""
    """Stands in a job's name, or is its number or what the engine calls it."""
    numbers: Sequence[int] = ()

    def where(self) -> tuple[str, list[Any]]:
        """Give the condition and its values."""
        marks, numbers = ", ".join("?" * len(self.states)), ", ".join("?" * len(self.numbers))
        parts: list[tuple[str, list[Any]]] = [
            (f"j.state IN ({marks})", list(self.states)),
            ("j.user = ?", [self.user] if self.user else []),
            (
                "(instr(lower(j.name), lower(?)) > 0 OR j.engine_id = ? OR CAST(j.id AS TEXT) = ?)",
                [self.text] * 3 if self.text else [],
            ),
            (f"j.id IN ({numbers})", list(self.numbers)),
        ]
        conditions = [text for text, values in parts if values]
        return " AND ".join(conditions) or "1", [value for _, values in parts for value in values]


def job_lines(
    connection: Connection, which: Lines, order: Order = "newest", limit: int = 100, skip: int = 0
) -> list[JobLine]:
    """List jobs, so many from there on."""
    where, values = which.where()
    sql = f"{SELECT} WHERE {where} ORDER BY {ORDERS[order]} LIMIT ? OFFSET ?"
    return [line_of(row) for row in connection.execute(sql, (*values, limit, skip))]


def placements(connection: Connection) -> list[tuple[str, Parts]]:
    """Tell where jobs are that run: what the engine calls each, and its slots by node."""
    sql = (
        "SELECT coalesce(nullif(j.engine_id, ''), j.id), r.parts FROM live_runs r JOIN live_jobs j ON j.id = r.job"
        " WHERE r.ended_s IS NULL AND j.state IN ('running', 'examined') ORDER BY j.id"
    )
    return [(f"{name}", json.loads(parts or "[]")) for name, parts in connection.execute(sql)]


def count_lines(connection: Connection, which: Lines) -> int:
    """Count jobs."""
    where, values = which.where()
    return int(connection.execute(f"SELECT count(*) FROM live_jobs j WHERE {where}", values).fetchone()[0])


def line_of(row: Row) -> JobLine:
    """Turn a row into a line."""
    values = dict(row)
    engine_id, middle = values.pop("engine_id"), values.pop("duration_p50_s")
    mean = values.pop("duration_mean_s")
    values["parts"] = tuple((name, mask) for name, mask in json.loads(values["parts"] or "[]"))
    return JobLine(
        job_id=engine_id or str(values["id"]),
        expected_s=middle if mean is None else mean,
        expected_p90_s=values.pop("duration_p90_s"),
        **values,
    )


def counts_by_state(connection: Connection) -> dict[str, int]:
    """Count jobs by state."""
    return {row[0]: row[1] for row in connection.execute("SELECT state, count(*) FROM live_jobs GROUP BY state")}


def users_of_jobs(connection: Connection, limit: int = 200) -> list[str]:
    """Name the users who have jobs, those with the most first."""
    sql = "SELECT user FROM live_jobs GROUP BY user ORDER BY count(*) DESC, user LIMIT ?"
    return [row[0] for row in connection.execute(sql, (limit,))]


class Death(NamedTuple):
    """A run that failed."""

    job: int
    job_id: str
    name: str
    user: str
    run: int
    failure: str
    ended_s: float
    slots: int
    ran_s: float
    nodes: tuple[str, ...]
    code: int | None


def deaths(connection: Connection, since_s: float = 0.0, limit: int = 5000) -> list[Death]:
    """List the runs that failed since then, the latest first."""
    sql = (
        "SELECT j.id, j.engine_id, j.name, j.user, r.run, r.failure, r.ended_s,"
        " coalesce(r.slots, j.slots) AS slots,"
        " max(0, coalesce(r.ran_s, r.ended_s - coalesce(r.began_s, r.intended_s))) AS ran_s, r.parts, r.code"
        " FROM live_runs r JOIN live_jobs j ON j.id = r.job"
        " WHERE r.outcome = 'failed' AND r.ended_s >= ? ORDER BY r.ended_s DESC LIMIT ?"
    )
    return [
        Death(
            row["id"], row["engine_id"] or str(row["id"]), row["name"], row["user"], row["run"], row["failure"],
            row["ended_s"], row["slots"], row["ran_s"], tuple(name for name, _ in json.loads(row["parts"])),
            row["code"],
        )
        for row in connection.execute(sql, (since_s, limit))
    ]  # fmt: skip


def marked_nodes(connection: Connection) -> dict[str, tuple[str, int, float]]:
    """Give each node that the store has a mark of, the mark, its action and since when."""
    rows = connection.execute("SELECT node, mark, action, since_s FROM live_nodes")
    return {row["node"]: (row["mark"], row["action"], row["since_s"]) for row in rows}


def forget_question(connection: Connection, request: int) -> None:
    """Forget a question that was answered and has changed nothing; what changes something stays as it was asked."""
    sql = f"DELETE FROM live_requests WHERE id = ? AND kind IN {QUESTIONS} AND done_s IS NOT NULL"
    connection.execute(sql, (request,))


def gpu_load(connection: Connection, job: int, run: int) -> list[tuple[float, float]]:
    """Give how busy a run kept its GPUs: moments and shares of 1; nothing where nobody measured it."""
    row = connection.execute("SELECT gpu_load FROM live_runs WHERE job = ? AND run = ?", (job, run)).fetchone()
    return [(float(at_s), float(share)) for at_s, share in json.loads((row and row[0]) or "[]")]
