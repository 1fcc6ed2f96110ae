"""Recovery for somebody else's loop: plan from a diagnosis, propose and wait for a person, act, see whether it helped.

`schedmate up` has a store whose rows say how far a plan has come, and takes `approve.py` alone. This graph is for loops
that have none: with a checkpointer it stops at `interrupt`, outlives the process, and is resumed by an answer.
"""

import operator
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, Protocol

from typing_extensions import TypedDict

from schedmate.errors import InputError
from schedmate.graphs.approve import APPROVE, verdict_of
from schedmate.graphs.plain import START, Wiring
from schedmate.graphs.state import Shaped
from schedmate.graphs.walk import Graph
from schedmate.readers.failures.plan import Policy
from schedmate.readers.failures.plan import plan as plan_for
from schedmate.schemas import Action, Diagnosis

HARMLESS = frozenset({"health_check", "nccl_test", "smaller_batch", "notify", "none"})
"""What needs no approval and is done in every mode."""
MOST_RESTARTS = 3
MOST_TURNS = 200


class Hands(Protocol):
    """What carries steps out on your cluster."""

    def run(self, job: str, action: Action) -> str:
        """Do a step and say what was done; after a kill it may be done again, so doing it twice must be as once."""
        ...

    def verify(self, job: str, action: Action) -> str:
        """Say what is wrong with it; empty when it took effect."""
        ...


class NoHands:
    """Does nothing and says so: for drawing the graph, and for observing."""

    def run(self, job: str, action: Action) -> str:
        """Say that nothing was done."""
        return "nothing was done: the graph was built without hands"

    def verify(self, job: str, action: Action) -> str:
        """Nothing could go wrong."""
        return ""


class Failure(TypedDict):
    """What is asked."""

    job: str
    """the job's id in your cluster"""
    diagnosis: Annotated[dict[str, Any], Shaped(Diagnosis)]
    """why it died, as the graph `diagnose` answers"""
    mode: NotRequired[Literal["observe", "suggest", "act"]]
    """how far to go: log only (default), wait for a person, do it"""
    restarts: NotRequired[int]
    """how often the job was restarted before"""


class RecoverState(TypedDict, total=False):
    """What the nodes hand on; plain data, so that a checkpoint can be read by any version and holds no code."""

    job: str
    """the job's id in your cluster"""
    diagnosis: dict[str, Any]
    """why it died: `Diagnosis.model_dump(mode="json")`"""
    mode: Literal["observe", "suggest", "act"]
    """how far to go: log only (default), wait for a person, do it"""
    restarts: int
    """how often the job was restarted before"""
    actions: list[dict[str, Any]]
    """the steps, in order"""
    place: int
    """which of them is at hand"""
    verdict: Literal["do", "observed", "rejected"]
    """what is to become of it"""
    done: str
    """what was done, in words"""
    trail: Annotated[list[dict[str, Any]], operator.add]
    """what became of each step"""


def plan(state: RecoverState) -> RecoverState:
    """List the steps: a pure function of the diagnosis, never of the log's own words."""
    policy = Policy(MOST_RESTARTS, state.get("restarts", 0))
    steps = plan_for(Diagnosis.model_validate(state["diagnosis"]), policy)
    return {"actions": [step.model_dump(mode="json") for step in steps], "place": 0}


def propose(state: RecoverState) -> RecoverState:
    """Wait for a person where the mode says so and the step can do harm; nothing is done before the answer."""
    action, mode = state["actions"][state["place"]], state.get("mode", "observe")
    if action["kind"] in HARMLESS or mode == "act":
        return {"verdict": "do"}
    if mode != "suggest":
        return {"verdict": "observed"}
    from langgraph.types import interrupt

    answer = interrupt({"job": state["job"], "action": action, "answers": [APPROVE, "reject"]})
    return {"verdict": "do" if verdict_of(answer) == "approved" else "rejected"}


def route_verdict(state: RecoverState) -> Literal["act", "note"]:
    """Do only what was allowed."""
    return "act" if state["verdict"] == "do" else "note"


