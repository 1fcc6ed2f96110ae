"""Launchers that are told by a task file what to run, where and how often; the table is data."""

from functools import lru_cache
from typing import Required, TypedDict

from schedmate.knowledge.tables import entries_by_name


class ManifestRow(TypedDict, total=False):
    """What the table says of a launcher that reads a task file."""

    id: Required[str]
    names: Required[list[str]]
    script: list[str]
    nodes: list[str]
    gpus: list[str]
    total_gpus: list[str]
    environment: list[str]
    environment_options: list[str]
    hardware: list[str]
    options: dict[str, str]
    variables: dict[str, str]
    first: dict[str, str]
    file: str
    parameters: list[str]
    parameter_options: list[str]


@lru_cache(maxsize=1)
def manifests() -> dict[str, ManifestRow]:
    """Give each launcher's entry by each of its programs' names."""
    return entries_by_name("manifests")
