"""`schedmate extract`: what a job is, from its source code and its command."""

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from schedmate.choices import ReaderChoice
from schedmate.cli.saying import complain, say
from schedmate.counts import how_many
from schedmate.tools.garbage import loading
from schedmate.tools.shortening import short

if TYPE_CHECKING:
    from schedmate.schemas import Extraction
    from schedmate.tools.reading_trace import ReadingTrace, Step


def extract(
    repo: Path | None = typer.Argument(None, metavar="REPO", help="The folder that holds the job's source code."),
    command: str = typer.Option("", "--command", "-c", help="What starts the job; without it the likeliest is taken."),
    workdir: str = typer.Option(".", "--workdir", "-w", help="Where it is started, relative to REPO."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object a job, a line each, in input order."),
    engine: ReaderChoice = typer.Option(
        "auto", help="auto asks a model only where something is open; paper lets it read alone."
    ),
    trace: bool = typer.Option(False, "--trace", help="Show each step as it is taken: files, searches, thoughts."),
    save_trace: Path | None = typer.Option(None, "--save-trace", metavar="F", help="Write the steps to a JSON file."),
    replay: Path | None = typer.Option(
        None, "--replay", metavar="F", help="Replay the model's answers of a saved trace; no server is asked."
    ),
    explain: str = typer.Option(
        "", "--explain", metavar="FIELD", help="Show where this value comes from, and which others lost."
    ),
    jobs: Path | None = typer.Option(
        None, "--jobs", metavar="F", help='Many jobs: a line each of {"repo", "workdir", "command"}; - reads stdin.'
    ),
) -> None:
    """Read what a job is from its source code: model, data, batch sizes, GPUs, precision, each with its file and line.

    Nothing of the repository is imported or run, and nothing outside it is read.

    Examples: schedmate extract . --command "torchrun --nproc_per_node=8 train.py --config base.yaml";
    schedmate extract ~/nanoGPT; schedmate extract --jobs jobs.jsonl --json
    """
    from schedmate.errors import InputError

    with loading():
        import schedmate.graphs.extract  # noqa: F401 - all ways lead there
    if jobs is not None:
        if not extract_many(jobs, engine, as_json):
            raise typer.Exit(2)
        return
    if replay is not None and engine == "built-in":
        raise InputError("--replay lets a model speak, and --engine built-in lets none", "leave one of them out")
    if repo is None:
        raise InputError("no repository is named", "schedmate extract path/to/repo --command '...', or --jobs FILE")
    if explain:
        explain_field(repo, command, workdir, explain)
        return
    extraction, reading_trace, model = extract_one(repo, command, workdir, engine, trace, replay)
    if save_trace is not None:
        save_steps(save_trace, extraction, reading_trace, model)
    show(extraction, as_json)


def show(extraction: "Extraction", as_json: bool) -> None:
    """Print a line of JSON, or the card."""
    if as_json:
        say(json.dumps(extraction.as_record()))
    else:
        from schedmate.cli.extraction_card import print_card

        print_card(extraction)


def explain_field(repo: Path, command: str, workdir: str, name: str) -> None:
    """Read the job without a model, and print all that was proposed for one field."""
    from schedmate.cli.explanation import print_explanation
    from schedmate.graphs.extract import run_reading

    print_explanation(*run_reading(repo, command, workdir), name)


def extract_one(
    repo: Path, command: str, workdir: str, engine: ReaderChoice, stream: bool, replay: Path | None
) -> "tuple[Extraction, ReadingTrace, Any]":
    """Extract one job; with a model its replies are recorded, so that the trajectory can be saved."""
    from schedmate.graphs.extract import run_extract
    from schedmate.graphs.extract_state import ExtractContext
    from schedmate.tools.reading_trace import ReadingTrace

    reading_trace = ReadingTrace(listener=print_step if stream else None)
    speaker: Any = None
    if replay is not None:
        from schedmate.agents.recording import read_recording

        speaker = read_recording(replay)
    elif (model := ExtractContext(engine).model) is not None:
        from schedmate.agents.recording import ModelRecorder

        speaker = ModelRecorder(model)
    return run_extract(repo, command, workdir, engine, reading_trace, speaker), reading_trace, speaker


def print_step(step: "Step") -> None:
    """Show a step on the side where it does not get into a pipe."""
    tokens = f"  ({how_many(step.tokens, 'token')})" if step.tokens else ""
    say(f"{step.tool:9} {short(' '.join(step.asked.split()), 160)}{tokens}", err=True)


def save_steps(path: Path, extraction: "Extraction", trace: "ReadingTrace", model: Any) -> None:
    """Write steps and answer, and what a model said, so that it can be said again."""
    from schedmate.agents.recording import ModelRecorder
    from schedmate.tools.output import writing

    record: dict[str, Any] = {"steps": [step.as_record() for step in trace.steps], "answer": extraction.as_record()}
    if isinstance(model, ModelRecorder) and model.known is not None:
        record["model"] = {"facts": model.known.model_dump(mode="json"), "replies": model.replies}
    with writing(path):
        path.write_text(json.dumps(record, indent=1), "utf-8")


def read_jobs(path: Path) -> list[dict[str, str]]:
    """Read the jobs of a batch; a bad line stops it before anything is read."""
    import sys

    from schedmate.errors import InputError

    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}", "give a file with a line of JSON a job") from error
    jobs = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            job = json.loads(line)
        except ValueError as error:
            raise InputError(f"{path}:{number} is no JSON: {error}", '{"repo": "...", "command": "..."}') from error
        if not isinstance(job, dict) or not isinstance(job.get("repo"), str):
            raise InputError(f"{path}:{number} names no repo", '{"repo": "...", "workdir": ".", "command": "..."}')
        jobs.append(
            {key: str(job.get(key) or default) for key, default in (("repo", ""), ("command", ""), ("workdir", "."))}
        )
    return jobs


Outcome = tuple[dict[str, str], "Extraction | None", tuple[str, str]]


def extract_many(path: Path, engine: ReaderChoice, as_json: bool) -> bool:
    """Extract every job of a file, in its order; tell whether all could be read."""
    from schedmate.cli.render import counted
    from schedmate.tools.all_cores import in_order

    jobs = read_jobs(path)
    fine = True
    answers = in_order(partial(one_outcome, engine=engine), jobs, fewest=8)
    for job, extraction, error in counted(answers, "reading code", len(jobs)):
        if extraction is not None:
            show(extraction, as_json)
            continue
        fine = False
        if as_json:
            say(json.dumps({**job, "error": error[0], "hint": error[1]}))
        complain(f"{job['repo']}: {error[0]}")
    return fine


def one_outcome(job: dict[str, str], engine: ReaderChoice) -> Outcome:
    """Extract one job; a known error comes back as a value, so that it does not stop the others."""
    from schedmate import extract as verb
    from schedmate.errors import SchedMateError

    try:
        return job, verb(job["repo"], command=job["command"], workdir=job["workdir"], engine=engine), ("", "")
    except SchedMateError as error:
        return job, None, (error.message, error.hint)
