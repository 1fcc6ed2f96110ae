"""`schedmate diagnose`: the first cause of a dead job, its class, and what to do."""

import json
import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from schedmate.cli.engines import EngineChoice
from schedmate.cli.saying import complain, say

if TYPE_CHECKING:
    from schedmate.schemas import Diagnosis

EXIT_CODES = {"infrastructure": 81, "framework": 82, "script": 83, "other": 84, "none": 0}
"""What --exit-code tells wrappers and Kubernetes' podFailurePolicy."""


class Locator(StrEnum):
    """How the first cause is looked for."""

    hybrid = "hybrid"
    paper = "paper"


def diagnose(
    paths: list[str] = typer.Argument(
        ..., metavar="PATH...", help="A log, packed or not; - ; a directory of one job's rank logs."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object a job, a line each, in the order given."),
    repo: Path | None = typer.Option(None, "--repo", help="The job's source code: an error then points into it."),
    locator: Locator = typer.Option(Locator.hybrid, help="How to find the first cause; paper is Algorithm 1."),
    engine: EngineChoice = typer.Option(EngineChoice.auto, help="auto asks a model only where something is open."),
    exit_code: bool = typer.Option(
        False, "--exit-code", help="Exit 81 infrastructure, 82 framework, 83 script, 84 other."
    ),
    exited: str = typer.Option(
        "", "--exited", metavar="HOW", help="How the job ended, beside its log: 137, 0:9, TIMEOUT, NODE_FAIL, ..."
    ),
    remember: str = typer.Option(
        "", "--remember", metavar="CLASS", help="Keep this failure as script, framework, infrastructure.gpu, ..."
    ),
) -> None:
    """Find the first cause in a dead job's log, class it, and say what to do.

    Several paths are several jobs, read on all cores. A directory is one job with a log a rank.

    Examples: schedmate diagnose slurm-4711.out; zcat job.log.gz | schedmate diagnose -;
    schedmate diagnose runs/*.log --json; schedmate diagnose torchrun-logs/ --repo ~/train

    A failure that the catalogue does not know can be classed by hand, for the next of its kind:
    schedmate diagnose odd.log --remember infrastructure.node
    """
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # looking for plugins reads every installed package's data
    failed, code = False, 0
    for path, diagnosis, error in diagnose_all(paths, repo, locator.value, engine.value, exited):
        if diagnosis is None:
            failed = True
            show_error(path, error, as_json)
            continue
        if remember:
            from schedmate.readers.failures.memory import keep
            from schedmate.settings import get_settings

            diagnosis = keep(diagnosis, remember, get_settings().data_dir)
        code = code or EXIT_CODES[diagnosis.category]
        if as_json:
            say(diagnosis.model_dump_json())
        else:
            from schedmate.cli.diagnosis_page import print_page

            print_page(diagnosis)
    if failed:
        raise typer.Exit(2)
    raise typer.Exit(code if exit_code else 0)


Outcome = tuple[str, "Diagnosis | None", tuple[str, str]]


def diagnose_all(paths: list[str], repo: Path | None, locator: str, engine: str, exited: str) -> Iterator[Outcome]:
    """Diagnose one job here, many on all cores; always in the order given."""
    if len(paths) == 1:
        yield diagnose_one(paths[0], repo, locator, engine, exited)
        return
    from functools import partial

    from schedmate.cli.render import counted
    from schedmate.readers.failures.entries import ready_entries
    from schedmate.tools.python_children import copied_workers

    ready_entries()  # made once here, shared by the forked workers
    workers = min(len(os.sched_getaffinity(0)), len(paths))
    work = partial(diagnose_one, repo=repo, locator=locator, engine=engine, exited=exited)
    with copied_workers(workers) as pool:
        answers = pool.map(work, paths, chunksize=max(1, min(16, len(paths) // (4 * workers))))
        yield from counted(answers, "reading logs", len(paths))


def diagnose_one(path: str, repo: Path | None, locator: str, engine: str, exited: str) -> Outcome:
    """Diagnose one job; a known error comes back as a value, so that it neither stops the others nor loses its hint."""
    from schedmate import diagnose as verb
    from schedmate.errors import SchedMateError

    try:
        return path, verb(path, repo=repo, locator=locator, engine=engine, exited=exited), ("", "")
    except SchedMateError as error:
        return path, None, (error.message, error.hint)


def show_error(path: str, error: tuple[str, str], as_json: bool) -> None:
    """Give an unusable input its line, on the side where it is looked for."""
    message, hint = error
    if as_json:
        say(json.dumps({"log": path, "error": message, "hint": hint}))
    complain(message, hint)
