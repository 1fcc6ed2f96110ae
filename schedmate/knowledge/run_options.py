"""The settings that mark one run of a job: names, seeds, output paths, addresses. Data in `run_options.toml`."""

from functools import lru_cache
from typing import NamedTuple

from schedmate.knowledge.tables import table


class RunOptions(NamedTuple):
    """Names of settings by what they mark."""

    run: frozenset[str]
    seed: frozenset[str]
    output: frozenset[str]
    address: frozenset[str]
    within_run: frozenset[str]
    run_parents: frozenset[str]
    devices: frozenset[str]


@lru_cache(maxsize=1)
def run_options() -> RunOptions:
    """Read the names once."""
    return RunOptions(**{kind: frozenset(names) for kind, names in table("run_options").items()})
