"""What the running loop asks of its past when it comes up: ends that the history has not heard of, and durations."""

from collections.abc import Iterator
from typing import NamedTuple

from schedmate.history.live import LiveStore

SOURCE = "schedmate"
"""Under which the history knows jobs of the loop."""
UNTOLD = (
    "SELECT id FROM live_jobs WHERE state IN ('completed', 'failed', 'cancelled') AND first_start_s IS NOT NULL AND NOT"
    " EXISTS (SELECT 1 FROM jobs WHERE jobs.job_id = coalesce(nullif(live_jobs.engine_id, ''), '' || live_jobs.id)"
    " AND source = ? AND jobs.end_s = live_jobs.end_s)"
)
TOOK = (
    "SELECT j.user, j.name, j.slots, coalesce(r.ran_s, r.ended_s - r.began_s) AS took_s FROM live_jobs j"
    " JOIN live_runs r ON r.job = j.id WHERE j.state = 'completed' AND r.outcome = 'completed' AND took_s >= 0"
    " ORDER BY r.ended_s"
)


class Took(NamedTuple):
    """How long a job of a user and a name took."""

    user: str
    name: str
    slots: int
    took_s: float


def untold_ends(store: LiveStore) -> set[int]:
    """Number the jobs that are over and of whose end the history does not know."""
    return {int(row["id"]) for row in store.connection.execute(UNTOLD, (SOURCE,))}


def durations(store: LiveStore) -> Iterator[Took]:
    """Give what completed runs took, in the order of their ends."""
    return (Took(*row) for row in store.connection.execute(TOOK))


def open_estimates(store: LiveStore) -> Iterator[tuple[int, str]]:
    """Give what is expected of jobs that are not over, by their numbers."""
    question = "SELECT id, estimate FROM live_jobs WHERE estimate != '' AND end_s IS NULL"
    return ((row["id"], row["estimate"]) for row in store.connection.execute(question))
