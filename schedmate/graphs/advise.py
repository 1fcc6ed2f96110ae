"""What to expect of a job: run before? else like which jobs? else what do the user's others tell? No model on the way.

A job that has run before is known by its command, in a millisecond and without a look at its code. Any other is read
(`extract`), and its likes are looked up in the history. Where nothing is similar, an estimator answers, and says so.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, Annotated, Literal

from typing_extensions import TypedDict

from schedmate.errors import InputError
from schedmate.graphs import extract as extracting
from schedmate.graphs.extract_state import ExtractContext, JobStart
from schedmate.graphs.plain import END, START, Node, Wiring
from schedmate.graphs.state import OPENED, Fields, Shaped, as_json
from schedmate.graphs.walk import Graph, Subgraph
from schedmate.history.admission import find_resubmissions
from schedmate.history.expectation import (
    Evidenced,
    estimate_from,
    knows_end,
    resubmissions,
    similar_job,
    similar_jobs,
    told_by_ends,
)
from schedmate.history.read_only import look_into, only_looked_at
from schedmate.history.rows import writable
from schedmate.history.warnings import warn
from schedmate.schemas import Estimate, Extraction, Job, Workload
from schedmate.settings import get_settings
from schedmate.tools.accounts import my_account
from schedmate.tools.git_branch import git_branch
from schedmate.tools.plain_text import encodable

if TYPE_CHECKING:
    from schedmate.history.similarity.names import NameCloseness

Fallback = Callable[[Connection, Job, Workload | None], Estimate]
"""Estimates a job from who asks for what, where nothing like it has ended."""


@dataclass(frozen=True)
class AdviseContext(ExtractContext):
    """How to read source code, where that is needed."""


@dataclass(frozen=True)
class HistoryContext:
    """Which history is asked, and how much must be alike; the embedder is opened when it is first needed."""

    data_dir: Path
    threshold: float
    top: int
    vectors: str = "auto"

    @cached_property
    def names(self) -> "NameCloseness":
        """Open the embedder that the settings name."""
        from schedmate.history.similarity.names import NameCloseness
        from schedmate.models.embeddings import open_embedder

        return NameCloseness(open_embedder(get_settings()))


def past_of_settings() -> HistoryContext:
    """Take the history that the settings name."""
    settings = get_settings()
    return HistoryContext(settings.data_dir, settings.similarity_threshold, settings.similar_jobs, settings.vectors)


class JobRequest(JobStart, total=False):
    """What may be told of a job and of who submits it."""

    user: str
    """who submits it; without it the account that asks"""
    gpus: float
    """how many GPUs it asks for"""
    name: str
    """the job's name"""
    vc: str
    """its virtual cluster"""


class AdviseInput(JobRequest):
    """What `advise` is asked about."""

    repo: str
    """the folder that holds the source code"""


class AdviseOutput(TypedDict):
    """What `advise` answers."""

    estimate: Annotated[Fields, Shaped(Estimate)]
    """what to expect of the job"""


class AdviseState(JobRequest, total=False):
    """What the nodes hand on."""

    repo: str
    """the folder that holds the source code"""
    request: Annotated[Job, OPENED]
    """the same as a job, where the caller has one; what ended after its submission is not known"""
    past: Annotated[HistoryContext, OPENED]
    """which history is asked"""
    files: Annotated[ExitStack, OPENED]
    """closes the history when the walk is over"""
    connection: Annotated[Connection, OPENED]
    """the history"""
    started_s: Annotated[float, OPENED]
    """when the walk began, by the monotonic clock"""
    job: Annotated[Job, OPENED]
    """the job as the scheduler will see it"""
    evidence: Annotated[Sequence[Evidenced], OPENED]
    """past jobs that the estimate rests on"""
    source: Annotated[Literal["resubmission", "similar", "fallback"], OPENED]
    """what kind of jobs these are"""
    extraction: Fields
    """what the source code says"""
    workload: Annotated[Workload | None, OPENED]
    """the same, as it is compared; none where the code need not be read"""
    found: Annotated[Estimate, OPENED]
    """the answer as it grows"""
    notes: Annotated[tuple[str, ...], OPENED]
    """what the user should know of the answer"""
    estimate: Fields
    """the answer"""


def identify(state: AdviseState) -> AdviseState:
    """Put together what tells whether the job has run before: user, directory, command, branch."""
    started_s, files, past = time.perf_counter(), state.get("files") or ExitStack(), state.get("past")
    root = Path(state["repo"])
    folder = (root / (state.get("workdir") or ".")).resolve()
    if not root.is_dir() or not folder.is_dir():
        missing = folder if root.is_dir() else root
        raise InputError(f"{missing} is no folder", "name the folder that holds the job's source code")
    past = past or past_of_settings()
    connection = files.enter_context(closing(look_into(past.data_dir)))
    request = state.get("request") or request_of(state)
    known = {"command": encodable(state.get("command", "")), "workdir": folder, "git_branch": git_branch(folder)}
    said = only_looked_at(connection, past.data_dir)
    return {
        "past": past,
        "files": files,
        "connection": connection,
        "started_s": started_s,
        "job": writable(request.model_copy(update=known)),
        "workload": None,
        "notes": (said,) if said else (),
    }


