"""Why a job died: open its logs, find the first cause, class it, check every quote, plan what to do."""

import time
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from pydantic import BaseModel

from schedmate.errors import ModelFailed
from schedmate.graphs.plain import END, START, PlainGraph, Wiring
from schedmate.places import anything_is_set
from schedmate.readers.failures import classes
from schedmate.readers.failures import plan as planning
from schedmate.readers.failures.exits import End, read_end, with_end
from schedmate.readers.failures.locator_hybrid import Verdict
from schedmate.readers.failures.locator_hybrid import locate as locate_hybrid
from schedmate.readers.failures.reading import Reading, read_log
from schedmate.readers.failures.sources import find_logs, is_empty
from schedmate.readers.failures.surroundings import systems_around
from schedmate.readers.failures.suspects import UNKNOWN_ID
from schedmate.readers.failures.verify import drop_unfounded
from schedmate.readers.failures.window import WindowLine
from schedmate.schemas import Diagnosis
from schedmate.tools.logfile import LogFile, open_log

if TYPE_CHECKING:
    from schedmate.models.embeddings import Embedder
    from schedmate.models.llm import LanguageModel

OPEN_BELOW = 0.6
"""A model is asked when the built-in is less sure than this."""


@dataclass(frozen=True)
class Means:
    """What a diagnosis may use; models and embedders are opened when they are first needed."""

    repo: Path | None = None
    locator: str = "hybrid"
    engine: str = "auto"
    end: End | None = None
    """how the job ended, where the caller knows that"""

    @cached_property
    def model(self) -> "LanguageModel | None":
        """Open the model that the settings name, unless the caller wants none."""
        if self.engine == "built-in" or (self.engine == "auto" and not anything_is_set()):
            return None
        from schedmate.models.llm import model_for

        return model_for(self.engine)

    @cached_property
    def embedder(self) -> "Embedder":
        """Open the embedder that the settings name."""
        from schedmate.models.embeddings import open_embedder
        from schedmate.settings import get_settings

        return open_embedder(get_settings())


class DiagnoseState(TypedDict, total=False):
    """What the nodes hand on."""

    path: str
    """the log, or the directory of a job's logs"""
    means: Means
    """what may be used: repository, locator, engine"""
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
    window: tuple[WindowLine, ...]
    """the lines around the first cause; empty where no model will read them"""
    judgement: BaseModel | None
    """what the model said, not yet checked"""
    diagnosis: Diagnosis
    """the answer as it grows"""


def open_logs(state: DiagnoseState) -> DiagnoseState:
    """Open every log that the path stands for."""
    started_s = time.perf_counter()
    logs = [state["files"].enter_context(open_log(path)) for path in find_logs(state["path"])]
    return {"logs": logs, "started_s": started_s}


def split_attempts(state: DiagnoseState) -> DiagnoseState:
    """Read each log and cut it into runs; the last one counts."""
    many = len(state["logs"]) > 1
    return {"readings": [read_log(log, source, many) for source, log in enumerate(state["logs"])]}


def locate(state: DiagnoseState) -> DiagnoseState:
    """Choose the first cause."""
    if state["means"].locator == "paper":
        from schedmate.readers.failures.paper_verdict import locate_as_paper

        return {"verdict": locate_as_paper(state["readings"], state["means"].embedder)}
    return {"verdict": locate_hybrid(state["readings"])}


def window(state: DiagnoseState) -> DiagnoseState:
    """Take the lines around the first cause for a model to read."""
    if state["means"].model is None:
        return {"window": ()}
    from schedmate.readers.failures.window import window_around

    root = state["verdict"].root
    log = state["logs"][root.source if root else 0]
    return {"window": window_around(log, root.start if root else log.size)}


def classify(state: DiagnoseState) -> DiagnoseState:
    """Name its class, the faulty part and whether a restart helps."""
    found = classes.classify(state["verdict"], state["readings"])
    root = state["verdict"].root
    if root and root.failure and root.failure.id == UNKNOWN_ID:
        from schedmate.readers.failures.memory import recall
        from schedmate.readers.failures.neighbours import resembling
        from schedmate.settings import get_settings

        text, embedder = root.line.text, state["means"].embedder
        found = recall(found, text, embedder, get_settings().data_dir) or resembling(found, text, embedder)
    if state["means"].repo and root and root.raised:
        from schedmate.readers.failures.user_code import add_user_code

        found = add_user_code(found, state["means"].repo, root.raised)
    end = state["means"].end
    return {"diagnosis": with_end(found, end) if end else found}


