"""`schedmate track`: how jobs are getting on, read from their logs."""

import json
import sys
from enum import StrEnum
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from schedmate.schemas import Metrics


class TrackEngine(StrEnum):
    """Who may answer."""

    auto = "auto"
    built_in = "built-in"
    model = "model"
    paper = "paper"


def track(
    logs: list[str] = typer.Argument(..., metavar="LOG...", help="Logs, packed or not; - is standard input."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object a log, a line each, in the order given."),
    engine: TrackEngine = typer.Option(
        TrackEngine.auto, help="auto asks a model only what is still open; paper is section 3.2 of the paper."
    ),
) -> None:
    """Read step time, throughput, loss, progress and ETA out of training logs.

    Examples: schedmate track train.log; schedmate track runs/*.log --json;
    kubectl logs job/train | schedmate track -
    """
    from schedmate import track as verb
    from schedmate.errors import SchedMateError

    answers: list[Metrics] = []
    failed = False
    for log in logs:
        try:
            metrics = verb(log, engine=engine.value)
        except SchedMateError as error:
            failed = True
            if as_json:
                typer.echo(json.dumps({"log": log, "error": error.message, "hint": error.hint}))
            sys.stdout.flush()
            typer.secho(f"error: {error.message}", fg=typer.colors.RED, err=True)
            if error.hint:
                typer.echo(f"hint: {error.hint}", err=True)
            continue
        if as_json:
            typer.echo(metrics.model_dump_json())
        answers.append(metrics)
    if answers and not as_json:
        from schedmate.cli.progress_table import print_answers

        print_answers(answers)
    if failed:
        raise typer.Exit(2)
