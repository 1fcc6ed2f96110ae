"""Failures counted in the ways that one asks about: by class, failure, node, user and week."""

import time
from collections import Counter
from dataclasses import dataclass
from functools import cache

from schedmate.history.live import LiveStore
from schedmate.history.overviews import Death, deaths
from schedmate.knowledge.own_limits import blames_machine

WEEK_S = 7 * 86_400


@cache
def categories() -> dict[str, str]:
    """Give the class of every known failure."""
    from schedmate.knowledge.catalogue import load_catalogue
    from schedmate.knowledge.exits import load_endings

    ends: dict[str, str] = {ending.id: ending.category for ending in load_endings().values()}
    return ends | {failure.id: failure.category for failure in load_catalogue()}


def category_of(failure: str) -> str:
    """Give the class of a failure; a run keeps the class itself where no more is known."""
    if failure in ("infrastructure", "framework", "script", "other", "none", "not diagnosed"):
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
        weeks.setdefault(week_of(one.ended_s), Counter())[category_of(one.failure)] += 1
    whole = [week_of(at_s) for at_s in range(int(found[-1].ended_s), int(time.time()) + 1, WEEK_S)] if found else []
    for week in [*whole, *([week_of(time.time())] if found else [])]:
        weeks.setdefault(week, Counter())  # one without failures is as telling as the others
    most = sorted(by_failure.items(), key=lambda item: (-len(item[1]), item[0]))
    return Failures(
        days=days,
        total=len(found),
        gpu_hours=sum(one.ran_s * one.slots for one in found) / 3600,
        by_class=Counter(category_of(one.failure) for one in found).most_common(),
        by_failure=[(name, len(hours), sum(hours)) for name, hours in most[:20]],
        by_user=Counter(one.user for one in found).most_common(20),
        by_week=[(week, dict(counts)) for week, counts in sorted(weeks.items())][-53:],
        nodes=offenders(found)[:20],
        latest=found[:50],
    )


def week_of(at_s: float) -> str:
    """Name the week of a moment."""
    return time.strftime("%G week %V", time.localtime(at_s))


def offenders(found: list[Death]) -> list[Offender]:
    """Name the nodes on which runs failed, those first that failed jobs of several users by a fault of the machine."""
    by_node: dict[str, list[Death]] = {}
    for one in found:
        for node in one.nodes:
            by_node.setdefault(node, []).append(one)
    lines = []
    for node, deaths_there in by_node.items():
        machine = [one for one in deaths_there if blames_machine(category_of(one.failure), one.failure)]
        most = Counter(one.failure or "not diagnosed" for one in machine or deaths_there).most_common(1)[0][0]
        users = len({one.user for one in machine})
        lines.append(Offender(node, len(deaths_there), len(machine), users, most, users > 1 or len(machine) > 2))
    return sorted(lines, key=lambda one: (-one.infrastructure, -one.failures, one.node))
