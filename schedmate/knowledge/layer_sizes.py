"""How many parameters the layers of libraries have, by what they are made with; the table is data."""

import ast
from functools import lru_cache
from typing import Any, NamedTuple

from schedmate.knowledge.tables import table


class LayerSize(NamedTuple):
    """A layer's signature, as far as it matters, and its arithmetic."""

    names: tuple[str, ...]
    defaults: dict[str, object]
    alias: dict[str, str]
    formula: ast.expr


def library_of(callee: str) -> tuple[str, str] | None:
    """Give the library that a dotted name is of, as the table lists it, and whose layers it has."""
    known: dict[str, str] = table("layer_sizes")["libraries"]
    found = [library for library in known if callee.startswith(f"{library}.")]
    return (max(found, key=len), known[max(found, key=len)]) if found else None


def layer_size(callee: str) -> LayerSize | None:
    """Give a layer's arithmetic by its dotted name."""
    library = library_of(callee)
    return sizes_of(library[1]).get(callee.rpartition(".")[2]) if library is not None else None


def ready_network(name: str) -> dict[str, float] | None:
    """Give the millions of parameters of one of Keras' ready networks, whole and without head, and its channels."""
    found: dict[str, float] | None = table("layer_sizes")["keras_ready"].get(name)
    return found


def is_whole(callee: str) -> bool:
    """Tell a layer of a library whose layers with parameters stand in the table, all but those that wait for input."""
    library = library_of(callee)
    if callee.rpartition(".")[2].startswith("Lazy"):
        return False
    return library is not None and library[0] in table("layer_sizes")["whole"]["libraries"]


@lru_cache(maxsize=16)
def sizes_of(group: str) -> dict[str, LayerSize]:
    """Read the layers of a library, each under all of its names."""
    return read_sizes(table("layer_sizes").get(group, {}))


@lru_cache(maxsize=1)
def sizes_of_models() -> dict[str, LayerSize]:
    """Read the arithmetic of models that are made from a configuration, each under its family's name."""
    return read_sizes(table("hub_models"))


def read_sizes(entries: dict[str, Any]) -> dict[str, LayerSize]:
    """Read each entry under all of its names."""
    found = {}
    for name, entry in entries.items():
        words = [word.partition("=") for word in entry["takes"].split()]
        defaults = {word: ast.literal_eval(value) for word, sign, value in words if sign}
        formula = ast.parse(entry["count"], mode="eval").body
        size = LayerSize(tuple(word for word, _, _ in words), defaults, entry.get("alias", {}), formula)
        found.update(dict.fromkeys((name, *entry.get("also", ())), size))
    return found
