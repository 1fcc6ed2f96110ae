"""How calls, options and libraries spread work; the table is data."""

from functools import lru_cache

from schedmate.knowledge.tables import table


def strategy_of_call(name: str) -> str | None:
    """Name the strategy that a call stands for: by its last part, and by its library where the last part is common."""
    root, _, rest = name.partition(".")
    if rest.startswith("multiprocessing."):
        return None  # its pipes lead from process to process
    short = name.rpartition(".")[2].removeprefix("new ")
    calls: dict[str, str] = table("strategies")["calls"]
    return (
        calls.get(f"{root}:{short}") or (calls.get(f"fleet:{short}") if "fleet" in rest else None) or calls.get(short)
    )


def strategy_of_library(name: str) -> str | None:
    """Name the strategy of processes that join through a library."""
    found: str | None = table("strategies")["joined"].get(name)
    return found


@lru_cache(maxsize=1)
def group_of_option() -> dict[str, str]:
    """Give, for each option that sizes a model-parallel group, the kind of group."""
    return {option: kind for kind, options in table("strategies")["groups"].items() for option in options}


@lru_cache(maxsize=1)
def parts_aside() -> frozenset[str]:
    """Name the parts of a configuration that serve other models than the one that is trained."""
    return frozenset(table("strategies")["aside"]["parts"])
