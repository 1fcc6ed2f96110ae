"""Why a job died: open its logs, find the first cause, class it, check every quote, plan what to do."""

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Literal

from schedmate.choices import EngineChoice, Locator
from schedmate.counts import how_many
from schedmate.errors import InputError, ModelFailed
from schedmate.graphs.diagnose_state import DiagnoseContext, DiagnoseInput, DiagnoseOutput, DiagnoseState
from schedmate.graphs.plain import END, START, Heard, Wiring, unheard
from schedmate.graphs.state import Compiled, Runtime, as_json, closed_on_failure, context_of
from schedmate.graphs.walk import Graph
from schedmate.knowledge.site import kept_in, site_troubles
from schedmate.readers.failures.advice.plan import plan as plan_for
from schedmate.readers.failures.answer.before_restart import before_restart
from schedmate.readers.failures.answer.classify import classify as class_of_cause
from schedmate.readers.failures.answer.confidence import calibrated, is_doubtful, signs_of
from schedmate.readers.failures.answer.known_end import with_end
from schedmate.readers.failures.answer.trail import Explained, explained
from schedmate.readers.failures.answer.verify import drop_unfounded
from schedmate.readers.failures.causes.first_cause import locate as locate_hybrid
from schedmate.readers.failures.exit_codes import read_end
from schedmate.readers.failures.hosts.job_systems import systems_around
from schedmate.readers.failures.job_logs.folder_jobs import LogFolder, jobs_in
from schedmate.readers.failures.job_logs.log_files import is_empty
from schedmate.readers.failures.job_logs.log_names import ranks_of
from schedmate.readers.failures.reading import read_log
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN_ID
from schedmate.schemas import Diagnosis
from schedmate.tools.logfile import open_log
from schedmate.user_dirs import STORE_NAME


def open_logs(state: DiagnoseState, runtime: Runtime[DiagnoseContext]) -> DiagnoseState:
    """Open every log that the path stands for."""
    started_s, context, opened = time.perf_counter(), context_of(runtime, DiagnoseContext), state.get("opened")
    opened = opened or ExitStack()
    files, folder = files_of(state)
    is_silent = state.get("exited") and all(map(is_empty, files))
    with closed_on_failure({"opened": opened}):
        logs = [] if is_silent else [opened.enter_context(open_log(path)) for path in files]
    return {"context": context, "opened": opened, "logs": logs, "folder": folder, "started_s": started_s}


def files_of(state: DiagnoseState) -> tuple[list[str], tuple[str, LogFolder] | None]:
    """List the logs of the one job that is asked about; a folder of several is refused, never read as one."""
    path = state["path"]
    if state.get("files") or not os.path.isdir(path):
        return state.get("files") or [path], state.get("folder")
    folder = jobs_in(path, "one job" if state.get("one_job") else "auto")
    if len(folder.jobs) > 1:
        count, example = len(folder.jobs), folder.jobs[0].name
        raise InputError(
            f"{path} holds the logs of {how_many(count, 'job')}, by {folder.told_by or 'their names'}",
            f"name one, as {example}, or go through schedmate.jobs_in(...); one_job=True reads all as one job's",
        )
    return list(folder.jobs[0].paths), (path, folder)


def route_empty(state: DiagnoseState) -> Literal["end_alone", "split_attempts"]:
    """Read nothing where nothing was written, and it is known how the job ended."""
    return "split_attempts" if state["logs"] else "end_alone"


def end_alone(state: DiagnoseState) -> DiagnoseState:
    """Answer for a job that wrote nothing by the way in which it ended."""
    told, jobs = of_folder(state)
    found = Diagnosis(log=state["path"], category="none", jobs_in_folder=jobs, notes=(*told, "the log is empty"))
    found = with_end(found, read_end(state["exited"]))
    return {"diagnosis": as_json(found.model_copy(update={"actions": plan_for(found)}))}


def of_folder(state: DiagnoseState) -> tuple[list[str], int | None]:
    """Say how a folder's logs were sorted into jobs, where that needs a word, and how many jobs there are."""
    path, folder = state["folder"] or ("", None)
    note = folder.note(path) if folder else ""
    return [note] if note else [], len(folder.jobs) if folder else None


