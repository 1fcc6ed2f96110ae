"""`schedmate submit`: hand in a job."""

import getpass
import json
import os
import uuid
from pathlib import Path

import typer

from schedmate.cli.asking import live_store
from schedmate.cli.saying import say


def submit(
    command: list[str] = typer.Argument(..., metavar="-- CMD...", help="What to run, after two dashes."),
    gpus: float = typer.Option(
        1.0, "--gpus", "--slots", min=0.01, help="Slots; below 1: a share of one, may be packed."
    ),
    name: str = typer.Option("", "--name", help="Name; else the command's last part."),
    user: str = typer.Option("", "--user", help="On whose behalf; else you."),
    workdir: Path | None = typer.Option(None, "--workdir", "-C", help="Where to run; else here."),
    kind: str = typer.Option("", "--kind", help="Accelerator kind; else any."),
    alone: bool = typer.Option(False, "--alone", help="Share the slots with nobody."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Hand in a job: it runs in this directory and environment as soon as the policy lets it.

    The job finds its slots in CUDA_VISIBLE_DEVICES and SCHEDMATE_PLACEMENT, and when it is restarted the path of its
    last checkpoint in SCHEDMATE_CHECKPOINT. Works with no loop up: the job then waits for one.

    Examples: schedmate submit -- python train.py --lr 0.1; schedmate submit --gpus 2 --name bert -- bash run.sh;
    schedmate submit --gpus 0.5 -- python small.py
    """
    from schedmate.clusters.steady import SteadyClock
    from schedmate.errors import InputError
    from schedmate.history.live_rows import Submission
    from schedmate.scheduling.live.presence import is_up, poke
    from schedmate.tools.git_branch import git_branch

    place = (workdir or Path.cwd()).resolve()
    if not place.is_dir():
        raise InputError(f"{place} is not a directory", "name one with --workdir")
    if gpus > 1 and gpus != int(gpus):
        raise InputError(f"--gpus {gpus:g}: above one, whole numbers only", "as in: --gpus 2, or --gpus 0.5")
    if any("\0" in word for word in command):
        raise InputError("the command holds a null byte", "check what comes after --")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SCHEDMATE_")}
    job = Submission(
        command=tuple(command),
        workdir=str(place),
        environment=environment,
        slots=max(1, int(gpus)),
        share=min(1.0, gpus),
        name=plain(name or Path(command[0]).name),
        user=plain(user or getpass.getuser()),
        kind=kind,
        git_branch=git_branch(place),
        alone=alone,
    )
    with live_store() as store:
        number = store.submit(job, uuid.uuid4().hex, SteadyClock().now_s())
        waits = not is_up(store.data_dir)
        poke(store.data_dir)
    if as_json:
        say(json.dumps({"job": number, "loop_is_up": not waits}))
        return
    say(f"job {number}")
    if waits:
        say("note: no loop is up; the job waits for `schedmate up`", err=True)


def plain(name: str) -> str:
    """Keep what a terminal prints: names are shown to others, and must not command their terminals."""
    return "".join(letter for letter in name if letter.isprintable())[:200]
