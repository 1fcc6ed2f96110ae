"""Nodes that somebody has reserved for a time, as `scontrol show reservation` lists them; MAINT ones are nobody's.

ReservationName=update StartTime=2026-01-05T08:00:00 EndTime=2026-01-05T12:00:00 Nodes=gpu[1-4] Flags=MAINT
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from schedmate.clusters.base import NodeSpec
from schedmate.clusters.jobs import Reach
from schedmate.errors import InputError, SchedMateError
from schedmate.tools.host_list import hosts
from schedmate.traces.formats.table import moment_s
from schedmate.traces.rows import EPOCHAL_S, LONGEST_S

MOST_BYTES, MOST = 8 << 20, 10_000
PAIR = re.compile(r"(\w{1,64})=(\S{0,100000})")
NOBODY = frozenset({"", "(null)"})
EXAMPLE = "as in: ReservationName=update StartTime=86400 EndTime=100800 Nodes=gpu-[1-4] Users=ada"


@dataclass(frozen=True)
class Reservation:
    """Some nodes, from one moment to another, for some people or for nobody at all."""

    name: str
    start_s: float
    end_s: float
    nodes: frozenset[str]
    users: frozenset[str] = frozenset()
    accounts: frozenset[str] = frozenset()

    @property
    def is_maintenance(self) -> bool:
        """Tell whether nobody may use the nodes meanwhile."""
        return not self.users and not self.accounts

    def is_for(self, user: str, account: str) -> bool:
        """Tell whether somebody's jobs may run there."""
        return user in self.users or account in self.accounts


class Reserved:
    """What lies ahead: where a job must not start, and for how long that holds."""

    def __init__(self, reservations: Iterable[Reservation]) -> None:
        self.all: tuple[Reservation, ...] = tuple(sorted(reservations, key=lambda one: (one.start_s, one.end_s)))
        self._ahead = list(enumerate(self.all))
        self._at_s = -1.0
        self._known: dict[Reach, dict[str, float]] = {}

    def reach(self, limit_s: float, user: str, account: str) -> Reach:
        """Write down how far into the future a job may reach, and whose reservations are open to it."""
        mine = frozenset(place for place, one in enumerate(self.all) if one.is_for(user, account))
        return (limit_s, mine)

    def barred_until(self, reach: Reach, now_s: float) -> Mapping[str, float]:
        """Give the nodes where a job that starts now would reach into a reservation, and when that is over."""
        if now_s != self._at_s:
            self._at_s = now_s
            self._known.clear()
            self._ahead = [entry for entry in self._ahead if entry[1].end_s > now_s]
        found = self._known.get(reach)
        if found is None and reach:
            limit_s, mine = reach
            found = self._known[reach] = {}
            for place, one in self._ahead:
                if one.start_s >= now_s + limit_s and one.start_s > now_s:
                    break
                if place not in mine:
                    found.update((node, max(found.get(node, 0.0), one.end_s)) for node in one.nodes)
        return found or {}

    def next_end_s(self, now_s: float) -> float | None:
        """Give when nodes are next open to everybody again."""
        return min((one.end_s for _, one in self._ahead if one.end_s > now_s), default=None)


class Windows:
    """When reservations begin and end, as a cluster that has these nodes lives through them."""

    def __init__(self, reservations: Iterable[Reservation], nodes: Iterable[NodeSpec]) -> None:
        self._nodes = {node.name: node for node in nodes}
        self._all = tuple(sorted(reservations, key=lambda one: (one.start_s, one.end_s)))
        # Where one ends as another begins, the end comes first.
        edges = [(one.start_s, 1, place) for place, one in enumerate(self._all)]
        edges += [(one.end_s, 0, place) for place, one in enumerate(self._all)]
        self._edges = sorted(edges, reverse=True)

    def next_s(self) -> float:
        """Give when the next one begins or ends; never, after the last."""
        return self._edges[-1][0] if self._edges else math.inf

    def until(self, moment_s: float) -> Iterator[tuple[int, Reservation, bool]]:
        """Yield those that begin (True) or end up to a moment, with their places in the order of all."""
        while self._edges and self._edges[-1][0] <= moment_s:
            _, begins, place = self._edges.pop()
            yield place, self._all[place], bool(begins)

    def specs(self, one: Reservation) -> list[NodeSpec]:
        """Describe the nodes of a reservation that this cluster has."""
        return [self._nodes[name] for name in sorted(one.nodes) if name in self._nodes]


def read_reservations(path: Path, nodes: Sequence[str], origin_s: float) -> tuple[Reservation, ...]:
    """Read reservations of a cluster's nodes; dates are counted from where the trace counts from."""
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1).decode("utf-8", "replace")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", EXAMPLE) from error
    lines = [line.partition("#")[0] for line in text.splitlines()]
    records = re.split(r"(?=\bReservationName=)", "\n".join(lines))
    found = [read_one(dict(PAIR.findall(record)), path, nodes, origin_s) for record in records if record.strip()]
    if not found or len(found) > MOST or len(text) > MOST_BYTES:
        raise InputError(f"{path} holds no reservation, or more than {MOST:,}", EXAMPLE)
    return tuple(found)


def read_one(words: Mapping[str, str], path: Path, nodes: Sequence[str], origin_s: float) -> Reservation:
    """Read one; what cannot be played is refused by name."""
    name = words.get("ReservationName", "?")[:64]
    try:
        start_s, end_s = (moment_s(words.get(word, ""), word) for word in ("StartTime", "EndTime"))
        listed = words.get("Nodes", "")
        reserved = frozenset(nodes if listed.upper() == "ALL" else hosts(listed))
    except (ValueError, SchedMateError) as error:
        raise InputError(f"{path}: reservation {name}: {error}", EXAMPLE) from error
    if start_s > EPOCHAL_S and not origin_s:
        raise InputError(f"{path}: reservation {name} has a date, and the trace counts from its start", EXAMPLE)
    users, accounts = (names(words.get(word, "")) for word in ("Users", "Accounts"))
    if any(who.startswith("-") for who in users | accounts):
        raise InputError(f"{path}: reservation {name} says whom it is not for", "name the users whom it is for")
    if unknown := sorted(reserved - set(nodes)):
        raise InputError(f"{path}: reservation {name}: the cluster has no node {unknown[0]}", f"it has {nodes[0]} ...")
    made = Reservation(name, start_s, end_s, reserved, users, accounts)
    if start_s > EPOCHAL_S:
        made = replace(made, start_s=start_s - origin_s, end_s=end_s - origin_s)
    if not reserved or not made.start_s < made.end_s < LONGEST_S:
        raise InputError(f"{path}: reservation {name} has no nodes, or ends before it begins", EXAMPLE)
    return made


def names(text: str) -> frozenset[str]:
    """Read names with commas between; Slurm writes (null) for none."""
    return frozenset() if text in NOBODY else frozenset(filter(None, text.split(",")))
