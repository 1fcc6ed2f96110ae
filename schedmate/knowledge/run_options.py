"""The settings that mark one run of a job: names, seeds, output paths, addresses. Data in `run_options.toml`."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple


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
    text = files("schedmate.knowledge").joinpath("run_options.toml").read_text("utf-8")
    return RunOptions(**{kind: frozenset(names) for kind, names in tomllib.loads(text).items()})