def split_attempts(state: DiagnoseState) -> DiagnoseState:
    """Read each log and cut it into runs; the last one counts."""
    ranks = ranks_of([log.name for log in state["logs"]])
    told = enumerate(zip(state["logs"], ranks, strict=True))
    return {"readings": [read_log(log, source, rank) for source, (log, rank) in told]}


def locate(state: DiagnoseState) -> DiagnoseState:
    """Choose the first cause."""
    if state["context"].locator == "paper":
        from schedmate.readers.failures.causes.paper_verdict import locate_as_paper

        return {"verdict": locate_as_paper(state["readings"], state["context"].embedder)}
    verdict = locate_hybrid(state["readings"])
    if not state.get("exited") and (found := before_restart(state["readings"], verdict, state["opened"])):
        return {"readings": found[0], "verdict": found[1]}
    return {"verdict": verdict}


def classify(state: DiagnoseState) -> DiagnoseState:
    """Name its class, the faulty part and whether a restart helps."""
    found = class_of_cause(state["verdict"], state["readings"])
    root = state["verdict"].root
    said = by_person(found, root, state["context"])
    if said is None and root and root.failure and root.failure.id == UNKNOWN_ID:
        from schedmate.readers.failures.answer.similar_samples import resembling

        found = resembling(found, root.line.text, state["context"].embedder)
    found = said or found
    if state.get("repo") and root and root.raised:
        from schedmate.readers.failures.answer.user_code import add_user_code

        found = add_user_code(found, Path(state["repo"]), root.raised)
    signs = signs_of(found, state["verdict"], state["readings"])
    exited = state.get("exited", "")
    if said is None:
        found = calibrated(found, with_end(found, read_end(exited)) if exited else found, signs)
    return {"signs": signs, "found": found, "is_said": said is not None}


def by_person(found: Diagnosis, root: Sighting | None, context: DiagnoseContext) -> Diagnosis | None:
    """Look for what a person said of this failure, or of one like it where no entry knows it."""
    data_dir = kept_in()
    if root is None or root.failure is None or not (data_dir / STORE_NAME).exists():
        return None
    from schedmate.readers.failures.advice.remembered_classes import recall_like, recall_same

    same = recall_same(found, data_dir)
    if same or root.failure.id != UNKNOWN_ID:
        return same
    return recall_like(found, root.line.text, context.embedder, data_dir)


def route_judge(state: DiagnoseState) -> Literal["judge", "verify"]:
    """Ask a model only where the answer is doubtful, or where the user wants it; never over a person's word."""
    context = state["context"]
    if state["is_said"] or not (context.wants_model or is_doubtful(state["found"], state["signs"])):
        return "verify"
    return "judge" if context.model else "verify"


async def judge(state: DiagnoseState) -> DiagnoseState:
    """Let a model read the lines that may decide, without the built-in's answer."""
    from schedmate.agents.failure_opinion import ask

    model, found = state["context"].model, state["found"]
    assert model
    try:
        return {"opinion": await ask(model, found, state["verdict"], state["readings"])}
    except ModelFailed as error:
        return unanswered(found, error)


def route_settle(state: DiagnoseState) -> Literal["settle", "merge"]:
    """Ask again where both differ and the log bears out either."""
    from schedmate.agents.failure_opinion import Opinion

    opinion = state["opinion"]
    if not isinstance(opinion, Opinion) or is_papers(state["context"]):
        return "merge"
    return "settle" if opinion.is_open(state["found"]) else "merge"


async def settle(state: DiagnoseState) -> DiagnoseState:
    """Let the model choose between its own line and the built-in's."""
    from schedmate.agents.failure_opinion import Opinion, ask_again

    model, opinion = state["context"].model, state["opinion"]
    assert model
    assert isinstance(opinion, Opinion)
    try:
        return {"opinion": await ask_again(model, opinion)}
    except ModelFailed as error:
        return unanswered(state["found"], error)


def unanswered(found: Diagnosis, error: ModelFailed) -> DiagnoseState:
    """Let the built-in's answer stand."""
    note = f"the built-in answer is kept: the model failed ({error.message})"
    return {"opinion": None, "found": found.model_copy(update={"notes": (*found.notes, note)})}


