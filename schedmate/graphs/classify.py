"""What kinds of lines a log holds: mask them to statements, score each, let a model decide the close ones, check it."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal

from typing_extensions import TypedDict

from schedmate.agents import line_labeller
from schedmate.agents.line_labeller import Label, is_founded
from schedmate.choices import EngineChoice
from schedmate.counts import how_many
from schedmate.errors import ModelFailed
from schedmate.graphs.plain import END, START, Wiring
from schedmate.graphs.state import (
    OPENED,
    Compiled,
    Fields,
    ReadingContext,
    Runtime,
    Shaped,
    as_json,
    context_of,
)
from schedmate.graphs.walk import Graph
from schedmate.readers.line_classes import CLASSES, OF_A_STACK, ClassVerdict, LineClassifier
from schedmate.readers.statements import Statements, gather_statements
from schedmate.schemas import Classification, Engine, LineClass, Statement
from schedmate.tools.logfile import LogFile, open_log

UNDECIDED_BELOW = 0.05
"""A model is asked about a statement whose best class leads the next by less."""

MOST_ASKED = 64
"""The most frequent open statements are asked about; the built-in answer is kept for the others."""


@dataclass(frozen=True)
class ClassifyContext(ReadingContext):
    """How to classify."""

    engine: EngineChoice = "auto"
    """auto, built-in or model"""


class ClassifyInput(TypedDict):
    """What `classify` is asked about."""

    path: str
    """the log"""


class ClassifyOutput(TypedDict):
    """What `classify` answers."""

    classification: Annotated[Fields, Shaped(Classification)]
    """the log's lines by class, and its statements"""


class ClassifyState(TypedDict, total=False):
    """What the nodes hand on."""

    path: str
    """the log"""
    context: Annotated[ClassifyContext, OPENED]
    """how to classify"""
    files: Annotated[ExitStack, OPENED]
    """closes the log when the walk is over"""
    log: Annotated[LogFile, OPENED]
    """the opened log"""
    advance: Annotated[Callable[[int, int], None], OPENED]
    """hears of bytes read and bytes to read"""
    started_s: Annotated[float, OPENED]
    """when the walk began, by the monotonic clock"""
    statements: Annotated[Statements, OPENED]
    """the different statements of the log, masked and counted"""
    verdicts: Annotated[list[ClassVerdict], OPENED]
    """the built-in's class of each statement, in the same order"""
    labels: Annotated[dict[int, Label], OPENED]
    """what the model said, by the place of the statement that it was asked about; not yet checked"""
    decided: Annotated[dict[int, LineClass], OPENED]
    """those of the model's classes that the statement's own words bear out"""
    notes: Annotated[tuple[str, ...], OPENED]
    """what the user should know of how the answer came about"""
    classification: Fields
    """the answer"""


def open_job_log(state: ClassifyState, runtime: Runtime[ClassifyContext]) -> ClassifyState:
    """Open the log, packed or not."""
    started_s, context, files = time.perf_counter(), context_of(runtime, ClassifyContext), state.get("files")
    files = files or ExitStack()
    log = files.enter_context(open_log(state["path"]))
    return {"context": context, "files": files, "log": log, "started_s": started_s}


def mask(state: ClassifyState) -> ClassifyState:
    """Reduce the log to its different statements."""
    return {"statements": gather_statements(state["log"], state.get("advance", lambda done, total: None))}


def score(state: ClassifyState) -> ClassifyState:
    """Compare each statement with the classes' descriptions; what stands in a stack is part of an error."""
    found = state["statements"].found
    verdicts = LineClassifier(state["context"].embedder).classify_templates([one.template for one in found])
    return {"verdicts": [OF_A_STACK if one.in_stack else it for one, it in zip(found, verdicts, strict=True)]}


def route_label(state: ClassifyState) -> Literal["label", "report"]:
    """Ask a model only where there is one and a statement is open."""
    return "label" if state["context"].model and undecided(state) else "report"


