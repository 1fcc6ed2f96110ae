"""How a job is getting on: open its log, find the training loop, weigh the evidence, let a model write what is open."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypedDict

from schedmate.errors import InputError
from schedmate.graphs.plain import END, START, PlainGraph, Wiring
from schedmate.readers.progress.formats import Format
from schedmate.readers.progress.tracker import Tracker
from schedmate.readers.progress.whole import read_log
from schedmate.schemas import Metrics
from schedmate.tools.logfile import LogFile, open_log

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Means:
    """What a reading may use."""

    engine: str = "auto"
    formats: Sequence[Format] | None = None


class TrackState(TypedDict, total=False):
    """What the nodes hand on."""

    path: str
    """the log"""
    means: Means
    """what may be used: engine, formats"""
    files: ExitStack
    """closes the log when the walk is over"""
    started_s: float
    """when the walk began, by the monotonic clock"""
    log: LogFile
    """the opened log"""
    tracker: Tracker
    """what was read of it"""
    metrics: Metrics
    """the answer as it grows"""


def open_job_log(state: TrackState) -> TrackState:
    """Open the log, packed or not."""
    started_s = time.perf_counter()
    return {"log": state["files"].enter_context(open_log(state["path"])), "started_s": started_s}


def read(state: TrackState) -> TrackState:
    """Read what there is to know: a small log whole, a large one from its end."""
    return {"tracker": read_log(state["log"], state["means"].formats)}


def weigh(state: TrackState) -> TrackState:
    """Find the training loop and weigh the evidence for its step time."""
    return {"metrics": state["tracker"].metrics()}


def report(state: TrackState) -> TrackState:
    """Add which log it was and how long the reading took."""
    elapsed_s = time.perf_counter() - state["started_s"]
    return {"metrics": state["metrics"].model_copy(update={"log": state["path"], "elapsed_s": elapsed_s})}


def wire(graph: Wiring) -> None:
    """Put the nodes in order."""
    graph.add_node("open", open_job_log)
    for node in (read, weigh, report):
        graph.add_node(node.__name__, node)
    for start, end in pairwise((START, "open", "read", "weigh", "report", END)):
        graph.add_edge(start, end)


def build_track_graph() -> Any:
    """Compile the graph with LangGraph; no server needs to be up."""
    from langgraph.graph import StateGraph

    graph: Any = StateGraph(TrackState)
    wire(graph)
    return graph.compile()


def run_track(path: str, engine: str = "auto", formats: Sequence[Format] | None = None) -> Metrics:
    """Walk the graph for one log; what no model reads yet is refused rather than answered by another engine."""
    if engine in {"model", "paper"}:
        raise InputError(f"--engine {engine} does not read logs yet", "use --engine built-in")
    with ExitStack() as files:
        state: TrackState = {"path": path, "files": files, "means": Means(engine, formats)}
        graph = PlainGraph()
        wire(graph)
        metrics: Metrics = graph.invoke(state)["metrics"]
        return metrics
