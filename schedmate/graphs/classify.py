"""What kinds of lines a log holds: mask them to statements, score each, let a model decide the close ones, check it."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from schedmate.agents import line_labeller
from schedmate.agents.line_labeller import Label, is_founded
from schedmate.errors import ModelFailed
from schedmate.graphs.plain import END, START, PlainGraph, Wiring
from schedmate.readers.line_classes import CLASSES, LineClassifier, Verdict
from schedmate.readers.statements import Statements, gather_statements
from schedmate.schemas import Classification, Engine, LineClass, Statement
from schedmate.tools.logfile import LogFile, open_log

if TYPE_CHECKING:
    from schedmate.models.embeddings import Embedder
    from schedmate.models.llm import LanguageModel

UNDECIDED_BELOW = 0.05
"""A model is asked about a statement whose best class leads the next by less."""

MOST_ASKED = 64
"""The most frequent open statements are asked about; the built-in answer stands for the others."""


@dataclass(frozen=True)
class Means:
    """What a classification may use; models and embedders are opened when they are first needed."""

    engine: str = "auto"
    advance: Callable[[int, int], None] = lambda done, total: None

    @cached_property
    def embedder(self) -> "Embedder":
        """Open the embedder that the settings name."""
        from schedmate.models.embeddings import open_embedder
        from schedmate.settings import get_settings

        return open_embedder(get_settings())

    @cached_property
    def model(self) -> "LanguageModel | None":
        """Open the model that the settings name, unless the caller wants none."""
        if self.engine == "built-in":
            return None
        from schedmate.models.llm import model_for

        return model_for(self.engine)


class ClassifyState(TypedDict, total=False):
    """What the nodes hand on."""

    log: LogFile
    """the opened log"""
    means: Means
    """what may be used: engine, embedder, model"""
    started_s: float
    """when the walk began, by the monotonic clock"""
    statements: Statements
    """the different statements of the log, masked and counted"""
    verdicts: list[Verdict]
    """the built-in's class of each statement, in the same order"""
    labels: dict[int, Label]
    """what the model said, by the place of the statement that it was asked about; not yet checked"""
    decided: dict[int, LineClass]
    """those of the model's classes that the statement's own words bear out"""
    notes: tuple[str, ...]
    """what the user should know of how the answer came about"""
    classification: Classification
    """the answer"""


def mask(state: ClassifyState) -> ClassifyState:
    """Reduce the log to its different statements."""
    started_s = time.perf_counter()
    return {"statements": gather_statements(state["log"], state["means"].advance), "started_s": started_s}


def score(state: ClassifyState) -> ClassifyState:
    """Compare each statement with the classes' descriptions."""
    templates = [found.template for found in state["statements"].found]
    return {"verdicts": LineClassifier(state["means"].embedder).classify_templates(templates)}


def route_label(state: ClassifyState) -> Literal["label", "report"]:
    """Ask a model only where there is one and a statement is open."""
    return "label" if state["means"].model and undecided(state) else "report"


def undecided(state: ClassifyState) -> list[int]:
    """Give the places of the open statements, most frequent first; a user who wants the model opens all."""
    found, wanted = state["statements"].found, state["means"].engine == "model"
    places = [place for place, it in enumerate(state["verdicts"]) if wanted or it.margin < UNDECIDED_BELOW]
    return sorted(places, key=lambda place: -found[place].count)[:MOST_ASKED]


async def label(state: ClassifyState) -> ClassifyState:
    """Ask the model about each open statement alone; what it said before it failed counts."""
    model, labels, notes = state["means"].model, dict[int, Label](), state.get("notes", ())
    assert model

    async def ask(place: int) -> None:
        labels[place] = await line_labeller.label(model, state["statements"].found[place].quote)

    try:
        async with asyncio.TaskGroup() as group:
            for place in undecided(state):
                group.create_task(ask(place))
    except* ModelFailed as failures:
        notes += (f"the model failed, the built-in answer stands: {failures.exceptions[0]}",)
    return {"labels": labels, "notes": notes}


def verify(state: ClassifyState) -> ClassifyState:
    """Keep a class only where the words that it rests on stand in the statement."""
    found = state["statements"].found
    decided = {place: said.label for place, said in state["labels"].items() if is_founded(said, found[place].quote)}
    dropped = len(state["labels"]) - len(decided)
    note = (f"{dropped} answers of the model were dropped: the words they rest on are not in the line",)
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
    if gathered.crowded_out:
        notes += (f"{gathered.crowded_out} lines came after {len(statements)} different ones and were not classified",)
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
    return {"classification": answer}


def wire(graph: Wiring) -> None:
    """Put the nodes in order; the model's two may be left out."""
    for node in (mask, score, label, verify, report):
        graph.add_node(node.__name__, node)
    for start, end in pairwise((START, "mask", "score")):
        graph.add_edge(start, end)
    graph.add_conditional_edges("score", route_label)
    for start, end in pairwise(("label", "verify", "report", END)):
        graph.add_edge(start, end)


def build_classify_graph() -> Any:
    """Compile the graph with LangGraph; no server needs to be up."""
    from langgraph.graph import StateGraph

    graph: Any = StateGraph(ClassifyState)
    wire(graph)
    return graph.compile()


def run_classify(
    path: str, engine: str = "auto", advance: Callable[[int, int], None] = lambda done, total: None
) -> Classification:
    """Walk the graph for one log: plainly, or with LangGraph where a model may take part."""
    means = Means(engine, advance)
    with open_log(path) as log:
        state: ClassifyState = {"log": log, "means": means}
        if means.model is None:
            graph = PlainGraph()
            wire(graph)
            final = graph.invoke(state)
        else:
            final = asyncio.run(build_classify_graph().ainvoke(state))
        classification: Classification = final["classification"]
        return classification
