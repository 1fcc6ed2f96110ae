"""`schedmate diagnose`: the first cause of a dead job, its class, and what to do."""

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from schedmate.choices import EngineChoice, Locator
from schedmate.cli.saying import complain, say
from schedmate.errors import InputError, SchedMateError
from schedmate.tools.garbage import loading

if TYPE_CHECKING:
    from schedmate.readers.failures.job_logs.folder_jobs import LogFolder
    from schedmate.schemas import Diagnosis

EXIT_CODES = {"infrastructure": 81, "framework": 82, "script": 83, "other": 84, "none": 0}
"""What --exit-code tells wrappers and Kubernetes' podFailurePolicy."""
IN_VAIN = 85
"""Infrastructure, but a restart would meet the same end: scripts put into the queue again what ends with 81."""
FEW = 3
"""Of so many jobs a person reads all about each without asking for it."""
NO_OPTIONS: Mapping[str, Any] = {}


def diagnose(
    paths: list[str] = typer.Argument(
        None, metavar="PATH...", help="A log (may be compressed), a directory of logs, or -."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object a job, a line each, in the order given."),
    repo: Path | None = typer.Option(None, "--repo", help="The job's source code: an error then points into it."),
    locator: Locator = typer.Option("hybrid", help="How to find the first cause; paper is Algorithm 1."),
    engine: EngineChoice = typer.Option("auto", help="auto asks a model only where something is open."),
    votes: int = typer.Option(0, min=0, max=9, help="Ask a model this often and take the majority; 0: as set."),
    exit_code: bool = typer.Option(
        False, "--exit-code", help="Exit 81 infrastructure (85: no restart helps), 82 framework, 83 script, 84 other."
    ),
    exited: str = typer.Option(
        "", "--exited", metavar="HOW", help="How the job ended, beside its log: 137, 0:9, TIMEOUT, NODE_FAIL, ..."
    ),
    job: str = typer.Option("", "--job", metavar="ID", help="A Slurm job: its log and its end are looked up."),
    pod: str = typer.Option("", "--pod", metavar="NS/NAME", help="A pod of Kubernetes: its log, states and events."),
    context: str = typer.Option("", "--context", help="With --pod: kubectl's context, if not the present one."),
    one_job: bool = typer.Option(False, "--one-job", help="All logs named or in the directory are one job's."),
    each: bool = typer.Option(False, "--each", help="Each log in the directory is a job of its own."),
    cards: bool = typer.Option(False, "--cards", help="Of many jobs print all about each, under the table of them."),
    steps: bool = typer.Option(False, "--steps", help="Show the graph's nodes on stderr as they go."),
    explain: bool = typer.Option(False, "--explain", help="Also tell how the first cause was found, rule by rule."),
    remember: str = typer.Option(
        "", "--remember", metavar="CLASS", help="Your own class: script, infrastructure.gpu, ..."
    ),
) -> None:
    """Find the first cause in a dead job's log, class it, and say what to do.

    Several paths are several jobs, read on all cores; of many a table is printed. In a directory, logs are grouped into
    jobs by job ids, names, ranks and times; each job gets an answer, and a guess is marked as one.

    Examples: schedmate diagnose slurm-4711.out; zcat job.log.gz | schedmate diagnose -;
    schedmate diagnose runs/*.log --json; schedmate diagnose torchrun-logs/ --repo ~/train;
    schedmate diagnose --job 48213_7; schedmate diagnose --pod ml/llm-worker-2

    A failure that the catalogue does not know can be classed by hand, for the next of its kind:
    schedmate diagnose odd.log --remember infrastructure.node
    """
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # looking for plugins reads every installed package's data
    told: tuple[str, ...] = ()
    how: dict[str, Any] = {"repo": repo, "locator": locator, "engine": engine, "votes": votes, "explain": explain}
    if pod:
        if paths or exited or job:
            raise InputError("--pod looks up the log and the end of one pod", "name no log, no --job, no --exited")
        ended = show(pod_diagnosis(pod, context, how, steps), as_json, remember)
        raise typer.Exit(ended if exit_code else 0)
    if job:
        if paths or exited:
            raise InputError("--job looks up the log and the end of one job", "name no log beside it, and no --exited")
        paths, exited, repo, told = slurm_job(job, repo)
    elif not paths:
        raise InputError("no log is named", "schedmate diagnose train.log, or schedmate diagnose --job 48213")
    if one_job and each:
        raise InputError("--one-job and --each contradict each other")
    asked = [replace(one, told=told) for one in questions(paths, one_job, each)]
    outcomes = diagnose_all(asked, partial(diagnose_one, how=how | {"repo": repo, "exited": exited}, steps=steps))
    with_table, with_cards = len(asked) > 1 and not as_json, cards or len(asked) <= FEW
    shown = show_table(outcomes, with_cards, remember) if with_table else show_all(outcomes, as_json, remember)
    raise typer.Exit(2 if shown[1] else shown[0] if exit_code else 0)


def pod_diagnosis(name: str, context: str, how: Mapping[str, Any], steps: bool) -> "Diagnosis":
    """Diagnose a pod by its log and by what Kubernetes knows."""
    from schedmate.clusters.engines import diagnose_pod

    return diagnose_pod(name, context, reader_of_pods(name, how, steps))


def reader_of_pods(
    name: str, how: Mapping[str, Any] = NO_OPTIONS, steps: bool = False
) -> "Callable[[str, str], Diagnosis]":
    """Give what diagnoses a pod's log, told how the pod ended."""
    from schedmate.graphs.diagnose import run_diagnose
    from schedmate.graphs.plain import unheard

    def read(path: str, exited: str) -> "Diagnosis":
        return run_diagnose(path, exited=exited, heard=told_as_they_go(name) if steps else unheard, **how)

    return read


def show(diagnosis: "Diagnosis", as_json: bool, remember: str) -> int:
    """Keep a person's word on a diagnosis, print it, and give the exit code for wrappers."""
    diagnosis = kept(diagnosis, remember)
    if as_json:
        say(diagnosis.model_dump_json())
    else:
        from schedmate.cli.diagnosis_page import print_page

        print_page(diagnosis)
    return code_of(diagnosis)


def code_of(diagnosis: "Diagnosis") -> int:
    """Give the exit code for wrappers: by the class, and by whether a restart of a job without fault may help."""
    in_vain = diagnosis.category == "infrastructure" and diagnosis.should_restart == "no"
    return IN_VAIN if in_vain else EXIT_CODES[diagnosis.category]


def kept(diagnosis: "Diagnosis", remember: str) -> "Diagnosis":
    """Keep a person's word on a diagnosis, if there is one."""
    if not remember:
        return diagnosis
    from schedmate.readers.failures.advice.remembered_classes import keep
    from schedmate.settings import get_settings

    return keep(diagnosis, remember, get_settings().data_dir)


def slurm_job(name: str, repo: Path | None) -> tuple[list[str], str, Path | None, tuple[str, ...]]:
    """Look a job up with the caller's own rights: its log, its end, the directory that it ran in, what else is told."""
    from schedmate.clusters.engines import look_up
    from schedmate.clusters.known_job import log_there

    known = look_up(name)
    if not known.exited:
        state = "has ended well" if known.state else "is not over"
        complain(f"job {name} {state}: its log is read all the same", "schedmate track --job shows how it gets on")
    found = Path(known.workdir)
    return [log_there(known)], known.exited, repo or (found if found.is_dir() else None), known.evidence


@dataclass(frozen=True, slots=True)
class AskedJob:
    """One job that is asked about: its path, and its logs where a folder or several paths were named."""

    path: str
    files: tuple[str, ...] = ()
    folder: "tuple[str, LogFolder] | None" = None
    told: tuple[str, ...] = ()
    """What an engine knows of its end."""


Outcome = tuple[str, "Diagnosis | None", tuple[str, str]]


def questions(paths: list[str], one_job: bool, each: bool) -> list[AskedJob]:
    """List the jobs that the paths stand for; what is no directory is asked about as it is."""
    if not one_job and not any(map(os.path.isdir, paths)):
        return [AskedJob(path) for path in paths]
    from schedmate.readers.failures.job_logs.folder_jobs import called, jobs_in

    if one_job and len(paths) > 1:
        files = [file for path in paths for file in jobs_in(path, "one job").jobs[0].paths]
        return [AskedJob(called(files), tuple(files))]
    asked: list[AskedJob] = []
    for path in paths:
        try:
            folder = (
                jobs_in(path, "one job" if one_job else "each" if each else "auto") if os.path.isdir(path) else None
            )
        except SchedMateError:  # it is said when its turn comes, beside the answers of the others
            folder = None
        if folder:
            say_left_out(path)
            asked += [AskedJob(job.name, job.paths, (path, folder)) for job in folder.jobs]
        else:
            asked.append(AskedJob(path))
    return asked


def say_left_out(folder: str) -> None:
    """Say in one line what lies in a folder and is not read: a job that wrote nothing may be the one looked for."""
    from schedmate.readers.failures.job_logs.log_files import left_out

    told = left_out(folder)
    if told:
        names = [f"{name} {why}" for name, why in told[:FEW]]
        more = [f"{len(told) - FEW:,} more"] if len(told) > FEW else []
        say(f"{len(told):,} not read: {', '.join([*names, *more])}", err=True)


def diagnose_all(asked: list[AskedJob], work: Callable[[AskedJob], Outcome]) -> Iterator[Outcome]:
    """Diagnose one job here, many on all cores; always in the order given."""
    from schedmate.tools.all_cores import in_order

    make_ready()
    answers = in_order(work, asked)
    if len(asked) > 1:
        from schedmate.cli.render import counted

        answers = counted(answers, "reading logs", len(asked))
    yield from answers


def make_ready() -> None:
    """Load the reader and its catalogue, once for all logs: forked workers share them."""
    with loading():
        import schedmate.graphs.diagnose  # noqa: F401 - the verb that is called next
        from schedmate.readers.failures.sightings.catalogue_search import ready_entries

        ready_entries()


def show_all(outcomes: Iterator[Outcome], as_json: bool, remember: str) -> tuple[int, bool]:
    """Show each answer as it comes; give the first code that is not 0, and whether a log could not be read."""
    failed, code = False, 0
    for path, diagnosis, error in outcomes:
        if diagnosis is None:
            failed = True
            show_error(path, error, as_json)
            continue
        shown = show(diagnosis, as_json, remember)
        code = code or shown
    return code, failed


def show_table(outcomes: Iterator[Outcome], with_cards: bool, remember: str) -> tuple[int, bool]:
    """Show the jobs in a table when all are read, and all about each if wanted; give what `show_all` does."""
    from schedmate.cli.diagnosis_page import print_page
    from schedmate.cli.diagnosis_table import print_table

    failed, found = False, []
    for path, diagnosis, error in outcomes:
        if diagnosis is None:
            failed = True
            show_error(path, error, as_json=False)
        else:
            found.append(kept(diagnosis, remember))
    if len(found) > 1:
        print_table(found, with_cards)
        say()
    for diagnosis in found if with_cards or len(found) == 1 else ():
        print_page(diagnosis)
    return next((code for one in found if (code := code_of(one))), 0), failed


def diagnose_one(asked: AskedJob, how: Mapping[str, Any], steps: bool) -> Outcome:
    """Diagnose one job; a known error comes back as a value, so that it neither stops the others nor loses its hint."""
    from schedmate.graphs.diagnose import run_diagnose
    from schedmate.graphs.plain import unheard

    try:
        heard = told_as_they_go(asked.path) if steps else unheard
        found = run_diagnose(asked.path, files=asked.files, folder=asked.folder, heard=heard, **how)
        found = found.model_copy(update={"notes": (*found.notes, *asked.told)}) if asked.told else found
        return asked.path, found, ("", "")
    except SchedMateError as error:
        return asked.path, None, (error.message, error.hint)


def told_as_they_go(path: str) -> Callable[[str], None]:
    """Write each node of a walk to stderr when it has run, with the time that it took."""
    last = [time.perf_counter()]

    def heard(node: str) -> None:
        now = time.perf_counter()
        say(f"{path}: {node} ({now - last[0]:.2f} s)", err=True)
        last[0] = now

    return heard


def show_error(path: str, error: tuple[str, str], as_json: bool) -> None:
    """Give an unusable input its line, on the side where it is looked for."""
    message, hint = error
    if as_json:
        say(json.dumps({"log": path, "error": message, "hint": hint}))
    complain(message, hint)
