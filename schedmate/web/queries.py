"""What pages and API show, each a function of the store and of the loop's board: plain values, nothing of HTTP."""

import json
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from schedmate.history.live import LiveStore
from schedmate.history.live_rows import ActionRow, Parts, State
from schedmate.history.overviews import (
    Death,
    JobLine,
    Lines,
    count_lines,
    counts_by_state,
    deaths,
    job_lines,
    marked_nodes,
    placements,
    users_of_jobs,
)
from schedmate.scheduling.recovery.cluster_actions import BREAKER, OPEN_BREAKER
from schedmate.scheduling.recovery.registry import STEPS
from schedmate.scheduling.recovery.steps import AnyStep
from schedmate.web.board import SeenBoard

PAGE = 100
MOST_RUNNING, MOST_WAITING, MOST_NODES, MOST_PERSON, LATEST = 60, 40, 96, 30, 8
DAY_S = 86_400.0

AWAITED = ("proposed", "unproven")
"""What an action is when a person's word is waited for."""
OPEN: tuple[State, ...] = ("pending", "running", "examined", "held")


@dataclass(frozen=True)
class Slot:
    """One slot of a node, and who holds it; two jobs may share it."""

    number: int
    jobs: tuple[str, ...]


@dataclass(frozen=True)
class NodeLine:
    """A node on the map."""

    name: str
    state: str
    kind: str
    reason: str
    by: str
    action: int | None
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class WaitingJob:
    """A job that waits, with its place in the policy's order."""

    job: JobLine
    place: int | None
    expected_s: float | None


@dataclass(frozen=True)
class Now:
    """All that happens."""

    board: SeenBoard
    counts: dict[str, int]
    running: list[JobLine]
    waiting: list[WaitingJob]
    nodes: list[NodeLine]
    nodes_in_all: int
    states: dict[str, int]
    """Nodes by state."""
    asked: list[ActionRow]
    """What waits for a person's word."""
    held: list[JobLine]
    failures: list[Death]
    names: dict[int, str]
    """What the engine calls the jobs of those actions."""
    breaker: str
    """Why no more nodes are isolated; empty: they are."""


def now(store: LiveStore, board: SeenBoard) -> Now:
    """Give what an operator sees first."""
    connection = store.connection
    running = job_lines(connection, Lines(states=("running", "examined")), "oldest", MOST_RUNNING)
    nodes = odd_first(node_map(store, board, placements(connection)))
    asked = store.actions(AWAITED)
    return Now(
        board=board,
        counts=counts_by_state(connection),
        running=running,
        waiting=waiting(store, board, MOST_WAITING),
        nodes=nodes[:MOST_NODES],
        nodes_in_all=len(nodes),
        states=dict(Counter(node.state for node in nodes)),
        asked=asked[:MOST_PERSON],
        held=job_lines(connection, Lines(states=("held",)), "newest", MOST_PERSON),
        failures=deaths(connection, limit=LATEST),
        names={row.job: store.name_of(row.job) for row in asked[:MOST_PERSON]},
        breaker=open_breaker(store),
    )


def waiting(store: LiveStore, board: SeenBoard, limit: int) -> list[WaitingJob]:
    """List who waits, in the policy's order; as they came where no loop tells it."""
    expected = board.expected
    if not expected:
        lines = job_lines(store.connection, Lines(states=("pending",)), "oldest", limit)
        return [WaitingJob(line, None, line.expected_s) for line in lines]
    numbers = list(expected)[:limit]
    lines_by_number = {
        line.id: line
        for line in job_lines(store.connection, Lines(states=("pending",), numbers=numbers), "oldest", limit)
    }
    return [
        WaitingJob(lines_by_number[number], expected[number]["place"], expected[number]["expected_s"])
        for number in numbers
        if number in lines_by_number
    ]


def node_map(store: LiveStore, board: SeenBoard, placed: Iterable[tuple[str, Parts]]) -> list[NodeLine]:
    """Give the nodes with who holds which slot; without a loop those that the store has heard of."""
    held: dict[str, dict[int, list[str]]] = {}
    for job_id, parts in placed:
        for name, mask in parts:
            slots = held.setdefault(name, {})
            for place in (place for place in range(mask.bit_length()) if mask >> place & 1):
                slots.setdefault(place, []).append(job_id)
    if board.nodes:
        told = board.nodes
    else:
        marks = marked_nodes(store.connection)
        told = [
            {"node": name, "slots": 0, "kind": "", "reason": "", "by": "",
             "state": marks[name][0] if name in marks else "unknown",
             "action": (marks[name][1] or None) if name in marks else None}
            for name in sorted({*held, *marks})
        ]  # fmt: skip
    return [node_line(one, held.get(one["node"], {})) for one in told]


