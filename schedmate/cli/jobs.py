"""`schedmate jobs`, `cancel`, `release`: what runs, what waits, what is over."""

import json
import time
from typing import TYPE_CHECKING

import typer

from schedmate.cli.asking import JOB, live_store, show
from schedmate.cli.saying import say
from schedmate.tools.time_spans import span

if TYPE_CHECKING:
    from rich.table import Table

    from schedmate.history.live_rows import LiveRow
    from schedmate.scheduling.live.stores import Store

COLOURS = {
    "running": "green", "pending": "cyan", "held": "yellow", "examined": "yellow",
    "failed": "red", "cancelled": "dim", "completed": "dim",
}  # fmt: skip
RECENT = 20
NO_LOOP = "no loop is up; this is what was known last, and `schedmate up` starts one"

HEAD = 3
"""Lines of a screen that are not jobs."""


def jobs(
    watch: bool = typer.Option(False, "--watch", "-w", help="Refresh once a second until interrupted."),
    everything: bool = typer.Option(False, "--all", "-a", help="All finished jobs too, not only the last few."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object a job, a line each."),
) -> None:
    """Show jobs: where they run, how far they are, why they wait.

    Examples: schedmate jobs; schedmate jobs --watch; schedmate jobs --all --json
    """
    with live_store(only_look=True) as store:
        warn_of_lost(store)
        if not store.loop_is_up():
            say(f"note: {NO_LOOP}", err=True)
        if as_json:
            from schedmate.scheduling.live.job_account import record

            for row in chosen(store, everything):
                say(json.dumps(record(row, store)))
            return
        from schedmate.cli.render import console

        screen = console()
        if not watch or not screen.is_terminal:
            if rows := chosen(store, everything):
                screen.print(table_of(rows, store))
            else:
                say("no jobs; hand one in with: schedmate submit -- COMMAND", err=True)
            return
        from rich.live import Live

        with Live(console=screen, auto_refresh=False) as live:
            while True:
                rows = chosen(store, everything)
                shown = most_telling(rows, screen.height - HEAD)
                table = table_of(shown, store)
                more = [f"and {len(rows) - len(shown)} more: schedmate jobs"] if len(shown) < len(rows) else []
                table.caption = "\n".join([*more, *([] if store.loop_is_up() else [NO_LOOP])]) or None
                live.update(table, refresh=True)
                time.sleep(1.0)


def warn_of_lost(store: "Store") -> None:
    """Say that the store lacks jobs which have run: it was cut, restored or exchanged while no loop was up."""
    from schedmate.clusters.run_folders import told_of

    if lost := store.lost_jobs():
        say(f"note: {told_of(lost)}: schedmate up takes them from there", err=True)


def chosen(store: "Store", everything: bool) -> "list[LiveRow]":
    """List the open jobs and the last of those that are over."""
    rows = store.jobs()
    over = [row for row in rows if row.end_s is not None and row.state in ("completed", "failed", "cancelled")]
    left_out = set() if everything else {row.id for row in sorted(over, key=lambda row: row.end_s or 0.0)[:-RECENT]}
    return [row for row in rows if row.id not in left_out]


def most_telling(rows: "list[LiveRow]", most: int) -> "list[LiveRow]":
    """Choose those that fit on a screen: what runs, then what waits for its turn or a word, then the latest ends."""
    ranks = {"running": 0, "examined": 0, "held": 1, "pending": 2}
    by_rank = sorted(rows, key=lambda row: (ranks.get(row.state, 3), -(row.end_s or 0.0), row.id))
    return sorted(by_rank[: max(1, most)], key=lambda row: row.id)


def table_of(rows: "list[LiveRow]", store: "Store") -> "Table":
    """Draw the jobs."""
    from rich.table import Table
    from rich.text import Text

    from schedmate.scheduling.live.job_account import doomed, place_of

    table = Table("job", "name", "user", "state", "slots", "where", "for", "progress", "note", box=None, pad_edge=False)
    now_s = time.time()
    for row in rows:
        doom = f"{'stopped' if row.state == 'running' else 'cancelled'} once a loop is up" if doomed(row, store) else ""
        runs = store.runs(row.id)
        place = place_of(runs[-1].parts) if runs and row.state == "running" else ""
        waits = row.state == "pending" or not runs
        since = row.submit_s if waits else runs[-1].began_s or runs[-1].intended_s
        until = row.end_s if row.end_s is not None and row.state != "pending" else now_s
        table.add_row(
            row.job_id, Text(row.name), Text(row.user), Text(row.state, COLOURS[row.state]),
            slots_of(row), place, span(until - since), progress_of(row), Text(doom or row.reason),
        )  # fmt: skip
    return table


def slots_of(row: "LiveRow") -> str:
    """Say how many slots a job wants, and at most can use."""
    return f"{row.slots * row.share:g}{f':{row.most_slots}' if row.most_slots else ''}"


def progress_of(row: "LiveRow") -> str:
    """Say how far a job is, by its own log; of one that stands still, for how long, and not what would be left."""
    from schedmate.scheduling.live.job_account import stall_of

    if not row.metrics:
        return ""
    told = json.loads(row.metrics)
    step, total = told.get("step"), told.get("total_steps")
    words = [f"step {step}/{total}" if total else f"step {step}"] if step is not None else []
    if row.state == "running" and (stall := stall_of(told)):
        words.append(stall)
    elif told.get("eta_s") is not None and row.state == "running":
        words.append(f"{span(told['eta_s'])} left")
    return ", ".join(words)


def cancel(job: str = typer.Argument(..., metavar="JOB", help=JOB)) -> None:
    """End a job for good, whether it runs, waits or is held.

    Example: schedmate cancel 12
    """
    with live_store() as store:
        number = store.number_of(job)
        row, is_left = store.job(number), not store.loop_is_up()
        is_left = is_left and row.state not in ("completed", "failed", "cancelled")
        if is_left:
            store.ask("cancel", number)
    if not is_left:
        show("cancel", number)
    elif row.state == "running":
        say(f"job {job} is not stopped yet: no loop is up to do it; start one, `schedmate up`: it stops the job first")
    else:
        say(f"job {job} will not run: no loop is up, and the next one cancels it before anything else")


def release(job: str = typer.Argument(..., metavar="JOB", help=JOB)) -> None:
    """Put a held, failed or cancelled job back into the queue.

    Example: schedmate release 12
    """
    with live_store() as store:
        store.require_loop()
        number = store.number_of(job)
    show("release", number)
