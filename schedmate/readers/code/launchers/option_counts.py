"""Keep what a launcher's options say of processes, nodes and devices."""

from collections.abc import Mapping
from typing import cast

import re2

from schedmate.knowledge.launchers import LauncherRow
from schedmate.readers.code.launchers.batch_requests import (
    SLURM_OPTIONS,
    gpus_per_node,
    gpus_visible,
    told_request,
)
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.libraries.argument_words import is_open, number, word_text
from schedmate.readers.code.values.value import SourceLocation, Value, unknown

Options = dict[str, tuple[Value, tuple[SourceLocation, ...]]]
"""A launcher's options by their bare names, each with its value and its places."""


def note_options(entry: LauncherRow, options: Options, launch: Launch, spot: SourceLocation) -> None:
    """Keep what a launcher's options say of processes, nodes and devices."""
    for key, (value, src) in options.items():
        launch.options.setdefault(f"{entry['id']}.{key}", Value(word_text(value), src))
    if entry.get("slurm"):
        note_request(options, launch)
        return
    if entry.get("batch"):
        launch.asked |= told_request({key: Value(word_text(value), src) for key, (value, src) in options.items()})
    launch.nodes = count_of(entry, "nodes", options, launch) or launch.nodes
    if entry["kind"] == "ranks":
        each, told = count_of(entry, "processes", options, launch), count_of(entry, "total", options, launch)
        # What an outer launcher starts is this launcher, once a node; the processes are those that this one starts.
        launch.total = told or (None if each is not None else launch.total)
        launch.per_node = each or launch.per_node
        if launch.per_node is None and launch.total is None and entry.get("single"):
            launch.per_node = Value(entry["single"], (spot._replace(note="the launcher's default"),))
        note_devices(entry, options, launch)
    elif entry["kind"] == "tasks":
        launch.total = count_of(entry, "processes", options, launch) or launch.total
        launch.per_node = count_of(entry, "per_node", options, launch) or mapped_per_node(options) or launch.per_node
    note_hosts(entry, options, launch)
    if "distributed" in entry:
        launch.distributed = (entry["distributed"], spot)


def note_request(options: Options, launch: Launch) -> None:
    """Keep what a batch system is asked for by options, short and long."""
    for key, (value, src) in options.items():
        name = SLURM_OPTIONS.get(f"--{key.replace('_', '-')}") or SLURM_OPTIONS.get(f"-{key}")
        text = word_text(value)
        if not name and key and key[0] in "NnGC" and key[1:].isdigit():
            name, text = SLURM_OPTIONS[f"-{key[0]}"], key[1:]
        if name:
            launch.asked[name] = Value(text, src)


def count_of(entry: LauncherRow, kind: str, options: Options, launch: Launch) -> Value | None:
    """Give a count by the options that may set it, else by the variables that the launcher reads."""
    rows = cast("Mapping[str, list[str]]", entry)
    for name in rows.get(kind, ()):
        if name in options:
            value, src = options[name]
            text = word_text(value)
            visible = gpus_per_node(launch) if text in ("gpu", "auto") and kind == "processes" else None
            return Value(visible.data, (*src, *visible.src)) if visible is not None else whole_number(text, src)
    for name in rows.get(f"{kind}_variables", ()):
        if name in launch.environment:
            return whole_number(str(launch.environment[name].data), launch.environment[name].src)
    return None


CHOOSES_DEVICES = frozenset({"num_gpus", "num_nodes", "hostfile", "H", "include", "i", "exclude", "e"})
"""Options that choose DeepSpeed's devices: without them it starts a process for each GPU that it is shown."""


def note_devices(entry: LauncherRow, options: Options, launch: Launch) -> None:
    """Count listed devices: `--gpus 0,1,2,3`, `--include localhost:0,1`."""
    for name in entry.get("devices", ()):
        if name in options:
            value, src = options[name]
            listed = [part for part in word_text(value).split(",") if part]
            is_known = not is_open(word_text(value))
            launch.per_node = Value(len(listed), src) if is_known else unknown(f"{word_text(value)} is not set here")
    for name in entry.get("devices_count", ()):
        if name in options:
            value, src = options[name]
            launch.per_node = whole_number(word_text(value), src)
    for name in entry.get("include", ()):
        if name in options:
            value, src = options[name]
            hosts = [part for part in word_text(value).split("@") if part]
            slots = [part.partition(":")[2] for part in hosts]
            launch.nodes = Value(len(hosts), src)
            launch.total = Value(sum(len(part.split(",")) for part in slots), src) if all(slots) else None
    visible = launch.environment.get("CUDA_VISIBLE_DEVICES")
    if "include" in entry and visible is not None and CHOOSES_DEVICES.isdisjoint(options):
        launch.per_node = gpus_visible(visible) or launch.per_node


PER_NODE = re2.compile(r"^ppr:(\d+):node(?:[:,]|$)")


def mapped_per_node(options: Options) -> Value | None:
    """Give the processes of a node by how they are laid out: `--map-by ppr:4:node`."""
    value, src = options.get("map_by", (Value(""), ()))
    laid = PER_NODE.match(word_text(value))
    return whole_number(str(laid.group(1)), src) if laid is not None else None


def note_hosts(entry: LauncherRow, options: Options, launch: Launch) -> None:
    """Count hosts: `-H server1:4,server2:4`."""
    for name in entry.get("hosts", ()):
        if name in options:
            value, src = options[name]
            hosts = {part.partition(":")[0] for part in word_text(value).split(",") if part}
            if hosts and not is_open(word_text(value)):
                launch.nodes = Value(len(hosts), src)


def whole_number(text: str, src: tuple[SourceLocation, ...]) -> Value:
    """Read a count; `gpu`, `auto`, a range such as `1:4` or an open variable is unknown."""
    least, _, most = text.partition(":")
    known = number(text if least != most else least)
    if isinstance(known, int) and 0 < known < 1_000_000:
        return Value(known, src)
    return unknown(f"{text} is settled when the job starts", Value(text, src))
