"""Walk a graph: plainly as long as no model is asked, from there on with LangGraph; compile it for everybody else."""

import inspect
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_type_hints

from typing_extensions import TypedDict

from schedmate.graphs.plain import END, START, Heard, Node, PlainGraph, Router, State, Wiring, unheard
from schedmate.graphs.state import OPENED, SAID, Compiled, Fields, Runtime, closed_on_failure


@dataclass(frozen=True)
class Graph:
    """A graph as it is written down: how it is wired, what it is given, what it answers."""

    wire: Callable[[Wiring], None]
    state: type
    given: type
    answer: type
    context: type | None = None

    def compile(self, checkpointer: object = None) -> Compiled:
        """Compile with LangGraph; no server needs to be up."""
        return self.compiled(self.given, checkpointer=checkpointer)

    def walk(
        self, state: State, context: object = None, most_turns: int = 100, heard: Heard = unheard, start: str = ""
    ) -> Fields:
        """Walk for one answer, from a later node if one is named, and import LangGraph only when a model is asked."""
        current, name = self.begin(state, context, heard, start)
        return current if name == END else self.finish(current, name, context, most_turns, heard)

    def begin(
        self, state: State, context: object = None, heard: Heard = unheard, start: str = ""
    ) -> tuple[Fields, str]:
        """Walk plainly to the end, or to the first node that asks a model; give the state and that node."""
        plain = PlainGraph()
        self.wire(plain)
        return plain.walk(state, context, heard, start)

    def finish(
        self, state: Fields, node: str, context: object = None, most_turns: int = 100, heard: Heard = unheard
    ) -> Fields:
        """Walk on from a node with LangGraph."""
        rest = self.compiled(self.state, start=node)
        return waited_for(lambda: streamed(rest, state, context, most_turns, heard))

    def compiled(self, given: type, start: str = "", checkpointer: object = None) -> Compiled:
        """Wire LangGraph's own graph, to begin at any of its nodes."""
        from langgraph.graph import StateGraph

        state = with_channels(self.state)
        given = state if given is self.state else given
        graph: Any = StateGraph(state, input_schema=given, output_schema=self.answer, context_schema=self.context)
        self.wire(Compiling(graph, start))
        return graph.compile(checkpointer=checkpointer)


def waited_for(walk: Callable[[], Coroutine[Any, Any, Fields]]) -> Fields:  # Any: of what nobody sends
    """Wait for a walk; a caller who is in a loop of asyncio already has it walked in a thread of its own."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor
    from contextvars import copy_context

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(walk())
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(copy_context().run, lambda: asyncio.run(walk())).result()


async def streamed(graph: Compiled, state: Fields, context: object, most_turns: int, heard: Heard) -> Fields:
    """Stream LangGraph's walk, telling of each node; give what it answers."""
    final: Fields = {}
    limit = {"recursion_limit": most_turns}
    async for mode, told in graph.astream(state, limit, context=context, stream_mode=["updates", "values"]):
        if mode == "values":
            final = told
        else:
            for node in told:
                heard(node)
    return final


class Subgraph:
    """A graph as a node of another one: a subgraph to LangGraph, a walk of its own within a plain walk."""

    def __init__(self, name: str, graph: Graph) -> None:
        self.__name__ = name
        self.graph = graph

    def __call__(self, state: State, runtime: Runtime[object]) -> Fields:
        """Walk it with what it takes of the state, and give what it answers."""
        given = {name: state[name] for name in self.graph.given.__annotations__ if name in state}
        final = self.graph.walk(given, runtime.context)
        return {name: final[name] for name in self.graph.answer.__annotations__}


class Compiling:
    """Wires LangGraph's own graph, from its beginning or from one of its later nodes."""

    def __init__(self, graph: Wiring, start: str = "") -> None:
        self.graph = graph
        self.start = start
        if start:
            graph.add_edge(START, start)

    def add_node(self, name: str, node: Node) -> None:
        """Hand on; a part is a graph of its own."""
        self.graph.add_node(name, node.graph.compile() if isinstance(node, Subgraph) else closing(node))

    def add_edge(self, start: str, end: str) -> None:
        """Hand on, but for a beginning that was given."""
        if not (self.start and start == START):
            self.graph.add_edge(start, end)

    def add_conditional_edges(self, start: str, router: Router) -> None:
        """Hand on, but for a beginning that was given."""
        if not (self.start and start == START):
            self.graph.add_conditional_edges(start, closing(router))


def closing(step: Node) -> Node:
    """Have a step that fails close what the walk has opened, since LangGraph only lets go of it."""

    @wraps(step)
    def done(state: State, *given: Any, **named: Any) -> Any:  # Any: as LangGraph hands it
        with closed_on_failure(state):
            return step(state, *given, **named)

    @wraps(step)
    async def awaited(state: State, *given: Any, **named: Any) -> Any:  # Any: as LangGraph hands it
        with closed_on_failure(state):
            return await step(state, *given, **named)

    return awaited if inspect.iscoroutinefunction(step) else done


def with_channels(state: type) -> type:
    """Give the state with LangGraph's channels: what is OPENED stands in no checkpoint, what was SAID is added up."""
    from langgraph.channels import UntrackedValue
    from langgraph.graph.message import add_messages

    hints = get_type_hints(state, include_extras=True)
    channels = {OPENED: Annotated[Any, UntrackedValue], SAID: Annotated[list[Any], add_messages]}
    fields = {
        name: next((channels[mark] for mark in get_args(hint)[1:] if mark in (OPENED, SAID)), hint)
        for name, hint in hints.items()
    }
    return TypedDict(state.__name__, fields, total=False)  # type: ignore[no-any-return, operator]
