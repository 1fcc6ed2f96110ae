"""How runs here end: both halves of the book, run and job, change in one transaction, then the loop hears of it."""

import json
import signal

from schedmate.clusters import Ended, Withdrawn
from schedmate.clusters.local.books import LocalBooks
from schedmate.clusters.local.runs import Exit, LocalRun, began_s_of
from schedmate.clusters.run_folders import forget_variables
from schedmate.clusters.runner import run_job
from schedmate.clusters.runner.records import Record

Key = tuple[int, int]

MOST_LOST = 3
"""Runs that may vanish without a word until the job is taken for the cause."""


def stop(books: LocalBooks, run: LocalRun, why: str, **values: object) -> None:
    """Write down that a run is to be stopped, and begin to stop it."""
    number = run.job.number

    def work() -> None:
        books.store.update_run(number, run.run, stopping=why)
        if values:
            books.store.update(number, **values)

    books.store.write(work)
    run.stopping, run.asked_s = why, books.now_s()
    books.named.add((number, run.run))
    run.forbid()
    if run.spawned:
        run.heard = run.signal(signal.SIGTERM)


def insist(books: LocalBooks, run: LocalRun, now_s: float) -> None:
    """Kill what has had its grace; a job that was only just starting when it was asked is asked again."""
    if now_s - run.asked_s > books.grace_s:
        run.signal(signal.SIGKILL)
    elif not run.heard:
        run.heard = run.signal(signal.SIGTERM)


def end(books: LocalBooks, key: Key, run: LocalRun) -> None:
    """Book an end that its runner has written down."""
    done = run.exit()
    if run.began_s is None:  # it was over before we looked the first time
        tell_unlocked(books, key, run.read("job") or {})
    if run.stopping == "cancel" and (done.stopped or done.code != 0):
        outcome = "cancelled"  # also what failed of itself before the word came: nobody may start it anew
    elif done.stopped and run.stopping:
        outcome = "stopped"
    else:
        outcome = "completed" if done.code == 0 else "failed"
    drop(books, key, run, outcome, done)


def lose(books: LocalBooks, key: Key, run: LocalRun) -> None:
    """Book a run that vanished: its job goes back into the queue, unless that has happened too often."""
    lost = sum(row.outcome == "lost" for row in books.store.runs(key[0]))
    run.forbid()
    if run.stopping:
        drop(books, key, run, "cancelled" if run.stopping == "cancel" else "stopped")
        return
    if why := run.last_words():
        runs_as = books.store.job(key[0]).runs_as
        run_job.tell_owner(run.log, why, json.loads(runs_as) if runs_as else None)
    drop(books, key, run, "lost" if lost < MOST_LOST else "failed", why=why)


def refuse(books: LocalBooks, key: Key, run: LocalRun, why: str) -> None:
    """Hold a job whose own row keeps it from starting, wherever that came from: it must not end the loop."""
    number, now_s = key[0], books.now_s()

    def work() -> None:
        books.store.update_run(number, run.run, ended_s=now_s, outcome="stopped", reason=why)
        books.store.update(number, state="held", reason=why)
        books.store.note_fact(number, run.run, "not_startable", why)

    books.store.write(work)
    del books.runs[key]
    books.jobs.pop(number, None)
    books.odd.append(f"job {number} is held: {why}")
    books.post(Ended(run.job, "held"))


def drop(
    books: LocalBooks,
    key: Key,
    run: LocalRun,
    outcome: str,
    done: Exit | None = None,
    why: str = "",
) -> None:
    """Write an end down and tell of it; both halves of the book change in one transaction."""
    number, now_s = key[0], books.now_s()
    state = books.store.job(number).state
    began_s, ended_s = times(run, done, now_s)
    code, ran_s, reason = (done.code, done.ran_s, done.limit) if done else (None, None, why)
    values: dict[str, object] = {}
    is_over = outcome in ("completed", "failed", "cancelled") and state in ("running", "pending")
    if is_over:
        final = "examined" if outcome == "failed" and books.examines else outcome
        values = {"state": final, "end_s": ended_s}
        if final == "completed":  # nobody will run it again, and there are tokens in it
            values["environment"] = "{}"
    elif outcome == "lost":
        values = {"state": "pending", "reason": why or "its processes vanished without a word"}

    def work() -> None:
        books.store.update_run(
            number, run.run, ended_s=ended_s, began_s=began_s, outcome=outcome, code=code, ran_s=ran_s, reason=reason
        )
        if values:
            books.store.update(number, **values)

    books.store.write(work)
    if "environment" in values:
        forget_variables(run.folder.parent)
    del books.runs[key]
    books.leaving.append(run)
    books.named |= {other for other, waiting in books.runs.items() if not waiting.spawned}
    if is_over:
        withdraw_starts(books, number, now_s)
        if books.jobs.get(number) is run.job:  # else the loop has heard of its end already
            ended = run.job.placement is not None
            books.post(Ended(run.job, outcome) if ended else Withdrawn(run.job, outcome))
        if values["state"] != "examined":
            books.jobs.pop(number, None)
    elif outcome == "lost":
        books.post(Ended(run.job, "node_fail"))


def tell_unlocked(books: LocalBooks, key: Key, started: Record) -> None:
    """Say, to its owner, to whoever watches the loop and in the audit trail, that a job can use the GPUs of others."""
    if words := str(started.get("unlocked", "")):
        number, run = key

        def work() -> None:
            books.store.update(number, reason=words)
            books.store.note_fact(number, run, "gpus_unlocked", words)

        books.store.write(work)
        books.odd.append(f"job {number}: {words}")


def times(run: LocalRun, done: Exit | None, now_s: float) -> tuple[float, float]:
    """Give when a run began and ended, by its runner's words; an end is never before its begin, nor in the future.

    The loop may have been away, and a clock may have been set; how long it took is measured apart from this.
    """
    if done is None:
        return (now_s if run.began_s is None else run.began_s), now_s
    told_s = began_s_of(run.read("began")) if run.began_s is None else run.began_s
    began_s = done.ended_s - done.ran_s if told_s is None else told_s
    return began_s, max(began_s, min(done.ended_s, max(now_s, began_s + done.ran_s)))


def withdraw_starts(books: LocalBooks, number: int, now_s: float) -> None:
    """Forget starts of a job that ended by itself while it was being stopped."""
    for other, waiting in [*books.runs.items()]:
        if other[0] == number and not waiting.spawned:
            waiting.forbid()
            books.store.update_run(*other, ended_s=now_s, outcome="stopped")
            del books.runs[other]
