"""Say in plain words what is wrong with a value in a file of settings or rules."""

from difflib import get_close_matches

from pydantic import BaseModel, ValidationError


def first_wrong(error: ValidationError, whole: type[BaseModel]) -> tuple[str, str]:
    """Give the name of the first bad value, and what is wrong with it; of an unknown name the one that is meant."""
    first = error.errors(include_url=False, include_input=False)[0]
    path = [str(part) for part in first["loc"]]
    if first["type"] != "extra_forbidden":
        said = first["msg"].removeprefix("Value error, ").replace("Input should be", "it must be", 1)
        return ".".join(path), said
    near = get_close_matches(path[-1], names_at(whole, path[:-1]), 1)
    return ".".join(path), "unknown" + (f"; did you mean {'.'.join([*path[:-1], near[0]])}?" if near else "")


def names_at(whole: type[BaseModel], path: list[str]) -> list[str]:
    """List what a table of a file may hold."""
    table: object = whole
    for part in path:
        held = getattr(table, "model_fields", {}).get(part)
        table = None if held is None else held.annotation
    return list(getattr(table, "model_fields", {}))
