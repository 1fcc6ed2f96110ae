"""What to expect of a job: run before? else like which jobs? else what do the user's others tell? No model on the way.

A job that has run before is known by its command, in a millisecond and without a look at its code. Any other is read
(`extract`), and its likes are looked up in the history. Where nothing is similar, an estimator answers, and says so.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from schedmate.errors import InputError
from schedmate.graphs.plain import END, START, PlainGraph, Wiring
from schedmate.history.admission import find_resubmissions
from schedmate.history.expectation import Evidenced, estimate_from, resubmissions, similar_jobs
from schedmate.history.looking import look_into, only_looked_at
from schedmate.history.rows import clean, writable
from schedmate.history.similarity.fields import name_of
from schedmate.history.warnings import warn
from schedmate.schemas import Estimate, Extraction, Job, SimilarJob, Workload
from schedmate.tools.git_branch import git_branch

if TYPE_CHECKING:
    from schedmate.history.similarity.names import NameCloseness

Fallback = Callable[[Connection, Job, Workload | None], Estimate]


def know_nothing(connection: Connection, job: Job, workload: Workload | None) -> Estimate:
    """Say that nothing is known."""
    return Estimate(notes=("nothing similar has ended yet",))


@dataclass(frozen=True)
class Means:
    """What an estimate may use; the embedder is opened when it is first needed."""

    data_dir: Path
    threshold: float
    top: int
    engine: str = "auto"
    fallback: Fallback = know_nothing
    vectors: str = "auto"

    @cached_property
    def names(self) -> "NameCloseness":
        """Open the embedder that the settings name."""
        from schedmate.history.similarity.names import NameCloseness
        from schedmate.models.embeddings import open_embedder
        from schedmate.settings import get_settings

        return NameCloseness(open_embedder(get_settings()))


class AdviseState(TypedDict, total=False):
    """What the nodes hand on."""

    root: Path
    """the folder that holds the source code"""
    command: str
    """what starts the job; empty: the likeliest script is taken"""
    workdir: str
    """where it is started, relative to the root"""
    request: Job
    """what the caller told of the job: user, GPUs, name, virtual cluster"""
    means: Means
    """what may be used"""
    connection: Connection
    """the history"""
    started_s: float
    """when the walk began, by the monotonic clock"""
    job: Job
    """the job as the scheduler will see it"""
    found: Sequence[Evidenced]
    """past jobs that the estimate rests on"""
    source: Literal["resubmission", "similar", "fallback"]
    """what kind of jobs these are"""
    extraction: Extraction
    """what the source code says"""
    estimate: Estimate
    """the answer as it grows"""
    notes: tuple[str, ...]
    """what the user should know of the answer"""


def identify(state: AdviseState) -> AdviseState:
    """Put together what tells whether the job has run before: user, directory, command, branch."""
    folder = (state["root"] / (state.get("workdir") or ".")).resolve()
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder", "name the folder that holds the job's source code")
    known = {"command": state.get("command", ""), "workdir": folder, "git_branch": git_branch(folder)}
    said = only_looked_at(state["connection"], state["means"].data_dir)
    return {"job": writable(state["request"].model_copy(update=known)), "notes": (said,) if said else ()}


def admit(state: AdviseState) -> AdviseState:
    """Look for ended runs of the same thing."""
    runs = find_resubmissions(state["connection"], state["job"], now_s=state["job"].submit_s)
    timed = [past for past in runs if past.duration_s is not None]
    return {"found": resubmissions(timed), "source": "resubmission" if timed else "fallback"}


def route_extract(state: AdviseState) -> Literal["extract", "weigh"]:
    """Read the source code only of what has not run before."""
    return "weigh" if state["found"] else "extract"


def extract(state: AdviseState) -> AdviseState:
    """Read what the job is, with a model where one is configured and something is open."""
    from schedmate.graphs.extract import run_extract

    extraction = run_extract(state["root"], state["command"], state.get("workdir") or ".", state["means"].engine)
    job = state["job"]
    updates: dict[str, Any] = {} if job.command else {"command": extraction.command}
    if not job.gpus and extraction.workload.num_gpus:
        updates["gpus"] = extraction.workload.num_gpus
    return {
        "extraction": extraction,
        "job": job.model_copy(update=updates),
        "notes": (*state["notes"], *extraction.notes),
    }


def retrieve(state: AdviseState) -> AdviseState:
    """Find similar jobs that have ended."""
    from schedmate.history.similarity.stored import find_similar

    means, notes = state["means"], list[str]()
    found = find_similar(
        state["connection"],
        means.data_dir,
        state["extraction"].workload,
        means.names,
        threshold=means.threshold,
        top=means.top,
        now_s=state["job"].submit_s,
        note=notes.append,
        where=means.vectors,
    )
    evidence = similar_jobs(state["extraction"].workload, found)
    source: Literal["similar", "fallback"] = "similar" if evidence else "fallback"
    return {"found": evidence, "source": source, "notes": (*state["notes"], *notes)}


def route_weigh(state: AdviseState) -> Literal["weigh", "fall_back"]:
    """Fall back where nothing is similar enough, or nothing similar has a duration."""
    return "weigh" if any(one.past.duration_s is not None for one in state["found"]) else "fall_back"


def weigh(state: AdviseState) -> AdviseState:
    """Estimate from the jobs that were found."""
    return {"estimate": estimate_from(state["found"], state["source"])}


def fall_back(state: AdviseState) -> AdviseState:
    """Let an estimator answer from who asks for what, and say that nothing similar is known."""
    workload = state["extraction"].workload
    estimate = state["means"].fallback(state["connection"], state["job"], workload)
    return {"estimate": estimate.model_copy(update={"source": "fallback"})}


def report(state: AdviseState) -> AdviseState:
    """Add the similar jobs and what they went through, and how long the answer took."""
    estimate, found = state["estimate"], state["found"]
    workload = state["extraction"].workload if "extraction" in state else None
    told: dict[str, Any] = {
        "similar": tuple(similar_job(one, workload) for one in found),
        "warnings": warn(found, workload, estimate, state["job"].gpus),
        "notes": tuple(dict.fromkeys((*state["notes"], *estimate.notes))),
        "workload": workload,
        "elapsed_s": round(time.perf_counter() - state["started_s"], 4),
    }
    return {"estimate": estimate.model_copy(update=told)}


def similar_job(one: Evidenced, workload: Workload | None) -> SimilarJob:
    """Tell a past job, and in which fields it is like the one asked about; a run of the same is like it in all."""
    past, likeness = one.past, one.likeness
    compared: dict[str, tuple[str, str]] = {}
    if likeness is not None and workload is not None and past.workload is not None:
        for name in (*likeness.agrees, *likeness.differs):
            compared[name] = name_of(workload, name), name_of(past.workload, name)
    return SimilarJob(
        job_id=past.job.job_id,
        similarity=1.0 if likeness is None else round(likeness.similarity, 4),
        duration_s=past.duration_s,
        status=past.job.status,
        agrees=("user", "workdir", "command", "git_branch") if likeness is None else likeness.agrees,
        differs=() if likeness is None else likeness.differs,
        compared=compared,
        gpu_util=past.hardware.gpu_util if past.hardware else None,
        gpu_memory_gib=past.hardware.gpu_memory_gib if past.hardware else None,
        user=past.job.user,
        source=past.source,
    )


def wire(graph: Wiring) -> None:
    """Put the nodes in order; who has run before skips the reading."""
    for node in (identify, admit, extract, retrieve, weigh, fall_back, report):
        graph.add_node(node.__name__, node)
    for start, end in pairwise((START, "identify", "admit")):
        graph.add_edge(start, end)
    graph.add_conditional_edges("admit", route_extract)
    graph.add_edge("extract", "retrieve")
    graph.add_conditional_edges("retrieve", route_weigh)
    for node_name in ("weigh", "fall_back"):
        graph.add_edge(node_name, "report")
    graph.add_edge("report", END)


def build_advise_graph() -> Any:
    """Compile the graph with LangGraph; no server needs to be up."""
    from langgraph.graph import StateGraph

    graph: Any = StateGraph(AdviseState)
    wire(graph)
    return graph.compile()


def run_advise(root: Path, command: str, workdir: str, request: Job, means: Means) -> Estimate:
    """Walk the graph for one job; a model, where one takes part, is asked within `extract`."""
    started_s = time.perf_counter()
    if not root.is_dir():
        raise InputError(f"{root} is no folder", "name the folder that holds the job's source code")
    with closing(look_into(means.data_dir)) as connection:
        graph = PlainGraph()
        wire(graph)
        final = graph.invoke(
            {
                "root": root,
                "command": clean(command),
                "workdir": workdir,
                "request": request,
                "means": means,
                "connection": connection,
                "started_s": started_s,
            }
        )
    estimate: Estimate = final["estimate"]
    return estimate
