"""The running loop's rows in numbers, for monitoring: counted by the database, a bounded number of them."""

from sqlite3 import Connection
from typing import NamedTuple

DAY_S = 86_400.0

MOST_WINDOW = 5000
"""Jobs of a day that quantiles are taken over."""


class EndedCount(NamedTuple):
    """Runs that ended in the same way."""

    outcome: str
    failure: str
    runs: int
    slot_seconds: float


def ended_runs(connection: Connection) -> list[EndedCount]:
    """Count the runs that have ended, with the slots they held for so long."""
    sql = (
        "SELECT r.outcome, r.failure, count(*) AS runs,"
        " sum(coalesce(r.slots, j.slots) * max(0, coalesce(r.ran_s, r.ended_s - coalesce(r.began_s, r.intended_s))))"
        " AS slot_seconds"
        " FROM live_runs r JOIN live_jobs j ON j.id = r.job WHERE r.ended_s IS NOT NULL GROUP BY r.outcome, r.failure"
    )
    return [EndedCount(*row) for row in connection.execute(sql)]


def actions_by_event(connection: Connection) -> list[tuple[str, str, int]]:
    """Count what happened to recovery's steps: kind, event, how often."""
    sql = (
        "SELECT a.kind, e.event, count(*) FROM live_action_events e JOIN live_actions a ON a.id = e.action"
        " GROUP BY a.kind, e.event"
    )
    return [tuple(row) for row in connection.execute(sql)]


def waiting_by_cluster(connection: Connection) -> list[tuple[str, int, float, float]]:
    """Give for each virtual cluster the jobs that wait, the slots they want, and since when the first one does."""
    sql = "SELECT vc, count(*), sum(slots * share), min(submit_s) FROM live_jobs WHERE state = 'pending' GROUP BY vc"
    return [tuple(row) for row in connection.execute(sql)]


def start_delays(connection: Connection, now_s: float) -> list[float]:
    """List how long the jobs that first started in the last day had waited."""
    sql = (
        "SELECT first_start_s - submit_s FROM live_jobs WHERE id > (SELECT max(id) FROM live_jobs) - 50000"
        " AND first_start_s >= ? ORDER BY first_start_s DESC LIMIT ?"
    )
    return [max(0.0, row[0]) for row in connection.execute(sql, (now_s - DAY_S, MOST_WINDOW))]


def expected_and_taken(connection: Connection, now_s: float) -> list[tuple[float, float]]:
    """List what was expected of the jobs that completed in the last day, and what they took."""
    sql = (
        "SELECT coalesce(json_extract(nullif(j.estimate, ''), '$.duration_mean_s'),"
        " json_extract(nullif(j.estimate, ''), '$.duration_p50_s')) AS expected_s,"
        " coalesce(r.ran_s, r.ended_s - r.began_s) AS took_s FROM live_runs r JOIN live_jobs j ON j.id = r.job"
        " WHERE r.outcome = 'completed' AND r.ended_s >= ? AND expected_s > 0 AND took_s > 0"
        " ORDER BY r.ended_s DESC LIMIT ?"
    )
    return [(row[0], row[1]) for row in connection.execute(sql, (now_s - DAY_S, MOST_WINDOW))]
