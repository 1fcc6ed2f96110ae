"""`schedmate proposals`: what an assistant proposes, and a person's word on it."""

import json
from datetime import datetime
from typing import TYPE_CHECKING

import typer

from schedmate.cli.saying import say

if TYPE_CHECKING:
    from schedmate.history.proposals import ProposalFile

app = typer.Typer(no_args_is_help=True, help="What assistants propose (`mcp --allow-actions`): list, approve, reject.")
NUMBER = typer.Argument(..., metavar="PROPOSAL", help="Its number.")


def proposals() -> "ProposalFile":
    """Open the proposals beside the store."""
    from schedmate.history.proposals import ProposalFile
    from schedmate.settings import get_settings

    return ProposalFile(get_settings().data_dir)


@app.command("list")
def list_(
    everything: bool = typer.Option(False, "--all", help="Those that were decided, too."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object a proposal, a line each."),
) -> None:
    """Show what waits for a person's word.

    Examples: schedmate proposals list; schedmate proposals list --all --json
    """
    shown = [one for one in proposals().all_of_them() if everything or not one.verdict]
    for one in shown:
        if as_json:
            say(json.dumps(one._asdict()))
            continue
        verdict = f"; {one.verdict} by {one.actor}" if one.verdict else ""
        made = f"{datetime.fromtimestamp(one.made_s):%m-%d %H:%M}"
        say(f"{one.number}  {made}  {one.kind} {one.target}: {one.why}{verdict}")
    if not shown and not as_json:
        say("nothing is proposed", err=True)


@app.command()
def approve(number: int = NUMBER) -> None:
    """Do what is proposed, as if you had given the command yourself: with your rights, and no more.

    Example: schedmate proposals approve 3
    """
    from schedmate.cli.jobs import cancel, release
    from schedmate.cli.nodes import drain, resume

    one = proposals().decide(number, "approved", actor())
    say(f"schedmate {one.kind} {one.target}", err=True)
    if one.kind == "cancel":
        cancel(one.target)
    elif one.kind == "release":
        release(one.target)
    elif one.kind == "drain":
        drain(one.target, f"proposal {number}: {one.why}")
    else:
        resume(one.target)


@app.command()
def reject(number: int = NUMBER) -> None:
    """Refuse what is proposed.

    Example: schedmate proposals reject 3
    """
    one = proposals().decide(number, "rejected", actor())
    say(f"proposal {number} is rejected: {one.kind} {one.target}")


def actor() -> str:
    """Name who decides, as the operating system knows him."""
    import os
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
