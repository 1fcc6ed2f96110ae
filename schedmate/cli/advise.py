"""`schedmate advise`: what to expect of a job before it runs, from the jobs before it."""

from pathlib import Path

import typer

from schedmate.choices import EngineChoice
from schedmate.cli.saying import say


def advise(
    path: Path = typer.Argument(..., metavar="PATH", help="The folder that holds the job's source code."),
    command: str = typer.Option("", "--command", "-c", help="What starts the job; without it the likeliest is taken."),
    workdir: str = typer.Option(".", "--workdir", "-w", help="Where it is started, relative to PATH."),
    user: str = typer.Option("", "--user", "-u", help="Whose job it is; by default yours."),
    gpus: float = typer.Option(0, "--gpus", "-g", min=0, help="How many GPUs it asks for; 0: what its code says."),
    name: str = typer.Option("", "--name", help="The job's name."),
    vc: str = typer.Option("", "--vc", help="The virtual cluster or partition."),
    engine: EngineChoice = typer.Option("auto", help="auto asks a model only where something is open."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Estimate a job: how long, how much of its GPUs, how likely to fail; and name the past jobs that say so.

    A job that has run before is known by its command; of any other the code is read, and similar jobs are looked up in
    the history (schedmate history). Where none is similar, the estimate rests on the user's other jobs, and says so.

    Examples: schedmate advise . --command "torchrun --nproc_per_node=8 train.py --config base.yaml" --gpus 8;
    schedmate advise ~/nanoGPT --user ada --json
    """
    from schedmate import advise as verb

    estimate = verb(path, command=command, workdir=workdir, user=user, gpus=gpus, name=name, vc=vc, engine=engine)
    if as_json:
        say(estimate.model_dump_json())
        return
    from schedmate.cli.advice_card import print_card

    print_card(estimate)
