"""A step that can do harm waits for a person: asked at `interrupt`, answered days later, maybe to another process."""

from typing import Literal

from typing_extensions import TypedDict

from schedmate.graphs.plain import END, START, Wiring
from schedmate.graphs.state import Compiled
from schedmate.graphs.walk import Graph

APPROVE = "approve"
"""The one answer that lets a step be done; any other is a no."""

Verdict = Literal["approved", "rejected"]


class Proposal(TypedDict, total=False):
    """What a person is asked, and what came of it; plain data, so that any version can read a checkpoint."""

    action: int
    """the step's number in the audit trail"""
    words: str
    """what would be done, as a person reads it"""
    verdict: Verdict
    """what the answer means; absent while it is waited for"""


def ask(state: Proposal) -> Proposal:
    """Stop until somebody answers."""
    from langgraph.types import interrupt

    return {"verdict": verdict_of(interrupt({**state, "answers": [APPROVE, "reject"]}))}


def verdict_of(answer: object) -> Verdict:
    """Take one word for a yes and everything else for a no."""
    return "approved" if answer == APPROVE else "rejected"


def wire(graph: Wiring) -> None:
    """Ask, and that is all: what is done afterwards is whoever's loop it is."""
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)


GRAPH = Graph(wire, Proposal, Proposal, Proposal)
"""To ask anybody it is compiled with a checkpointer, as every graph that is interrupted; a server brings its own."""


def build_approval_graph() -> Compiled:
    """Compile the graph with LangGraph; no server needs to be up."""
    return GRAPH.compile()
