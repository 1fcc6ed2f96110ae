"""Which nodes are near each other: NVLink islands and racks, as the files of Slurm's topology plugins list them.

    SwitchName=rack1 Nodes=gpu[1-16]        BlockName=island1 Nodes=gpu[1-4]

A leaf switch is a rack, a block is an island. `4/16` stands for islands of 4 nodes in racks of 16, in the nodes' order.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from schedmate.clusters import NodeSpec, Placement
from schedmate.clusters.simulation.slurm_conf import conf_lines
from schedmate.errors import InputError, SchedMateError
from schedmate.tools.host_list import hosts

COUNTS = re.compile(r"^(\d{0,6})/(\d{0,6})$")
EXAMPLE = "give Slurm's topology.conf, or NODES/NODES: 4/16 is islands of 4 nodes in racks of 16, /16 only racks"

ACROSS_ISLANDS, ACROSS_RACKS = 0.95, 0.85
"""Speed of a job that is spread over islands of one rack, and over racks: assumed, not measured."""
Crossing = tuple[float, float]


def lay_out(nodes: Sequence[NodeSpec], text: str) -> list[NodeSpec]:
    """Write down of each node in which island and rack it is."""
    match = COUNTS.match(text)
    if match is None:
        return from_files(nodes, text)
    island, rack = (int(part or 0) for part in match.groups())
    if (not island and not rack) or (island and rack and rack % island):
        raise InputError(f"topology '{text}' is no islands in racks", EXAMPLE)
    return [
        node._replace(
            island=f"island {place // island}" if island else "", rack=f"rack {place // rack}" if rack else ""
        )
        for place, node in enumerate(nodes)
    ]


def from_files(nodes: Sequence[NodeSpec], text: str) -> list[NodeSpec]:
    """Read one topology.conf or several, with commas between."""
    racks, islands = dict[str, str](), dict[str, str]()
    for name in text.split(","):
        for words in conf_lines(Path(name.strip())):
            for word, found in (("switchname", racks), ("blockname", islands)):
                if word in words and "nodes" in words:
                    try:
                        found |= dict.fromkeys(hosts(words["nodes"]), words[word])
                    except SchedMateError as error:
                        raise InputError(f"{name}: {error.message}", EXAMPLE) from error
    placed = [node._replace(island=islands.get(node.name, ""), rack=racks.get(node.name, "")) for node in nodes]
    if not any(node.island or node.rack for node in placed):
        raise InputError(f"{text} names none of the nodes, such as {nodes[0].name}", EXAMPLE)
    return placed


def read_crossing(text: str) -> Crossing:
    """Read the speeds across islands and across racks."""
    words = text.split(",") if text else []
    try:
        speeds = [float(word) for word in words] or [ACROSS_ISLANDS, ACROSS_RACKS]
    except ValueError:
        speeds = []
    if len(speeds) != 2 or not 0.01 <= speeds[1] <= speeds[0] <= 1:
        raise InputError(
            f"crossing '{text[:80]}' is not two speeds from 1 down to 0.01",
            "as in: 0.95,0.85, across islands of one rack and across racks, relative to one island",
        )
    return speeds[0], speeds[1]


def slowdown(nodes: Sequence[NodeSpec], crossing: Crossing) -> Callable[[Placement], float] | None:
    """Give what tells the speed of a placement; None where nobody knows what is near what."""
    if not any(node.island or node.rack for node in nodes):
        return None
    where: Mapping[str, tuple[str, str]] = {node.name: (node.island or node.rack, node.rack) for node in nodes}

    def speed(placement: Placement) -> float:
        if len(placement.parts) < 2:
            return 1.0
        places = {where.get(node, ("", "")) for node, _ in placement.parts}
        if len(places) == 1:
            return 1.0
        return crossing[0] if len({rack for _, rack in places}) == 1 else crossing[1]

    return speed
