"""Trainers of libraries that a repository extends: its own `fit` in place of theirs is told the same things."""

import ast
from functools import lru_cache

from schedmate.knowledge.library_trainers import row_of_call
from schedmate.readers.code.values.objects import BoundMethod, ExternalResult, Function, Instance
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import SourceLocation, Value


def note_overridden_call(
    run: Run, method: BoundMethod, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation
) -> None:
    """Keep a call of the repository's own method that stands in place of a library's by which a trainer trains."""
    made, name = method.owner.data, method.function.name
    outside = made.cls.outside() if isinstance(made, Instance) and spot.path else []
    base = next((one for one in outside if trains_by(f"{one}.{name}")), None)
    if base is None or made.given is None or hands_on(method.function.node, name):
        return
    parts = ExternalResult(base, made.given[0], named_arguments(method, made.given), made.spot)
    owner = Value(parts, method.owner.src)
    given = {**dict(zip(names_of(method.function), args, strict=False)), **kwargs}
    run.record(f"{base}.{name}", [], given, spot, owner, Value(None))


def trains_by(call: str) -> bool:
    """Tell a call by which a library's trainer trains, by its dotted name."""
    known = row_of_call(call)
    return known is not None and known[1]


@lru_cache(maxsize=256)
def hands_on(node: ast.AST, name: str) -> bool:
    """Tell a method that calls the library's in the end: that call tells more, and is seen for itself."""
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    return any(isinstance(call, ast.Attribute) and call.attr == name and "super" in ast.unparse(call) for call in calls)


def names_of(function: Function) -> list[str]:
    """Name the parameters behind the object itself."""
    spec = function.node.args
    return [one.arg for one in [*spec.posonlyargs, *spec.args]][1:]


def named_arguments(method: BoundMethod, given: tuple[list[Value], dict[str, Value]]) -> dict[str, Value]:
    """Name what the object was made with, as its own start does."""
    start = method.owner.data.cls.find("__init__")
    names = names_of(start.data) if start is not None and isinstance(start.data, Function) else []
    return {**dict(zip(names, given[0], strict=False)), **given[1]}
