"""Run a graph's wiring without LangGraph, whose import alone costs about a second.

A built-in answer on a terminal should not wait for a library that it does not need. `PlainGraph` takes the same
`add_node`, `add_edge` and `add_conditional_edges` calls as LangGraph's `StateGraph`, so each graph is wired once and
compiled either way; a test holds both to the same answers.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

START = "__start__"
END = "__end__"

State = Mapping[str, Any]
Node = Callable[[Any], Any]
Router = Callable[[Any], str]


class Wiring(Protocol):
    """The three calls that a graph's wiring may make."""

    def add_node(self, name: str, node: Node) -> Any: ...
    def add_edge(self, start: str, end: str) -> Any: ...
    def add_conditional_edges(self, start: str, router: Router) -> Any: ...


class PlainGraph:
    """Walk from START to END, merging what each node returns into the state."""

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

    def invoke(self, state: State) -> dict[str, Any]:
        """Run the nodes in order and return the final state."""
        current = dict(state)
        name = self.following(START, current)
        while name != END:
            current.update(self.nodes[name](current) or {})
            name = self.following(name, current)
        return current

    def following(self, name: str, state: State) -> str:
        """Name the node after this one."""
        return self.routers[name](state) if name in self.routers else self.edges[name]
