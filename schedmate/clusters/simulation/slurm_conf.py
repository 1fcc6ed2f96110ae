"""A cluster's nodes as its own slurm.conf lists them: names, and the GPUs of each."""

import re
from collections.abc import Iterator
from pathlib import Path

from schedmate.clusters import NodeSpec
from schedmate.clusters.simulation.cluster_spec import MOST_NODES
from schedmate.errors import InputError, SchedMateError
from schedmate.tools.host_list import hosts

MOST_BYTES = 8 << 20
PAIR = re.compile(r"(\w{1,64})=(\S+)")
GPU = re.compile(r"gpu(?::([A-Za-z][\w.-]{0,63}))?(?::(\d{1,4}))?(?:\([^)]{0,200}\))?$")
HINT = "name the file with the NodeName lines; files that it includes are not read"


def read_slurm_conf(path: Path) -> list[NodeSpec]:
    """Read all nodes that have GPUs; a later line of a node's counts."""
    found: dict[str, NodeSpec] = {}
    default = {"gres": "", "state": ""}
    for words in node_lines(path):
        if words["nodename"].upper() == "DEFAULT":
            default |= {name: words[name] for name in default if name in words}
            continue
        told = default | words
        gpus, kind = gpus_of(told["gres"])
        if not gpus or told["state"].upper().startswith("FUTURE"):
            continue
        try:
            names = hosts(words["nodename"])
        except SchedMateError as error:
            raise InputError(f"{path}: {error.message}", HINT) from error
        found |= {name: NodeSpec(name, gpus, kind) for name in names}
        if len(found) > MOST_NODES:
            raise InputError(f"{path} names more than {MOST_NODES:,} nodes with GPUs", HINT)
    if not found:
        raise InputError(f"{path} names no node with GPUs", HINT)
    return list(found.values())


def node_lines(path: Path) -> Iterator[dict[str, str]]:
    """Give the words of each line about nodes."""
    return (words for words in conf_lines(path) if "nodename" in words and "partitionname" not in words)


def conf_lines(path: Path) -> Iterator[dict[str, str]]:
    """Give the words of each line, names in small letters."""
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", HINT) from error
    for line in text.replace("\\\n", " ").splitlines():
        yield {name.lower(): value for name, value in PAIR.findall(line.partition("#")[0])}


def gpus_of(gres: str) -> tuple[int, str]:
    """Count the GPUs of a node, and name their kind where there is one: `gpu:a100:8`, `gpu:2(S:0-1)`, `gpu`."""
    found = [match for part in gres.split(",") if (match := GPU.match(part))]
    kinds = {match[1] for match in found if match[1]}
    return sum(int(match[2] or 1) for match in found), kinds.pop() if len(kinds) == 1 else "gpu"