def request_of(state: AdviseState) -> Job:
    """Put together what is asked for now."""
    told = {name: state[name] for name in ("gpus", "name", "vc") if name in state}
    return Job(job_id="", submit_s=time.time(), user=state.get("user") or my_account(), **told)


def admit(state: AdviseState) -> AdviseState:
    """Look for ended runs of the same thing."""
    runs = find_resubmissions(state["connection"], state["job"], now_s=state["job"].submit_s)
    timed = [past for past in runs if past.duration_s is not None]
    evidence = told_by_ends(resubmissions(timed))
    if any(map(knows_end, evidence)):
        return {"evidence": evidence, "source": "resubmission"}
    said = ("it ran before and was cancelled each time: how long it takes is not known",) if timed else ()
    return {"evidence": (), "source": "fallback", "notes": (*state["notes"], *said)}


def route_extract(state: AdviseState) -> Literal["extract", "weigh"]:
    """Read the source code only of what has not run before."""
    return "weigh" if state["evidence"] else "extract"


def understand(state: AdviseState) -> AdviseState:
    """Add to the job what its code says."""
    extraction, job = Extraction.model_validate(state["extraction"]), state["job"]
    updates: Fields = {} if job.command else {"command": extraction.command}
    if not job.gpus and extraction.workload.num_gpus:
        updates["gpus"] = extraction.workload.num_gpus
    notes = (*state["notes"], *extraction.notes)
    return {"workload": extraction.workload, "job": job.model_copy(update=updates), "notes": notes}


def retrieve(state: AdviseState) -> AdviseState:
    """Find similar jobs that have ended."""
    from schedmate.history.similarity.stored import find_similar

    past, workload, notes = state["past"], state["workload"], list[str]()
    assert workload is not None
    found = find_similar(
        state["connection"],
        past.data_dir,
        workload,
        past.names,
        threshold=past.threshold,
        top=past.top,
        now_s=state["job"].submit_s,
        note=notes.append,
        where=past.vectors,
    )
    evidence = told_by_ends(similar_jobs(workload, found))
    source: Literal["similar", "fallback"] = "similar" if evidence else "fallback"
    return {"evidence": evidence, "source": source, "notes": (*state["notes"], *notes)}


def route_weigh(state: AdviseState) -> Literal["weigh", "fall_back"]:
    """Fall back where nothing is similar enough, or nothing similar tells a duration."""
    return "weigh" if any(map(knows_end, state["evidence"])) else "fall_back"


def weigh(state: AdviseState) -> AdviseState:
    """Estimate from the jobs that were found."""
    return {"found": estimate_from(state["evidence"], state["source"])}


def falling_back(fallback: Fallback) -> Node:
    """Make the node that lets an estimator answer from who asks for what, and says that nothing similar is known."""

    def fall_back(state: AdviseState) -> AdviseState:
        estimate = fallback(state["connection"], state["job"], state["workload"])
        return {"found": estimate.model_copy(update={"source": "fallback"})}

    return fall_back


def report(state: AdviseState) -> AdviseState:
    """Add the similar jobs and what they went through, and how long the answer took."""
    estimate, found, workload = state["found"], state["evidence"], state["workload"]
    told: Fields = {
        "similar": tuple(similar_job(one, workload) for one in found),
        "warnings": warn(found, workload, estimate, state["job"].gpus),
        "notes": tuple(dict.fromkeys((*state["notes"], *estimate.notes))),
        "workload": workload,
        "elapsed_s": round(time.perf_counter() - state["started_s"], 4),
    }
    state["files"].close()
    return {"estimate": as_json(estimate.model_copy(update=told))}


def wire(graph: Wiring, fallback: Fallback) -> None:
    """Put the nodes in order; who has run before skips the reading, which is the graph `extract` as a part of this."""
    for node in (identify, admit, Subgraph("extract", extracting.GRAPH), understand, retrieve, weigh):
        graph.add_node(node.__name__, node)
    graph.add_node("fall_back", falling_back(fallback))
    graph.add_node("report", report)
    for start, end in pairwise((START, "identify", "admit")):
        graph.add_edge(start, end)
    graph.add_conditional_edges("admit", route_extract)
    for start, end in pairwise(("extract", "understand", "retrieve")):
        graph.add_edge(start, end)
    graph.add_conditional_edges("retrieve", route_weigh)
    for start, end in (("weigh", "report"), ("fall_back", "report"), ("report", END)):
        graph.add_edge(start, end)


def graph_with(fallback: Fallback) -> Graph:
    """Give the graph with what answers where nothing is similar."""
    return Graph(partial(wire, fallback=fallback), AdviseState, AdviseInput, AdviseOutput, AdviseContext)
