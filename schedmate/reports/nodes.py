"""Nodes that fail more than chance: exposure counted, all nodes compared at once.

Where nobody tells whose fault a failure is, a thing that fails by itself fails wherever it is sent, again and again;
so of each thing a node is then charged with the first failure there, and with the hours up to it.
"""

import numpy as np

from schedmate.errors import SchedMateError
from schedmate.knowledge.own_limits import blames_machine
from schedmate.reports.chance import interval, tail, together
from schedmate.reports.findings import NodeRow, Nodes
from schedmate.reports.past import Ints, Mask, Past
from schedmate.tools.host_list import hosts

SURE = 0.05
"""The q up to which a node stands out."""
SHOWN = 40
HARDWARE = "failures that a log's diagnosis or the scheduler calls the infrastructure's"
LEAST_HARDWARE = 5
ANY = f"all failures but time limits, as fewer than {LEAST_HARDWARE} are known to be the infrastructure's"


class Exposure:
    """What happened on each node: hours, failures, and what failures of whole jobs would come to by chance."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.hours: list[float] = []
        self.failures: list[int] = []
        self.blamed: list[int] = []
        self.spread_hours: list[float] = []
        """Hours times the nodes of the job: a job of many nodes fails as often as all of them together."""
        self.total_spread = 0.0
        self.unblamed = 0
        self.seen: set[tuple[int, int]] = set()

    def number(self, name: str) -> int:
        """Give a node's number."""
        if name not in self.numbers:
            self.numbers[name] = len(self.hours)
            self.hours.append(0.0)
            self.failures.append(0)
            self.blamed.append(0)
            self.spread_hours.append(0.0)
        return self.numbers[name]

    def add(self, nodes: tuple[int, ...], hours: float, thing: int, failed: bool, blamed: tuple[int, ...]) -> None:
        """Take in a run; which nodes it is held against, its log may say."""
        fresh = [node for node in nodes if not thing or (thing, node) not in self.seen]
        if not fresh:
            return
        for node in fresh:
            self.hours[node] += hours
            self.spread_hours[node] += hours * len(fresh)
        self.total_spread += hours * len(fresh)
        if not failed:
            return
        charged = blamed or tuple(fresh)
        for node in charged:
            if node in fresh:
                (self.blamed if blamed else self.failures)[node] += 1
        self.unblamed += not blamed
        if thing:
            self.seen.update((thing, node) for node in fresh)

    def rows(self) -> list[NodeRow]:
        """Compare each node with the site's rate; the interval is worked out of those that are shown."""
        names = list(self.numbers)
        all_hours, all_blamed = sum(self.hours), sum(self.blamed)
        by_hour = all_blamed / all_hours if all_hours else 0.0
        by_spread = self.unblamed / self.total_spread if self.total_spread else 0.0
        expected = [
            by_hour * hours + by_spread * spread for hours, spread in zip(self.hours, self.spread_hours, strict=True)
        ]
        counts = [one + other for one, other in zip(self.failures, self.blamed, strict=True)]
        chances = [tail(count, mean) for count, mean in zip(counts, expected, strict=True)]
        q = together(chances)
        order = sorted(range(len(names)), key=lambda n: (chances[n], -counts[n], names[n]))
        return [
            row_of(names[n], self.hours[n], counts[n], expected[n], chances[n], q[n])
            for n in order[:SHOWN]
            if expected[n] > 0
        ]


def row_of(name: str, hours: float, count: int, expected: float, p: float, q: float) -> NodeRow:
    """Write a node's row."""
    low, high = interval(count)
    return NodeRow(
        node=name,
        hours=round(hours, 1),
        failures=count,
        expected=round(expected, 3),
        ratio=round(count / expected, 3),
        low=round(low / expected, 3),
        high=round(high / expected, 3),
        p=p,
        q=q,
        stands_out=q <= SURE,
    )


def nodes(past: Past, failed: Mask) -> Nodes:
    """Compare all nodes of which a job tells that it ran there."""
    hardware = failed & past.having("status", "node_fail")
    for place, found in past.found.items():
        hardware[place] |= bool(failed[place]) and blames_machine(found.category, found.failure_id)
    is_enough = int(hardware.sum()) >= LEAST_HARDWARE
    charged = hardware if is_enough else failed & ~past.having("status", "timeout")
    told = Nodes(counted=HARDWARE if is_enough else ANY)
    exposure = Exposure()
    lists = expanded(past, exposure)
    ran_s = past["ran_s"]
    usable = (past.codes["nodes"] != code_of_none(past)) & (ran_s > 0)
    places = np.flatnonzero(usable)
    places = places[np.argsort(past.over_s[places], kind="stable")]
    walk(past, places, lists, charged, exposure, by_thing=not is_enough)
    if not any(exposure.hours):
        return told
    return told.model_copy(
        update={
            "compared": sum(hours > 0 for hours in exposure.hours),
            "failures": int(charged[places].sum()),
            "hours": round(sum(exposure.hours), 1),
            "rows": tuple(exposure.rows()),
        }
    )


def walk(
    past: Past, places: Ints, lists: list[tuple[int, ...]], charged: Mask, exposure: Exposure, by_thing: bool
) -> None:
    """Take in all runs in the order in which they ended."""
    codes, hours = past.codes["nodes"][places].tolist(), (past["ran_s"][places] / 3600).tolist()
    things, bad = past.thing[places].tolist(), charged[places].tolist()
    for place, code, took, thing, failed in zip(places.tolist(), codes, hours, things, bad, strict=True):
        nodes = lists[code]
        blamed: tuple[int, ...] = ()
        if failed and (found := past.found.get(place)) and found.faulty:
            blamed = tuple(node for name in found.faulty if (node := exposure.numbers.get(name, -1)) in nodes)
        exposure.add(nodes, took, thing if by_thing else 0, failed, tuple(dict.fromkeys(blamed)))


def code_of_none(past: Past) -> int:
    """Give the number of the empty list of nodes."""
    return past.words["nodes"].index("") if "" in past.words["nodes"] else -1


def expanded(past: Past, exposure: Exposure) -> list[tuple[int, ...]]:
    """Write each list of nodes out, once."""
    lists: list[tuple[int, ...]] = []
    for text in past.words["nodes"]:
        try:
            lists.append(tuple(dict.fromkeys(exposure.number(name) for name in hosts(text))))
        except SchedMateError:
            lists.append(())
    return lists