def undecided(state: ClassifyState) -> list[int]:
    """Give the places of the open statements, most frequent first; a user who wants the model opens all."""
    found, wanted = state["statements"].found, state["context"].wants_model
    open_to = [place for place, one in enumerate(found) if not one.in_stack]
    places = [place for place in open_to if wanted or state["verdicts"][place].margin < UNDECIDED_BELOW]
    return sorted(places, key=lambda place: -found[place].count)[:MOST_ASKED]


async def label(state: ClassifyState) -> ClassifyState:
    """Ask the model about each open statement alone; what it said before it failed counts."""
    model, labels, notes = state["context"].model, dict[int, Label](), state.get("notes", ())
    assert model

    async def ask(place: int) -> None:
        labels[place] = await line_labeller.label(model, state["statements"].found[place].quote)

    try:
        async with asyncio.TaskGroup() as group:
            for place in undecided(state):
                group.create_task(ask(place))
    except* ModelFailed as failures:
        notes += (f"the model failed, the built-in answer is kept: {failures.exceptions[0]}",)
    return {"labels": labels, "notes": notes}


def verify(state: ClassifyState) -> ClassifyState:
    """Keep a class only where the words that it rests on stand in the statement."""
    found = state["statements"].found
    decided = {place: said.label for place, said in state["labels"].items() if is_founded(said, found[place].quote)}
    dropped = len(state["labels"]) - len(decided)
    lost = how_many(dropped, "answer of the model was", "answers of the model were")
    note = (f"{lost} dropped: the words they rest on are not in the line",)
    return {"decided": decided, "notes": state.get("notes", ()) + (note if dropped else ())}


def report(state: ClassifyState) -> ClassifyState:
    """Count lines by class, and list the statements, most frequent first."""
    gathered, decided, notes = state["statements"], state.get("decided", {}), state.get("notes", ())
    statements = [
        Statement(
            template=found.template,
            label=decided.get(place, verdict.label),
            count=found.count,
            line=found.line,
            quote=found.quote,
            margin=round(verdict.margin, 4),
            engine="both" if place in decided else "built-in",
        )
        for place, (found, verdict) in enumerate(zip(gathered.found, state["verdicts"], strict=True))
    ]
    counts = Counter[LineClass]()
    for statement in statements:
        counts[statement.label] += statement.count
    notes += state["log"].remarks
    if gathered.crowded_out:
        known = how_many(len(statements), "different one")
        notes += (f"{how_many(gathered.crowded_out, 'line')} after {known} not classified",)
    engine: Engine = "both" if decided else "built-in"
    answer = Classification(
        log=state["log"].name,
        lines=gathered.lines,
        counts={name: counts[name] for name in CLASSES},
        unclassified=gathered.crowded_out,
        statements=tuple(sorted(statements, key=lambda statement: -statement.count)),
        notes=notes,
        engine=engine,
        elapsed_s=round(time.perf_counter() - state["started_s"], 3),
    )
    state["files"].close()
    return {"classification": as_json(answer)}


def wire(graph: Wiring) -> None:
    """Put the nodes in order; the model's two may be left out."""
    for node in (open_job_log, mask, score, label, verify, report):
        graph.add_node(node.__name__, node)
    for start, end in pairwise((START, "open_job_log", "mask", "score")):
        graph.add_edge(start, end)
    graph.add_conditional_edges("score", route_label)
    for start, end in pairwise(("label", "verify", "report", END)):
        graph.add_edge(start, end)


GRAPH = Graph(wire, ClassifyState, ClassifyInput, ClassifyOutput, ClassifyContext)


def build_classify_graph() -> Compiled:
    """Compile the graph with LangGraph; no server needs to be up."""
    return GRAPH.compile()


def run_classify(
    path: str, engine: EngineChoice = "auto", advance: Callable[[int, int], None] = lambda done, total: None
) -> Classification:
    """Walk the graph for one log."""
    with ExitStack() as files:
        state: ClassifyState = {"path": path, "files": files, "advance": advance}
        return Classification.model_validate(GRAPH.walk(state, ClassifyContext(engine))["classification"])
