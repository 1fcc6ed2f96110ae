"""What a history holds, in numbers."""

from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from schedmate.history.database import FILE_NAME, plain_errors

GROUPS = {"by_status": "status", "by_source": "source", "by_user": "user"}
MOST_SHOWN = 10

HELD = "coalesce(CAST(json_extract(extra, '$.gpu_s') AS REAL), duration_s * gpus)"
"""GPU seconds that a job had: told, where its size has changed."""


@dataclass(frozen=True, slots=True)
class Stats:
    """The numbers; shares are of the jobs that can tell."""

    jobs: int
    ended: int
    users: int
    first_submit_s: float | None
    last_submit_s: float | None
    gpu_hours: float
    duration_p50_s: float | None
    duration_p90_s: float | None
    with_command: int
    runs_of_the_same: int
    """Jobs whose user, directory and normalised command another job has too."""
    with_workload: int
    workloads: int
    with_metrics: int
    with_hardware: int
    with_diagnosis: int
    odd: int
    by_status: dict[str, int]
    by_source: dict[str, int]
    by_user: dict[str, int]
    store_bytes: int


def history_stats(connection: Connection, data_dir: Path) -> Stats:
    """Count, over all jobs."""
    question = f"""
        SELECT count(*) AS jobs, count(known_s) AS ended, count(DISTINCT user) AS users, min(submit_s) AS
        first_submit_s, max(submit_s) AS last_submit_s, coalesce(sum({HELD}), 0) / 3600 AS gpu_hours,
        count(run_key) AS with_command, count(workload_id) AS with_workload, count(metrics) AS with_metrics,
        count(hardware) AS with_hardware, count(diagnosis) AS with_diagnosis, count(notes) AS odd FROM jobs"""
    with plain_errors():
        totals: dict[str, Any] = dict(connection.execute(question).fetchone())
        groups: dict[str, Any] = {name: counted(connection, column) for name, column in GROUPS.items()}
        durations = connection.execute("SELECT count(duration_s) FROM jobs").fetchone()[0]
        same = "SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n FROM jobs WHERE run_key IS NOT NULL"
        same += " GROUP BY run_key HAVING n > 1)"
        return Stats(
            **totals,
            **groups,
            runs_of_the_same=connection.execute(same).fetchone()[0],
            workloads=connection.execute("SELECT count(*) FROM workloads").fetchone()[0],
            duration_p50_s=duration_at(connection, int(durations * 0.5)),
            duration_p90_s=duration_at(connection, int(durations * 0.9)),
            store_bytes=sum(path.stat().st_size for path in data_dir.glob(f"{FILE_NAME}*")),
        )


def counted(connection: Connection, column: str) -> dict[str, int]:
    """Count jobs by a column's values, the most frequent first; the long tail is one entry."""
    rows = connection.execute(f"SELECT {column}, count(*) FROM jobs GROUP BY 1 ORDER BY 2 DESC, 1").fetchall()
    shown = {row[0]: row[1] for row in rows[:MOST_SHOWN]}
    rest = sum(row[1] for row in rows[MOST_SHOWN:])
    return {**shown, "others": rest} if rest else shown


def duration_at(connection: Connection, rank: int) -> float | None:
    """Give the duration of a rank, counted from the shortest."""
    question = "SELECT duration_s FROM jobs WHERE duration_s IS NOT NULL ORDER BY duration_s LIMIT 1 OFFSET ?"
    row = connection.execute(question, (rank,)).fetchone()
    return None if row is None else float(row[0])
