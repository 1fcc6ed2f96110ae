"""What pages and API show, each a function of the store and of the loop's board: plain values, nothing of HTTP."""

import json
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cache
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
from schedmate.scheduling.recovery.registry import STEPS
from schedmate.scheduling.recovery.steps import AnyStep
from schedmate.web.board import Board

PAGE = 100
MOST_RUNNING, MOST_WAITING, MOST_NODES, MOST_PERSON, LATEST = 60, 40, 96, 30, 8
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

    board: Board
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


def now(store: LiveStore, board: Board) -> Now:
    """Give what an operator sees first."""
    connection = store.connection
    running = job_lines(connection, Lines(states=("running", "examined")), "oldest", MOST_RUNNING)
    nodes = node_map(store, board, placements(connection))
    odd_first = sorted(nodes, key=lambda node: node.state == "up")
    asked = store.actions(AWAITED)
    return Now(
        board=board,
        counts=counts_by_state(connection),
        running=running,
        waiting=waiting(store, board, MOST_WAITING),
        nodes=odd_first[:MOST_NODES],
        nodes_in_all=len(nodes),
        states=dict(Counter(node.state for node in nodes)),
        asked=asked[:MOST_PERSON],
        held=job_lines(connection, Lines(states=("held",)), "newest", MOST_PERSON),
        failures=deaths(connection, limit=LATEST),
        names={row.job: store.name_of(row.job) for row in asked[:MOST_PERSON]},
    )


def waiting(store: LiveStore, board: Board, limit: int) -> list[WaitingJob]:
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


def node_map(store: LiveStore, board: Board, placed: Iterable[tuple[str, Parts]]) -> list[NodeLine]:
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


@cache
def categories() -> dict[str, str]:
    """Give the class of every known failure."""
    from schedmate.knowledge.catalogue import load_catalogue

    return {failure.id: failure.category for failure in load_catalogue()}


def category_of(failure: str) -> str:
    """Give the class of a failure; a run keeps the class itself where no more is known."""
    if failure in ("infrastructure", "framework", "script", "other", "none"):
        return failure
    return categories().get(failure, "other" if failure else "not diagnosed")


@dataclass(frozen=True)
class Failures:
    """What failed in some days, counted in the ways that one asks about."""

    days: float
    total: int
    gpu_hours: float
    by_class: list[tuple[str, int]]
    by_failure: list[tuple[str, int, float]]
    by_user: list[tuple[str, int]]
    by_week: list[tuple[str, dict[str, int]]]
    nodes: list["Offender"]
    latest: list[Death]


@dataclass(frozen=True)
class Offender:
    """A node on which runs failed: how many of how many users, and whether its own parts were to blame."""

    node: str
    failures: int
    infrastructure: int
    users: int
    most: str
    again: bool
    """Runs of different users died there of faults of the machine."""


def failures(store: LiveStore, days: float) -> Failures:
    """Count what failed."""
    found = deaths(store.connection, time.time() - days * 86_400.0, 20_000)
    by_failure: dict[str, list[float]] = {}
    weeks: dict[str, Counter[str]] = {}
    for one in found:
        by_failure.setdefault(one.failure or "not diagnosed", []).append(one.ran_s * one.slots / 3600)
        week = time.strftime("%G week %V", time.localtime(one.ended_s))
        weeks.setdefault(week, Counter())[category_of(one.failure)] += 1
    most = sorted(by_failure.items(), key=lambda item: (-len(item[1]), item[0]))
    return Failures(
        days=days,
        total=len(found),
        gpu_hours=sum(one.ran_s * one.slots for one in found) / 3600,
        by_class=Counter(category_of(one.failure) for one in found).most_common(),
        by_failure=[(name, len(hours), sum(hours)) for name, hours in most[:20]],
        by_user=Counter(one.user for one in found).most_common(20),
        by_week=[(week, dict(counts)) for week, counts in sorted(weeks.items())][-26:],
        nodes=offenders(found)[:20],
        latest=found[:50],
    )


def offenders(found: list[Death]) -> list[Offender]:
    """Name the nodes on which runs failed, those first that failed jobs of several users by a fault of the machine."""
    by_node: dict[str, list[Death]] = {}
    for one in found:
        for node in one.nodes:
            by_node.setdefault(node, []).append(one)
    lines = []
    for node, deaths_there in by_node.items():
        machine = [one for one in deaths_there if category_of(one.failure) == "infrastructure"]
        most = Counter(one.failure or "not diagnosed" for one in machine or deaths_there).most_common(1)[0][0]
        users = len({one.user for one in machine})
        lines.append(Offender(node, len(deaths_there), len(machine), users, most, users > 1 or len(machine) > 2))
    return sorted(lines, key=lambda one: (-one.infrastructure, -one.failures, one.node))


@dataclass(frozen=True)
class Deed:
    """An action with all that happened to it, and what can be said to it now."""

    row: ActionRow
    job_id: str
    trail: list[dict[str, Any]]
    harms: str
    """What it hits: nothing, a job, a node."""
    answers: tuple[str, ...]


def deeds(store: LiveStore, job: int | None = None, latest: int = 100, only: int = 0) -> list[Deed]:
    """List actions with their trails, the latest first."""
    rows = [row for row in store.actions(job=job) if only in (0, row.id)]
    return [deed(store, row) for row in rows[::-1][:latest]]


def deed(store: LiveStore, row: ActionRow) -> Deed:
    """Put an action together."""
    radius = STEPS[row.kind].radius if row.kind in STEPS else ""
    trail = [entry._asdict() for entry in store.trail(row.id)]
    return Deed(row, store.name_of(row.job), trail, radius, answers_to(row))


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
