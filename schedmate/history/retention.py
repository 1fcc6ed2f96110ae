"""Rows of the running loop that are over, and what of them is forgotten; the history of jobs and the trail stay."""

import sqlite3
from typing import NamedTuple

from schedmate.history.live import LiveStore
from schedmate.history.live_requests import QUESTIONS

DAY_S = 86_400.0
OVER = (
    "SELECT id, end_s FROM live_jobs WHERE id > ? AND id <= ? AND state IN ('completed', 'failed', 'cancelled')"
    " AND end_s < ? AND NOT EXISTS (SELECT 1 FROM live_runs WHERE job = live_jobs.id AND ended_s IS NULL) ORDER BY id"
)
BARE = "UPDATE live_jobs SET environment = '{}' WHERE id = ? AND environment != '{}'"
THIN = (
    "UPDATE live_jobs SET estimate = '', workload = '', metrics = '', diagnosis = '', hardware = '', checkpoint = ''"
    " WHERE id = ? AND estimate || workload || metrics || diagnosis || hardware || checkpoint != ''"
)
THIN_RUNS = "UPDATE live_runs SET gpu_load = '' WHERE job = ? AND gpu_load != ''"
ANSWERED = f"DELETE FROM live_requests WHERE (kind IN {QUESTIONS} AND done_s < ?) OR done_s < ?"


class EndedJob(NamedTuple):
    """A job that is over."""

    number: int
    end_s: float


def ended_jobs(store: LiveStore, after: int, until: int, before_s: float) -> list[EndedJob]:
    """List jobs of these numbers that were over before then, with all their runs."""
    return [EndedJob(*row) for row in store.connection.execute(OVER, (after, until, before_s))]


def forget_variables(store: LiveStore, number: int) -> bool:
    """Forget a job's environment, and the tokens in it; tell whether it had any."""
    return changed(store, BARE, number)


def forget_readings(store: LiveStore, number: int) -> bool:
    """Forget what was read of a job; that it was there, and its runs, stay."""
    changed(store, THIN_RUNS, number)
    return changed(store, THIN, number)


def forget_requests(store: LiveStore, now_s: float, days: float) -> int:
    """Forget what was asked and answered long ago; questions that changed nothing, after a day."""
    limits = (now_s - DAY_S, now_s - DAY_S * days)

    def work() -> sqlite3.Cursor:
        return store.connection.execute(ANSWERED, limits)

    return store.write(work).rowcount


def changed(store: LiveStore, sql: str, number: int) -> bool:
    """Change one job's row; tell whether anything was changed."""
    return bool(store.write(lambda: store.connection.execute(sql, (number,))).rowcount)
