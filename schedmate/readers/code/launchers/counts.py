"""Keep what a launcher's options say of processes, nodes and devices."""

from typing import Any

from schedmate.readers.code.commandline.words import is_open, number, word_text
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.slurm import SLURM_OPTIONS
from schedmate.readers.code.values import Spot, Val, unknown


def note_options(
    entry: dict[str, Any], options: dict[str, tuple[Val, tuple[Spot, ...]]], launch: Launch, spot: Spot
) -> None:
    """Keep what a launcher's options say of processes, nodes and devices."""
    for key, (value, src) in options.items():
        launch.options.setdefault(f"{entry['id']}.{key}", Val(word_text(value), src))
    if entry.get("slurm"):
        for key, (value, src) in options.items():
            name = SLURM_OPTIONS.get(f"--{key.replace('_', '-')}") or SLURM_OPTIONS.get(f"-{key}")
            if not name and key and key[0] in "NnGC" and key[1:].isdigit():
                name, value = SLURM_OPTIONS[f"-{key[0]}"], Val(key[1:], src)
            if name:
                launch.slurm[name] = Val(word_text(value), src)
        return

    def first(kind: str) -> Val | None:
        for name in entry.get(kind, ()):
            if name in options:
                value, src = options[name]
                return whole_number(word_text(value), src)
        return None

    launch.nodes = first("nodes") or launch.nodes
    if entry["kind"] == "ranks":
        launch.per_node = first("processes") or launch.per_node
        launch.total = first("total") or launch.total
        if launch.per_node is None and launch.total is None and entry.get("single"):
            launch.per_node = Val(entry["single"], (Spot(spot.path, spot.line, spot.quote, "the launcher's default"),))
        note_devices(entry, options, launch)
    elif entry["kind"] == "tasks":
        launch.total = first("processes") or launch.total
        launch.per_node = first("per_node") or launch.per_node
        note_hosts(entry, options, launch)
    if "distributed" in entry:
        launch.distributed = (entry["distributed"], spot)


def note_devices(entry: dict[str, Any], options: dict[str, tuple[Val, tuple[Spot, ...]]], launch: Launch) -> None:
    """Count listed devices: `--gpus 0,1,2,3`, `--include localhost:0,1`."""
    for name in entry.get("devices", ()):
        if name in options:
            value, src = options[name]
            launch.per_node = Val(len([part for part in word_text(value).split(",") if part]), src)
    for name in entry.get("devices_count", ()):
        if name in options:
            value, src = options[name]
            launch.per_node = whole_number(word_text(value), src)
    for name in entry.get("include", ()):
        if name in options:
            value, src = options[name]
            hosts = [part for part in word_text(value).split("@") if part]
            slots = [part.partition(":")[2] for part in hosts]
            if all(slots):
                launch.total = Val(sum(len(part.split(",")) for part in slots), src)
                launch.nodes = Val(len(hosts), src)


def note_hosts(entry: dict[str, Any], options: dict[str, tuple[Val, tuple[Spot, ...]]], launch: Launch) -> None:
    """Count hosts: `-H server1:4,server2:4`."""
    for name in entry.get("hosts", ()):
        if name in options:
            value, src = options[name]
            hosts = {part.partition(":")[0] for part in word_text(value).split(",") if part}
            if hosts and not is_open(word_text(value)):
                launch.nodes = Val(len(hosts), src)


def whole_number(text: str, src: tuple[Spot, ...]) -> Val:
    """Read a count; `gpu`, `auto`, a range or an open variable is unknown."""
    known = number(text)
    if isinstance(known, int) and 0 < known < 1_000_000:
        return Val(known, src)
    return unknown(f"{text} is settled when the job starts", Val(text, src))
