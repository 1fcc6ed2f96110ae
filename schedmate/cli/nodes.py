"""`schedmate nodes`, `drain`, `resume`: the nodes of the loop, and a person's word on them."""

import json

import typer

from schedmate.cli.asking import ask, show
from schedmate.cli.saying import say

STYLES = {"up": "green", "down": "red", "isolated": "red", "drained": "yellow"}


def nodes(as_json: bool = typer.Option(False, "--json", help="Print one JSON object a node, a line each.")) -> None:
    """Show the nodes: their slots, whether they take jobs, who drained them and why, and what runs there.

    Examples: schedmate nodes; schedmate nodes --json
    """
    rows = ask("nodes").data
    if as_json:
        for row in rows:
            say(json.dumps(row))
        return
    from rich.table import Table
    from rich.text import Text

    from schedmate.cli.render import console

    table = Table("node", "slots", "state", "jobs", "why", box=None, header_style="bold", pad_edge=False)
    for row in rows:
        why = f"{row['reason']} (by {row['by']})" if row["by"] else row["reason"]
        slots, state = f"{row['slots']} {row['kind']}".rstrip(), Text(row["state"], STYLES.get(row["state"], ""))
        table.add_row(Text(row["node"]), slots, state, Text(", ".join(row["jobs"])), Text(why))
    console().print(table)


def drain(
    node: str = typer.Argument(..., metavar="NODE", help="As `schedmate nodes` names it."),
    why: str = typer.Option("", "--why", help="The reason, which `schedmate nodes` shows."),
) -> None:
    """Keep new jobs off a node, also across restarts of the loop; running jobs go on. For operators.

    Example: schedmate drain node2 --why "a new power supply"
    """
    show("drain", argument=json.dumps({"node": node, "why": why[:500]}))


def resume(node: str = typer.Argument(..., metavar="NODE", help="As `schedmate nodes` names it.")) -> None:
    """Let a drained node take jobs again. For operators.

    Example: schedmate resume node2
    """
    show("resume", argument=json.dumps({"node": node}))
