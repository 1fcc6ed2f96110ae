"""What a job learns to do; the tables are data."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def tables() -> dict[str, Any]:
    """Read the tables once."""
    return tomllib.loads(files(__package__).joinpath("tasks.toml").read_text("utf-8"))


def heads() -> list[list[str]]:
    """Give part of a class's name, task and finer task."""
    found: list[list[str]] = tables()["heads"]
    return found


def library_tasks() -> list[list[str]]:
    """Give library and task."""
    found: list[list[str]] = tables()["libraries"]
    return found


def finer_task(task: str, names: str, calls: set[str], kind: str) -> str | None:
    """Say more exactly what is learned; the first rule that fits counts."""
    for rule in tables()["finer"]:
        if rule["task"] != task or any(word in names for word in rule.get("not_words", ())):
            continue
        by_name = any(word in names for word in rule["words"])
        if by_name or calls.intersection(rule.get("calls", ())) or kind in rule.get("types", ()):
            return str(rule["label"])
    return None
