"""Why a job died: open its logs, find the first cause, class it, check every quote, plan what to do."""

import itertools
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypedDict

from schedmate.graphs.plain import END, START, PlainGraph, Wiring
from schedmate.readers.failures import classes
from schedmate.readers.failures import plan as planning
from schedmate.readers.failures.locator_hybrid import Verdict
from schedmate.readers.failures.locator_hybrid import locate as locate_hybrid
from schedmate.readers.failures.reading import Reading, read_log
from schedmate.readers.failures.sources import find_logs
from schedmate.schemas import Diagnosis
from schedmate.tools.logfile import LogFile, open_log


class DiagnoseState(TypedDict, total=False):
    """What the nodes hand on."""

    path: str
    """the log, or the directory of a job's logs"""
    files: ExitStack
    """closes the logs when the walk is over"""
    started_s: float
    """when the walk began, by the monotonic clock"""
    logs: list[LogFile]
    """the opened logs, one a rank where a job has many"""
    readings: list[Reading]
    """each log read: attempts, last progress, what is worth weighing"""
    verdict: Verdict
    """the first cause among everything weighed"""
    diagnosis: Diagnosis
    """the answer as it grows"""


def open_logs(state: DiagnoseState) -> DiagnoseState:
    """Open every log that the path stands for."""
    logs = [state["files"].enter_context(open_log(path)) for path in find_logs(state["path"])]
    return {"logs": logs, "started_s": time.perf_counter()}


def split_attempts(state: DiagnoseState) -> DiagnoseState:
    """Read each log and cut it into runs; the last one counts."""
    return {"readings": [read_log(log, source) for source, log in enumerate(state["logs"])]}


def locate(state: DiagnoseState) -> DiagnoseState:
    """Choose the first cause."""
    return {"verdict": locate_hybrid(state["readings"])}


def classify(state: DiagnoseState) -> DiagnoseState:
    """Name its class, the faulty part and whether a restart helps."""
    return {"diagnosis": classes.classify(state["verdict"], state["readings"])}


def plan(state: DiagnoseState) -> DiagnoseState:
    """List the recovery steps."""
    diagnosis = state["diagnosis"]
    return {"diagnosis": diagnosis.model_copy(update={"actions": planning.plan(diagnosis)})}


def report(state: DiagnoseState) -> DiagnoseState:
    """Add what was read and how long it took."""
    lines = sum(log.line_count for log in state["logs"])
    size = sum(log.size for log in state["logs"])
    read = sum(reading.findings.read_bytes for reading in state["readings"])
    update = {
        "log": state["path"],
        "line_count": lines,
        "read_fraction": min(1.0, read / size) if size else 0.0,
        "elapsed_s": time.perf_counter() - state["started_s"],
    }
    return {"diagnosis": state["diagnosis"].model_copy(update=update)}


def wire(graph: Wiring) -> None:
    """Put the nodes in order."""
    graph.add_node("open", open_logs)
    graph.add_node("split_attempts", split_attempts)
    graph.add_node("locate", locate)
    graph.add_node("classify", classify)
    graph.add_node("plan", plan)
    graph.add_node("report", report)
    names = [START, "open", "split_attempts", "locate", "classify", "plan", "report", END]
    for start, end in itertools.pairwise(names):
        graph.add_edge(start, end)


def build_diagnose_graph() -> Any:
    """Compile the graph with LangGraph; no server needs to be up."""
    from langgraph.graph import StateGraph

    graph: Any = StateGraph(DiagnoseState)
    wire(graph)
    return graph.compile()


def run_diagnose(path: str, repo: Path | None = None, locator: str = "hybrid", engine: str = "auto") -> Diagnosis:
    """Walk the graph for one job."""
    graph = PlainGraph()
    wire(graph)
    with ExitStack() as files:
        final = graph.invoke({"path": path, "files": files})
        diagnosis: Diagnosis = final["diagnosis"]
        return diagnosis