def note(state: RecoverState) -> RecoverState:
    """Write down what was not done."""
    return {"place": state["place"] + 1, "trail": [entry(state, state["verdict"], "")]}


def verify_with(hands: Hands, state: RecoverState) -> RecoverState:
    """Look whether the step took effect, and write it down."""
    wrong = hands.verify(state["job"], at_hand(state))
    told = entry(state, "failed", f"{state['done']}; but {wrong}") if wrong else entry(state, "done", state["done"])
    return {"place": state["place"] + 1, "trail": [told]}


def route_next(state: RecoverState) -> Literal["propose", "__end__"]:
    """Go on with the next step."""
    return "propose" if state["place"] < len(state["actions"]) else "__end__"


def at_hand(state: RecoverState) -> Action:
    """Give the step that is at hand."""
    return Action.model_validate(state["actions"][state["place"]])


def entry(state: RecoverState, event: str, detail: str) -> dict[str, Any]:
    """Put together a line of the trail."""
    action = state["actions"][state["place"]]
    return {"action": action["kind"], "target": action["target"], "event": event, "detail": detail}


def wire(graph: Wiring, hands: Hands) -> None:
    """Put the nodes in order; each step goes round once."""

    def act(state: RecoverState) -> RecoverState:
        return {"done": hands.run(state["job"], at_hand(state))}

    def verify(state: RecoverState) -> RecoverState:
        return verify_with(hands, state)

    for node in (plan, propose, act, verify, note):
        graph.add_node(node.__name__, node)
    for start, end in pairwise((START, "plan", "propose")):
        graph.add_edge(start, end)
    graph.add_conditional_edges("propose", route_verdict)
    graph.add_edge("act", "verify")
    graph.add_conditional_edges("verify", route_next)
    graph.add_conditional_edges("note", route_next)


def graph_with(hands: Hands) -> Graph:
    """Give the graph with what carries steps out; mode `suggest` needs a checkpointer to be compiled with."""
    return Graph(partial(wire, hands=hands), RecoverState, Failure, RecoverState)


def build_recovery_graph() -> Any:
    """Compile the graph with LangGraph, without hands: for drawing it, and for observing."""
    return graph_with(NoHands()).compile()


@contextmanager
def open_recoveries(hands: Hands, path: Path) -> Iterator["Recoveries"]:
    """Open recoveries whose checkpoints are kept in a SQLite file; one process at a time."""
    from langgraph.checkpoint.sqlite import SqliteSaver

    with closing(sqlite3.connect(path, check_same_thread=False)) as connection:
        yield Recoveries(graph_with(hands).compile(SqliteSaver(connection)))


class Recoveries:
    """One thread a failure; every step is on disk before the next begins, so a kill forgets none."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph

    def begin(self, failure: str, state: RecoverState) -> dict[str, Any]:
        """Start on a failure, named by job and run; one that was begun before is gone on with."""
        is_known = self.graph.get_state(thread(failure)).created_at is not None
        return self.go_on(failure, None if is_known else state)

    def proposed(self, failure: str) -> dict[str, Any] | None:
        """Give the step that waits for a person, with the id that an answer must name; None when nobody is asked."""
        waiting = self.graph.get_state(thread(failure)).interrupts
        return {"id": waiting[0].id, **waiting[0].value} if waiting else None

    def answer(self, failure: str, proposal: str, answer: str) -> dict[str, Any]:
        """Hand over what a person says to one proposal; an answer that comes twice must not approve the next step."""
        from langgraph.types import Command

        waiting = self.proposed(failure)
        if waiting is None or waiting["id"] != proposal:
            raise InputError(f"failure {failure} has no proposal {proposal}", "ask again what is proposed")
        return self.go_on(failure, Command(resume={proposal: answer}))

    def go_on(self, failure: str, given: Any) -> dict[str, Any]:
        """Walk until a person is needed, or the end."""
        final: dict[str, Any] = self.graph.invoke(given, thread(failure), durability="sync")
        return final


def thread(failure: str) -> dict[str, Any]:
    """Name a failure as LangGraph wants it."""
    return {"configurable": {"thread_id": failure}, "recursion_limit": MOST_TURNS}
