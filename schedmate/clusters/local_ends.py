"""How runs here end: both halves of the book, run and job, change in one transaction, then the loop hears of it."""

from typing import TYPE_CHECKING

from schedmate.clusters import Ended, Withdrawn
from schedmate.clusters.local_runs import LocalRun

if TYPE_CHECKING:
    from schedmate.clusters.local import LocalCluster

Key = tuple[int, int]
MOST_LOST = 3
"""Runs that may vanish without a word until the job is taken for the cause."""


def end(cluster: "LocalCluster", key: Key, run: LocalRun) -> None:
    """Book an end that its runner has written down."""
    done = run.exit()
    if run.stopping == "cancel" and (done.stopped or done.code != 0):
        outcome = "cancelled"  # also what failed of itself before the word came: nobody may start it anew
    elif done.stopped and run.stopping:
        outcome = "stopped"
    else:
        outcome = "completed" if done.code == 0 else "failed"
    drop(cluster, key, run, outcome, done.code, done.ran_s)


def lose(cluster: "LocalCluster", key: Key, run: LocalRun) -> None:
    """Book a run that vanished: its job goes back into the queue, unless that has happened too often."""
    lost = sum(row.outcome == "lost" for row in cluster.store.runs(key[0]))
    if run.stopping:
        drop(cluster, key, run, "cancelled" if run.stopping == "cancel" else "stopped")
    else:
        drop(cluster, key, run, "lost" if lost < MOST_LOST else "failed")


def drop(
    cluster: "LocalCluster",
    key: Key,
    run: LocalRun,
    outcome: str,
    code: int | None = None,
    ran_s: float = 0.0,
) -> None:
    """Write an end down and tell of it; both halves of the book change in one transaction."""
    number, now_s = key[0], cluster.now_s()
    state = cluster.store.job(number).state
    began_s = run.began_s if run.began_s is not None else now_s - ran_s
    values: dict[str, object] = {}
    is_over = outcome in ("completed", "failed", "cancelled") and state in ("running", "pending")
    if is_over:
        final = "examined" if outcome == "failed" and cluster.examines else outcome
        values = {"state": final, "end_s": now_s}
    elif outcome == "lost":
        values = {"state": "pending", "reason": "its processes vanished without a word"}

    def work() -> None:
        cluster.store.update_run(number, run.run, ended_s=now_s, began_s=began_s, outcome=outcome, code=code)
        if values:
            cluster.store.update(number, **values)

    cluster.store.write(work)
    del cluster.runs[key]
    cluster.leaving.append(run)
    cluster.pipes.named |= {other for other, waiting in cluster.runs.items() if not waiting.spawned}
    if is_over:
        withdraw_starts(cluster, number, now_s)
        if cluster.jobs.get(number) is run.job:  # else the loop has heard of its end already
            ended = run.job.placement is not None
            cluster.post(Ended(run.job, outcome) if ended else Withdrawn(run.job, outcome))
        if values["state"] != "examined":
            cluster.jobs.pop(number, None)
    elif outcome == "lost":
        cluster.post(Ended(run.job, "node_fail"))


def withdraw_starts(cluster: "LocalCluster", number: int, now_s: float) -> None:
    """Forget starts of a job that ended by itself while it was being stopped."""
    for other, waiting in [*cluster.runs.items()]:
        if other[0] == number and not waiting.spawned:
            cluster.store.update_run(*other, ended_s=now_s, outcome="stopped")
            del cluster.runs[other]
