"""Rows that the folders of runs prove, put back into a store that has lost them or has never had them."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from schedmate.history.live import LiveStore
from schedmate.history.live_rows import slots_in

Told = Mapping[str, Any]


class Known(NamedTuple):
    """What a store knows of a job number: which submission it is, and its runs."""

    token: str
    runs: frozenset[int]


def known_runs(store: LiveStore) -> dict[int, Known]:
    """Give every job's token and the numbers of its runs."""
    runs: dict[int, set[int]] = {}
    for row in store.connection.execute("SELECT job, run FROM live_runs"):
        runs.setdefault(row["job"], set()).add(row["run"])
    tokens = store.connection.execute("SELECT id, token FROM live_jobs")
    return {row["id"]: Known(row["token"], frozenset(runs.get(row["id"], ()))) for row in tokens}


def restore_job(store: LiveStore, number: int, told: Told) -> None:
    """Put a job back under its number, as its folder describes it."""
    job = told["job"]
    values = {
        "id": number, "token": job["token"], "name": job["name"], "user": job["user"], "vc": job["vc"],
        "kind": job["kind"], "slots": job["slots"], "share": job["share"], "command": json.dumps(told["command"]),
        "workdir": told["workdir"], "environment": json.dumps(job_environment(told["environment"])),
        "git_branch": job["git_branch"], "submit_s": job["submit_s"], "packable": job["packable"],
        "memory_gib": job["memory_gib"], "cpus": job["cpus"], "reason": "taken from its folder",
        "account": job.get("account", ""), "runs_as": job.get("runs_as", ""), "most_slots": job.get("most_slots", 0),
    }  # fmt: skip
    insert(store, "live_jobs", values)


def restore_run(
    store: LiveStore, number: int, run: int, told: Told, began: Told | None, ended: Told | None, is_last: bool
) -> None:
    """Put a run back: the last one as open, for its end is yet to be booked; then none before it can be open."""
    place = told["run"]
    values: dict[str, Any] = {
        "job": number, "run": run, "kind": place["kind"], "parts": json.dumps(place["parts"]),
        "partner": place["partner"], "intended_s": place["intended_s"],
        "began_s": None if began is None else began["began_s"], "slots": slots_in(place["parts"]),
    }  # fmt: skip
    if not is_last:
        code = None if ended is None else int(ended["code"])
        outcome = "lost" if ended is None else "completed" if code == 0 else "stopped" if ended["stopped"] else "failed"
        ended_s = place["intended_s"] if ended is None else ended["ended_s"]
        values |= {"ended_s": ended_s, "outcome": outcome, "code": code, "ran_s": ended and ended["ran_s"]}
    insert(store, "live_runs", values)
    if is_last:
        closed = "UPDATE live_runs SET ended_s = ?, outcome = 'lost' WHERE job = ? AND run < ? AND ended_s IS NULL"
        store.connection.execute(closed, (place["intended_s"], number, run))
        changed = "UPDATE live_jobs SET state = 'running', end_s = NULL, first_start_s = coalesce(first_start_s, ?)"
        store.connection.execute(f"{changed} WHERE id = ?", (place["intended_s"], number))


def insert(store: LiveStore, table: str, values: Mapping[str, Any]) -> None:
    """Add a row, within the transaction that is open."""
    marks = ", ".join("?" * len(values))
    store.connection.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))


def job_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Leave out what a run was told of its place."""
    return {name: value for name, value in environment.items() if not name.startswith("SCHEDMATE_")}
