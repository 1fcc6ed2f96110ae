"""Programs that start other programs; the table is data."""

from functools import lru_cache
from typing import Required, TypedDict

from schedmate.knowledge.tables import entries_by_name


class LauncherRow(TypedDict, total=False):
    """What the table says of a launcher; the table's head says what each word means."""

    id: Required[str]
    names: Required[list[str]]
    kind: Required[str]
    values: list[str]
    flags: list[str]
    positional: list[str]
    words: list[str]
    files: list[str]
    pairs: list[str]
    environment: list[str]
    tells_rank: list[str]
    keeps_rank: list[str]
    processes: list[str]
    nodes: list[str]
    total: list[str]
    per_node: list[str]
    processes_variables: list[str]
    nodes_variables: list[str]
    include: list[str]
    hosts: list[str]
    devices: list[str]
    devices_count: list[str]
    single: int
    anywhere: bool
    distributed: str
    image: bool
    slurm: bool
    batch: bool
    interspersed: bool


@lru_cache(maxsize=1)
def launchers() -> dict[str, LauncherRow]:
    """Give each launcher's entry by each of its names."""
    return entries_by_name("launchers")


def is_wrapper(name: str) -> bool:
    """Tell whether a launcher changes nothing about processes."""
    return name in launchers() and launchers()[name]["kind"] == "wrapper"


def is_batch(name: str) -> bool:
    """Tell whether a launcher is a batch system's, which runs the script itself, once."""
    return name in launchers() and launchers()[name].get("batch", False)