def odd_first(nodes: list[NodeLine]) -> list[NodeLine]:
    """Put those first that are not up."""
    return sorted(nodes, key=lambda node: node.state == "up")


@dataclass(frozen=True)
class NodePage:
    """Some of the nodes, and what was asked for."""

    nodes: list[NodeLine]
    total: int
    page: int
    pages: int
    text: str
    state: str
    states: dict[str, int]


def nodes(store: LiveStore, board: SeenBoard, text: str = "", state: str = "", page: int = 1) -> NodePage:
    """Give a page of the map of all nodes."""
    found = odd_first(node_map(store, board, placements(store.connection)))
    wanted = [node for node in found if text in node.name and state in ("", node.state)]
    pages = max(1, -(-len(wanted) // MOST_NODES))
    page = max(1, min(page, pages))
    shown = wanted[(page - 1) * MOST_NODES : page * MOST_NODES]
    return NodePage(shown, len(wanted), page, pages, text, state, dict(Counter(node.state for node in found)))


def node_line(told: dict[str, Any], held: dict[int, list[str]]) -> NodeLine:
    """Put a node together."""
    count = max([int(told["slots"]), *(place + 1 for place in held)])
    slots = tuple(Slot(place, tuple(held.get(place, ()))) for place in range(count))
    reason = "" if told["reason"] == f"action {told['action'] or 0}" else told["reason"]  # a mark of ours says no more
    return NodeLine(told["node"], told["state"], told["kind"], reason, told["by"], told["action"], slots)


@dataclass(frozen=True)
class JobPage:
    """Some of the jobs, with what leads to the others."""

    jobs: list[JobLine]
    total: int
    page: int
    pages: int
    which: Lines
    users: list[str]
    counts: dict[str, int]


def jobs(store: LiveStore, which: Lines, page: int = 1, size: int = PAGE) -> JobPage:
    """Give a page of the list of jobs, the newest first."""
    total = count_lines(store.connection, which)
    pages = max(1, -(-total // size))
    page = max(1, min(page, pages))
    lines = job_lines(store.connection, which, "newest", size, (page - 1) * size)
    return JobPage(lines, total, page, pages, which, users_of_jobs(store.connection), counts_by_state(store.connection))


@dataclass(frozen=True)
class Deed:
    """An action with all that happened to it, and what can be said to it now."""

    row: ActionRow
    job_id: str
    trail: list[dict[str, Any]]
    harms: str
    """What it hits: nothing, a job, a node."""
    answers: tuple[str, ...]


@dataclass(frozen=True)
class DeedPage:
    """Some of the actions, the latest first."""

    deeds: list[Deed]
    total: int
    page: int
    pages: int


def deeds(store: LiveStore, job: int | None = None, only: int = 0, page: int = 1) -> DeedPage:
    """List actions with their trails, the latest first, by pages."""
    rows = [row for row in store.actions(job=job) if only in (0, row.id)][::-1]
    pages = max(1, -(-len(rows) // PAGE))
    page = max(1, min(page, pages))
    shown = [deed(store, row) for row in rows[(page - 1) * PAGE : page * PAGE]]
    return DeedPage(shown, len(rows), page, pages)


def deed(store: LiveStore, row: ActionRow) -> Deed:
    """Put an action together."""
    radius = STEPS[row.kind].radius if row.kind in STEPS else ""
    trail = [entry._asdict() for entry in store.trail(row.id)]
    return Deed(row, store.name_of(row.job), trail, radius, answers_to(row))


def open_breaker(store: LiveStore) -> str:
    """Say what the circuit breaker has refused last, unless it was reset since; empty: nothing."""
    for row in reversed(store.actions(("refused",))):
        if row.detail.startswith(OPEN_BREAKER):
            return row.detail if row.at_s > max(float(store.fact(BREAKER) or 0), time.time() - DAY_S) else ""
    return ""


def answers_to(row: ActionRow) -> tuple[str, ...]:
    """Give what a person may say to an action as it stands."""
    if row.event == "proposed":
        return ("approve", "reject")
    if row.event == "unproven":
        return ("approve",)
    step = STEPS.get(row.kind)
    can_be_undone = step is not None and type(step).undo is not AnyStep.undo
    return ("undo",) if row.event == "done" and can_be_undone else ()


def plain_line(line: JobLine) -> dict[str, Any]:
    """Give a line of the list as JSON."""
    return asdict(replace(line, parts=())) | {"placement": dict(line.parts), "done": line.done}


def json_of(text: str) -> Any:  # Any: JSON as it was kept
    """Read what the store keeps as JSON; None where it keeps nothing."""
    return json.loads(text) if text else None
