"""`schedmate track`: how jobs are getting on, read from their logs."""

import contextlib
import json
import os
from typing import TYPE_CHECKING

import typer

from schedmate.choices import ReaderChoice
from schedmate.cli.saying import complain, say
from schedmate.errors import InputError
from schedmate.tools.garbage import loading

if TYPE_CHECKING:
    from schedmate.schemas import Metrics
    from schedmate.tools.gpus import Gpus


def track(
    logs: list[str] = typer.Argument(
        None, metavar="LOG...", help="Logs, packed or not, or folders of them; - is standard input."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object a log, a line each, in the order given."),
    engine: ReaderChoice = typer.Option(
        "auto", help="auto asks a model only what is still open; paper is section 3.2 of the paper."
    ),
    follow: bool = typer.Option(False, "--follow", "-f", help="Keep reading as the logs grow; wait for missing ones."),
    interval: float = typer.Option(1.0, min=0.05, help="Seconds between updates, with --follow."),
    prometheus: str = typer.Option("", metavar="PORT", help="With --follow: serve /metrics on PORT, or on HOST:PORT."),
    job: list[str] = typer.Option(
        [], "--job", metavar="ID", help="A Slurm job, whose log is looked up; may be repeated."
    ),
    command: str = typer.Option("", help="The command that started the job: it may name the last step."),
    repo: str = typer.Option(
        "", help="The job's repository, read for the last step where the command does not name it."
    ),
    gpu: bool = typer.Option(False, "--gpu", help="Sample this machine's GPUs beside the logs."),
) -> None:
    """Read step time, throughput, loss, progress and ETA out of training logs.

    Examples: schedmate track train.log; schedmate track runs --json;
    kubectl logs job/train | schedmate track -; schedmate track runs/*.log --follow --prometheus 9464;
    schedmate track --job 48213 --follow
    """
    logs = [*(one for path in logs or [] for one in logs_in(path)), *map(log_of, job)]
    if not logs:
        raise InputError("no log is named", "schedmate track train.log, or schedmate track --job 48213")
    gpus = open_gpus() if gpu else None
    if follow and engine == "paper":
        raise typer.BadParameter("--engine paper reads a log once: leave out --follow")
    if follow and (command or repo):
        raise typer.BadParameter("--command and --repo are for a log that is read once: leave out --follow")
    if follow:
        learn(logs, engine)
        from schedmate.cli.following import follow as follow_logs

        return follow_logs(logs, as_json, prometheus, gpus, interval)
    if prometheus:
        raise typer.BadParameter("--prometheus needs --follow: figures that never change are of no use")
    show_once(logs, as_json, engine, gpus, command, repo or None)
    return None


def logs_in(path: str) -> list[str]:
    """List the logs of a folder; any other path stands for itself."""
    if not os.path.isdir(path):
        return [path]
    from schedmate.readers.failures.job_logs.log_files import find_logs

    return find_logs(path)


def log_of(job: str) -> str:
    """Look up where a Slurm job writes, with the caller's own rights."""
    from schedmate.clusters.engines import look_up
    from schedmate.clusters.known_job import log_there

    return log_there(look_up(job))


def learn(logs: list[str], engine: ReaderChoice) -> None:
    """Let a model write the patterns that are missing before the logs are followed: the built-in follows with them."""
    from schedmate.user_dirs import anything_is_set

    if engine == "model" or (engine == "auto" and anything_is_set()):
        from schedmate.graphs.track import run_track

        for log in logs:
            with contextlib.suppress(InputError):
                run_track(log, engine)


def open_gpus() -> "Gpus":
    """Connect to the driver; where there is none, say so once."""
    from schedmate.tools.gpus import Gpus

    gpus = Gpus()
    if gpus.absent:
        say(gpus.absent, err=True)
    return gpus


def show_once(
    logs: list[str],
    as_json: bool,
    engine: ReaderChoice,
    gpus: "Gpus | None",
    command: str = "",
    repo: str | None = None,
) -> None:
    """Read each log once and show what was found; an unusable one has its line, and the exit code tells."""
    from schedmate import track as verb
    from schedmate.errors import SchedMateError

    with loading():
        import schedmate.graphs.track  # noqa: F401 - the verb takes it from there
    answers: list[Metrics] = []
    failed = False
    for log in logs:
        try:
            metrics = verb(log, command=command, repo=repo, engine=engine)
        except SchedMateError as error:
            failed = True
            if as_json:
                say(json.dumps({"log": log, "error": error.message, "hint": error.hint}))
            complain(error.message, error.hint)
            continue
        if as_json:
            say(json_line(metrics, gpus))
        answers.append(metrics)
    if answers and not as_json:
        from schedmate.cli.progress_table import print_answers

        print_answers(answers)
    if failed:
        raise typer.Exit(2)


def json_line(metrics: "Metrics", gpus: "Gpus | None") -> str:
    """Write one log's answer, with the GPUs where they were asked for."""
    if gpus is None:
        return metrics.model_dump_json()
    samples = gpus.sample()
    rows = None if samples is None else [one.model_dump(mode="json") for one in samples]
    return json.dumps(metrics.model_dump(mode="json") | {"gpus": rows})
