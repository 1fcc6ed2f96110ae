"""Optimizers by name; the table is data."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    """Read the table once."""
    return tomllib.loads(files(__package__).joinpath("optimizers.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def by_spelling() -> dict[str, str]:
    """Give the usual name of each spelling."""
    return {**{name.lower(): name for name in table()["names"]}, **table()["spelled"]}


def canonical(name: str) -> str | None:
    """Give an optimizer's usual name; None for what is none."""
    text = name.strip().lower().rpartition(".")[2]
    known = by_spelling()
    return known.get(text) or known.get(text.replace("_", "").replace("-", "")) or known.get(text.removeprefix("fused"))


def named_after(name: str) -> str | None:
    """Give the optimizer that a class is named after: `MpiAdam`, `AdamWeightDecayOptimizer`, `MyLion`."""
    stem = name.removesuffix("Optimizer") or name
    ends = [known for known in table()["names"] if stem.endswith(known) and stem[: -len(known)][-1:].islower()]
    return canonical(name) or canonical(stem) or max(ends, key=len, default=None)


def is_library_optimizer(dotted: str) -> bool:
    """Tell a library's optimizer from other things of that name."""
    low = dotted.lower()
    short = low.rpartition(".")[2]
    if canonical(short) is None or not any(word in low for word in table()["libraries"]):
        return False
    return "opt" in low.rpartition(".")[0] or dotted.rpartition(".")[2][:1].isupper()
