"""Run a graph's wiring without LangGraph, whose import alone costs about a second.

A built-in answer on a terminal should not wait for a library that it does not need. `PlainGraph` takes the same
`add_node`, `add_edge` and `add_conditional_edges` calls as LangGraph's `StateGraph`, so each graph is wired once and
walked either way; a test holds both to the same answers.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol

from schedmate.graphs.state import Fields, Runtime

START = "__start__"
END = "__end__"

State = Mapping[str, Any]  # Any: what nodes hand on; a graph's own TypedDict tells each field's type
Node = Callable[..., Any]  # Any: each takes its own graph's state, and answers at once or later
Router = Callable[[Any], str]  # Any: each takes its own graph's state

Heard = Callable[[str], None]
"""Hears the name of each node that has run."""


def unheard(node: str) -> None:
    """Listen to nothing."""


class Wiring(Protocol):
    """The three calls that a graph's wiring may make."""

    def add_node(self, name: str, node: Node) -> object: ...
    def add_edge(self, start: str, end: str) -> object: ...
    def add_conditional_edges(self, start: str, router: Router) -> object: ...


class PlainGraph:
    """Walk from START, merging what each node returns into the state."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.edges: dict[str, str] = {}
        self.routers: dict[str, Router] = {}

    def add_node(self, name: str, node: Node) -> None:
        """Keep a node under its name."""
        self.nodes[name] = node

    def add_edge(self, start: str, end: str) -> None:
        """Keep the one way on from a node; branching is a router's work."""
        if start in self.edges or start in self.routers:
            raise ValueError(f"{start} has a way on already: a plain walk cannot fan out")
        self.edges[start] = end

    def add_conditional_edges(self, start: str, router: Router) -> None:
        """Keep the function that names the next node."""
        if start in self.edges or start in self.routers:
            raise ValueError(f"{start} has a way on already: a plain walk cannot fan out")
        self.routers[start] = router

    def walk(self, state: State, context: object = None, heard: Heard = unheard, start: str = "") -> tuple[Fields, str]:
        """Run the nodes in order up to END, or to the first that waits for a model; give the state and that node."""
        current = dict(state)
        name = start or self.following(START, current)
        while name != END and not inspect.iscoroutinefunction(self.nodes[name]):
            node = self.nodes[name]
            told = (current, Runtime(context)) if wants_runtime(node) else (current,)
            current.update(node(*told) or {})
            heard(name)
            name = self.following(name, current)
        return current, name

    def following(self, name: str, state: State) -> str:
        """Name the node after this one."""
        return self.routers[name](state) if name in self.routers else self.edges[name]


@lru_cache(maxsize=256)
def wants_runtime(node: Node) -> bool:
    """Tell whether a node asks for what it runs with; to look at a signature costs more than many a node."""
    return "runtime" in inspect.signature(node).parameters
