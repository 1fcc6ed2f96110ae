"""Optimizers by name; the table is data."""

from functools import lru_cache

from schedmate.knowledge.tables import table


@lru_cache(maxsize=1)
def by_spelling() -> dict[str, str]:
    """Give the usual name of each spelling."""
    return {**{name.lower(): name for name in table("optimizers")["names"]}, **table("optimizers")["spelled"]}


def canonical(name: str) -> str | None:
    """Give an optimizer's usual name; None for what is none."""
    text = name.strip().lower().rpartition(".")[2]
    known = by_spelling()
    return known.get(text) or known.get(text.replace("_", "").replace("-", "")) or known.get(text.removeprefix("fused"))


def named_after(name: str) -> str | None:
    """Give the optimizer that a class is named after: `MpiAdam`, `AdamWeightDecayOptimizer`, `MyLion`."""
    stem = name.removesuffix("Optimizer") or name
    fitting = [known for known in table("optimizers")["names"] if stem.endswith(known)]
    ends = [known for known in fitting if stem[: -len(known)][-1:].islower()]
    return canonical(name) or canonical(stem) or max(ends, key=len, default=None)


ABOUT = frozenset(("update", "updates", "step", "apply", "op", "ops"))
"""What the name of a function that is an optimizer says beside that: `adam_updates`, `apply_sgd`."""


def of_function(name: str) -> str | None:
    """Give the optimizer that a function is, by its name alone."""
    stem = "_".join(part for part in name.lower().strip("_").split("_") if part not in ABOUT)
    return canonical(name) or (canonical(stem) if stem != "momentum" else None)  # so a copy of a network is moved


def is_library_optimizer(dotted: str) -> bool:
    """Tell a library's optimizer from other things of that name."""
    low = dotted.lower()
    short = low.rpartition(".")[2]
    if canonical(short) is None or not any(word in low for word in table("optimizers")["libraries"]):
        return False
    path = low.rpartition(".")[0]
    return "opt" in path or path.endswith("lasagne.updates") or dotted.rpartition(".")[2][:1].isupper()