def merge(state: DiagnoseState) -> DiagnoseState:
    """Join both answers by what the log bears out."""
    from schedmate.agents.failure_opinion import Opinion, alone, merged

    found, opinion = state["found"], state["opinion"]
    if not isinstance(opinion, Opinion):
        return {}
    return {"found": (alone if is_papers(state["context"]) else merged)(found, opinion)}


def is_papers(context: DiagnoseContext) -> bool:
    """Tell the paper's Failure Handler: its locator, and the model's word alone."""
    return context.locator == "paper" and context.engine == "model"


def verify(state: DiagnoseState) -> DiagnoseState:
    """Drop every claim whose quote does not stand in the log."""
    return {"found": drop_unfounded(state["found"], {log.name: log for log in state["logs"]})}


def plan(state: DiagnoseState) -> DiagnoseState:
    """List the recovery steps, with the commands of what ran the job: the log shows it, or else the environment."""
    diagnosis = state["found"]
    placed = diagnosis.model_copy(update={"systems": diagnosis.systems or systems_around()})
    return {"found": diagnosis.model_copy(update={"actions": plan_for(placed)})}


def report(state: DiagnoseState) -> DiagnoseState:
    """Add what was read and how long it took."""
    size = sum(log.size for log in state["logs"])
    read = sum(reading.findings.read_bytes for reading in state["readings"])
    told, jobs = of_folder(state)
    told += [remark for log in state["logs"] for remark in log.remarks]
    update = {
        "log": state["path"],
        "logs": tuple(log.name for log in state["logs"]),
        "line_count": sum(log.line_count for log in state["logs"]),
        "read_fraction": min(1.0, read / size) if size else 0.0,
        "elapsed_s": time.perf_counter() - state["started_s"],
        "jobs_in_folder": jobs,
        "notes": (*told, *state["found"].notes, *(f"{one.place}: {one.why}; not used" for one in site_troubles()[:3])),
    }
    found = state["found"].model_copy(update=update)
    if state["context"].explain:
        found = explained(found, state["verdict"], state["readings"])
    state["opened"].close()
    return {"diagnosis": as_json(found)}


def wire(graph: Wiring) -> None:
    """Put the nodes in order; the model's two may be left out."""
    for node in (open_logs, end_alone, split_attempts, locate, classify, judge, settle, merge, verify, plan, report):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "open_logs")
    graph.add_conditional_edges("open_logs", route_empty)
    graph.add_edge("end_alone", END)
    for start, end in pairwise(("split_attempts", "locate", "classify")):
        graph.add_edge(start, end)
    graph.add_conditional_edges("classify", route_judge)
    graph.add_conditional_edges("judge", route_settle)
    for start, end in pairwise(("settle", "merge", "verify", "plan", "report", END)):
        graph.add_edge(start, end)


GRAPH = Graph(wire, DiagnoseState, DiagnoseInput, DiagnoseOutput, DiagnoseContext)


def build_diagnose_graph() -> Compiled:
    """Compile the graph with LangGraph; no server needs to be up."""
    return GRAPH.compile()


def run_diagnose(
    path: str,
    repo: Path | None = None,
    locator: Locator = "hybrid",
    engine: EngineChoice = "auto",
    exited: str | int = "",
    files: Sequence[str] = (),
    heard: Heard = unheard,
    votes: int = 0,
    explain: bool = False,
    one_job: bool = False,
    folder: tuple[str, LogFolder] | None = None,
) -> Diagnosis:
    """Walk the graph for one job.

    `exited` tells how the job ended (137, 0:9, TIMEOUT, ...), which is weighed beside its log. `files` are the job's
    logs, where the path is only what they are called together. `heard` is told of each node that has run. Of so many
    answers of a model as `votes` says the majority counts. `explain` adds how the first cause was found.
    `folder` is where the files were found, sorted into jobs; else a folder is sorted here, unless it is `one_job`.
    """
    with ExitStack() as opened:
        state: DiagnoseState = {
            "path": path, "repo": str(repo or ""), "exited": str(exited), "files": list(files), "one_job": one_job,
            "folder": folder, "opened": opened,
        }  # fmt: skip
        final = GRAPH.walk(state, DiagnoseContext(engine, locator, votes, explain), heard=heard)
        return (Explained if explain else Diagnosis).model_validate(final["diagnosis"])
