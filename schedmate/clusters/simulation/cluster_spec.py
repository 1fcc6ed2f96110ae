"""What a cluster is made of, as people write it: `16x8:a100,4x8:t4`, and a file of virtual clusters."""

import csv
import re
from collections.abc import Iterable
from pathlib import Path

from schedmate.clusters import NodeSpec
from schedmate.errors import InputError

GROUP = re.compile(r"^(\d{1,7})x(\d{1,4})(?::([A-Za-z0-9_.-]{1,64}))?$")

GPUS, KIND = 8, "gpu"
"""What a node has where nothing is said."""
MOST_NODES = 200_000
EXAMPLE = "16x8:a100,4x8:t4 is 16 nodes of 8 A100 and 4 nodes of 8 T4"


def parse_nodes(text: str) -> list[NodeSpec]:
    """Read NODESxGPUS[:KIND] groups."""
    nodes: list[NodeSpec] = []
    for group in text.split(","):
        match = GROUP.match(group.strip())
        if match is None:
            raise InputError(f"nodes '{group.strip()[:80]}' are not of the form NODESxGPUS[:KIND]", EXAMPLE)
        count, gpus, kind = int(match[1]), int(match[2]), match[3] or KIND
        if not 1 <= count <= MOST_NODES or not 1 <= gpus <= 1024:
            raise InputError(f"'{group.strip()}': from 1 to {MOST_NODES} nodes of 1 to 1024 GPUs each", EXAMPLE)
        nodes += [NodeSpec(f"{kind}-{len(nodes) + i + 1}", gpus, kind) for i in range(count)]
    return nodes


def read_virtual_clusters(path: Path) -> list[NodeSpec]:
    """Read a CSV of virtual cluster and number of nodes; a third and fourth column give GPUs a node and their kind."""
    try:
        rows = list(csv.reader(path.read_text("utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} cannot be read: {error}", "give a CSV of two columns: vc,nodes") from error
    nodes: list[NodeSpec] = []
    seen: set[str] = set()
    for line, row in enumerate(rows, 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (line == 1 and (len(cells) < 2 or not cells[1].isdecimal())):
            continue
        if len(cells) < 2 or not cells[0] or not cells[1].isdecimal():
            raise InputError(f"{path}, line {line}: '{','.join(row)[:80]}' is not vc,nodes", "as in: vcA,9")
        if cells[0] in seen:
            raise InputError(f"{path}, line {line}: virtual cluster {cells[0]} was named before", "name each once")
        seen.add(cells[0])
        per_node = int(cells[2]) if len(cells) > 2 and cells[2].isdecimal() else GPUS
        if int(cells[1]) > MOST_NODES or not 1 <= per_node <= 1024:
            raise InputError(f"{path}, line {line}: at most {MOST_NODES} nodes of 1 to 1024 GPUs", "as in: vcA,9,8")
        word = cells[3] if len(cells) > 3 and cells[3] else KIND
        nodes += [NodeSpec(f"{cells[0]}-{i + 1}", per_node, word, cells[0]) for i in range(int(cells[1]))]
    if not nodes:
        raise InputError(f"{path} names no virtual cluster", "give a CSV of two columns: vc,nodes")
    return nodes


def parse_ratios(text: str, kinds: Iterable[str]) -> dict[str, float]:
    """Read KIND=RATIO pairs: how fast an accelerator is relative to the one that the trace's durations are from."""
    known = set(kinds)
    ratios: dict[str, float] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        kind, _, value = pair.partition("=")
        try:
            ratio = float(value)
        except ValueError:
            ratio = -1.0
        if not 0 < ratio < 1e6:
            raise InputError(f"speed '{pair[:80]}' is not KIND=RATIO", "as in: a100=1,t4=0.3")
        if kind not in known:
            raise InputError(f"speed names {kind}, which the cluster has not", f"it has: {', '.join(sorted(known))}")
        ratios[kind] = ratio
    return ratios