def route_judge(state: DiagnoseState) -> Literal["judge", "verify"]:
    """Ask a model only where one is at hand and something is open, or where the user wants it."""
    means, found = state["means"], state["diagnosis"]
    if means.engine == "model" or (means.model and found.confidence < OPEN_BELOW):
        return "judge"
    return "verify"


async def judge(state: DiagnoseState) -> DiagnoseState:
    """Let the model read the window and the built-in's findings."""
    from schedmate.agents import failure_judge

    model, found = state["means"].model, state["diagnosis"]
    assert model
    try:
        return {"judgement": await failure_judge.judge(model, state["window"], found)}
    except ModelFailed as error:
        note = f"the built-in answer stands: the model failed ({error.message})"
        return {"judgement": None, "diagnosis": found.model_copy(update={"notes": (*found.notes, note)})}


def verify(state: DiagnoseState) -> DiagnoseState:
    """Drop every claim whose quote does not stand in the log."""
    found, judgement = state["diagnosis"], state.get("judgement")
    if judgement is not None:
        from schedmate.agents.failure_judge import Judgement, merged, verified

        root = state["verdict"].root
        path = state["logs"][root.source if root else 0].name
        assert isinstance(judgement, Judgement)
        checked = verified(judgement, state["window"])
        found = merged(found, checked, state["window"], path, state["means"].engine == "model")
    return {"diagnosis": drop_unfounded(found, {log.name: log for log in state["logs"]})}


def plan(state: DiagnoseState) -> DiagnoseState:
    """List the recovery steps, with the commands of what ran the job: the log shows it, or else the environment."""
    diagnosis = state["diagnosis"]
    placed = diagnosis.model_copy(update={"systems": diagnosis.systems or systems_around()})
    return {"diagnosis": diagnosis.model_copy(update={"actions": planning.plan(placed)})}


def report(state: DiagnoseState) -> DiagnoseState:
    """Add what was read and how long it took."""
    size = sum(log.size for log in state["logs"])
    read = sum(reading.findings.read_bytes for reading in state["readings"])
    update = {
        "log": state["path"],
        "line_count": sum(log.line_count for log in state["logs"]),
        "read_fraction": min(1.0, read / size) if size else 0.0,
        "elapsed_s": time.perf_counter() - state["started_s"],
    }
    return {"diagnosis": state["diagnosis"].model_copy(update=update)}


def wire(graph: Wiring) -> None:
    """Put the nodes in order; the model's is the only one that may be left out."""
    graph.add_node("open", open_logs)
    for node in (split_attempts, locate, window, classify, judge, verify, plan, report):
        graph.add_node(node.__name__, node)
    for start, end in pairwise((START, "open", "split_attempts", "locate", "window", "classify")):
        graph.add_edge(start, end)
    graph.add_conditional_edges("classify", route_judge)
    for start, end in pairwise(("judge", "verify", "plan", "report", END)):
        graph.add_edge(start, end)


def build_diagnose_graph() -> Any:
    """Compile the graph with LangGraph; no server needs to be up."""
    from langgraph.graph import StateGraph

    graph: Any = StateGraph(DiagnoseState)
    wire(graph)
    return graph.compile()


def from_end_alone(path: str, end: End) -> Diagnosis:
    """Answer for a job that wrote nothing by the way in which it ended."""
    found = with_end(Diagnosis(log=path, category="none", notes=("the log is empty",)), end)
    return found.model_copy(update={"actions": planning.plan(found)})


def run_diagnose(
    path: str, repo: Path | None = None, locator: str = "hybrid", engine: str = "auto", exited: str | int = ""
) -> Diagnosis:
    """Walk the graph for one job: plainly, or with LangGraph where a model may take part.

    `exited` tells how the job ended (137, 0:9, TIMEOUT, ...), which is weighed beside its log.
    """
    end = read_end(exited) if exited != "" else None
    if end and is_empty(path):
        return from_end_alone(path, end)
    means = Means(repo, locator, engine, end)
    with ExitStack() as files:
        state: DiagnoseState = {"path": path, "files": files, "means": means}
        if means.model is None:
            graph = PlainGraph()
            wire(graph)
            final = graph.invoke(state)
        else:
            import asyncio

            final = asyncio.run(build_diagnose_graph().ainvoke(state))
        diagnosis: Diagnosis = final["diagnosis"]
        return diagnosis
