"""`schedmate actions`, `approve`, `reject`, `undo`: what recovery did, and a person's word on it."""

import json
from datetime import datetime

import typer

from schedmate.cli.asking import live_store, show
from schedmate.cli.saying import say
from schedmate.counts import how_many


def actions(
    action: int = typer.Argument(0, metavar="ACTION", help="One action: all that happened to it."),
    job: str = typer.Option("", "--job", metavar="JOB", help="Only those of one job."),
    reset_breaker: bool = typer.Option(False, "--reset-breaker", help="Close the circuit breaker again."),
    verify: bool = typer.Option(False, "--verify", help="Check that nobody has changed the trail."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object an action, a line each."),
) -> None:
    """Show the audit trail: every recovery step, its outcome, and the reason.

    Examples: schedmate actions; schedmate actions 7; schedmate actions --job 12 --json;
    schedmate actions --reset-breaker
    """
    if reset_breaker:
        show("reset-breaker")
        return
    if verify:
        verified()
        return
    with live_store(only_look=True) as store:
        wanted = store.number_of(job) if job else None
        rows = [row for row in store.actions(job=wanted) if action in (0, row.id)]
        names = {row.job: store.name_of(row.job) for row in rows}
        if as_json:
            for row in rows:
                trail = [entry._asdict() for entry in store.trail(row.id)]
                fields = {name: getattr(row, name) for name in row.__slots__}
                say(json.dumps(fields | {"job_id": names[row.job], "trail": trail}))
            return
        if action:
            if not rows:
                from schedmate.errors import InputError

                raise InputError(f"there is no action {action}", "schedmate actions lists them")
            row = rows[0]
            plan = f"run {row.run} of job {names[row.job]}, mode {row.mode}"
            say(f"action {row.id}: {row.kind} {row.target} ({plan}): {row.reason}")
            for entry in store.trail(action):
                by = f" by {entry.actor}" if entry.actor else ""
                say(f"  {clock(entry.at_s)} {entry.event}{by}" + (f": {entry.detail}" if entry.detail else ""))
            return
    if not rows:
        say("no recovery step has been planned yet", err=True)
        return
    from rich.table import Table
    from rich.text import Text

    from schedmate.cli.render import console

    table = Table("action", "when", "job", "what", "on", "state", "detail", box=None, pad_edge=False)
    for row in rows:
        table.add_row(
            str(row.id),
            clock(row.at_s),
            names[row.job],
            row.kind,
            row.target or ",".join(row.nodes),
            row.event,
            Text(row.detail or row.reason),
        )
    console().print(table)


def verified() -> None:
    """Compare the trail's digests; the exit code is 1 where they do not fit."""
    with live_store(only_look=True) as store:
        found = store.verify()
    older = f", {found.older} from before there were digests" if found.older else ""
    if found.broken is not None:
        say(f"entry {found.broken} is not as it was written, or one before it is missing; {found.entries} are{older}")
        raise typer.Exit(1)
    kept = how_many(found.entries, "entry is as it was", "entries are as they were")
    say(f"{kept} written{older}; the last has the digest {found.head or 'none'}")


def clock(at_s: float) -> str:
    """Write a time of day."""
    return f"{datetime.fromtimestamp(at_s):%m-%d %H:%M:%S}"


def approve(action: int = typer.Argument(..., metavar="ACTION", help="The action's number.")) -> None:
    """Approve a proposed action (mode suggest).

    Example: schedmate approve 7
    """
    show("approve", action)


def reject(
    action: int = typer.Argument(..., metavar="ACTION", help="The action's number."),
    why: str = typer.Option("", "--why", help="The reason, for the audit trail."),
) -> None:
    """Reject a proposed action (mode suggest); the rest of its plan goes on.

    Example: schedmate reject 7 --why "the node is being repaired"
    """
    show("reject", action, why)


def undo(action: int = typer.Argument(..., metavar="ACTION", help="The action's number.")) -> None:
    """Undo what an action did; touches its own marks only.

    Example: schedmate undo 7
    """
    show("undo", action)
