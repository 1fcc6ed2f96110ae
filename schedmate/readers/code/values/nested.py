"""Nested values: plain data made of them, values made of plain data and of libraries' defaults, and copies."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.value import CONSTANTS, Config, SourceLocation, Value

MOST_PARTS = 300_000
"""Of plain data; one that stands in many places counts in each."""
MOST_AGAIN = 200
"""Layers of a row that are made anew each."""


def plain(value: Value) -> Any:  # Any: plain data of any shape
    """Turn a value into plain Python data; raises LookupError at the first unknown part, or if it is too large."""
    return value.data if isinstance(value.data, CONSTANTS) else plain_part(value, 0, iter(range(MOST_PARTS)))


def plain_part(value: Value, depth: int, left: Iterator[int]) -> object:
    """Turn a part of a value into plain data; each part takes one of those that are left."""
    data = value.data
    if depth > 20 or next(left, None) is None:
        raise LookupError
    if isinstance(data, CONSTANTS):
        return data
    if isinstance(data, (list, tuple, set)):
        return type(data)(plain_part(item, depth + 1, left) for item in data)
    if isinstance(data, dict):
        return {key: plain_part(item, depth + 1, left) for key, item in data.items()}
    raise LookupError


def wrap(data: object, src: tuple[SourceLocation, ...] = ()) -> Value:
    """Turn plain Python data into a value."""
    if isinstance(data, Value):
        return data
    if isinstance(data, (list, tuple)):
        return Value(type(data)(wrap(item, src) for item in data), src)
    if isinstance(data, dict):
        return Value({key: wrap(item, src) for key, item in data.items()}, src)
    return Value(data, src)


def rebuilt(
    value: Value,
    kind: type[dict[Any, Any]] | None = None,  # Any: plain mappings and configurations
    src: tuple[SourceLocation, ...] | None = None,
    known: dict[int, Value] | None = None,
) -> Value:
    """Build nested data anew, of mappings of another kind if one is given; what stands in several places stays one."""
    known = known if known is not None else {}
    data = value.data
    if id(data) in known:
        return known[id(data)]
    places = value.src if src is None else src
    if isinstance(data, dict):
        same = Config(kind=data.kind) if isinstance(data, Config) else {}
        made = Value(kind() if kind is not None else same, places)
        if isinstance(data, Config) and isinstance(made.data, Config):
            made.data.cls = data.cls
        known[id(data)] = made
        again = ((k, rebuilt(v, kind, src, known) if isinstance(v, Value) else v) for k, v in data.items())
        made.data.update(again)
        return made
    if isinstance(data, list):
        made = Value([], places)
        known[id(data)] = made
        made.data.extend(rebuilt(item, kind, src, known) if isinstance(item, Value) else item for item in data)
        return made
    if kind is None and isinstance(data, Instance):
        twin = Instance(
            data.cls, dict(data.attrs), data.spot, data.native, list(data.names), is_copy=True, loops=data.loops
        )
        return Value(twin, places)
    return Value(data, places) if src is not None else value


def deepen(value: Value) -> Value:
    """Make mappings inside mappings answer to attributes too."""
    return value if isinstance(value.data, Config) else rebuilt(value, Config)


def copied(value: Value) -> Value:
    """Copy containers, so that later writes to the copy leave the original alone; shared parts stay shared."""
    return rebuilt(value)


def made_again(value: Value) -> Value:
    """Give another object of the same making, as a copy or a next round makes one; anything else as it stands."""
    data = value.data
    if isinstance(data, ExternalResult) and type(data) is ExternalResult:
        again = replace(data, attrs=dict(data.attrs), names=list(data.names), is_copy=True)
        return Value(again, value.src)
    if type(data) in (list, tuple) and len(data) <= MOST_AGAIN:
        return Value(type(data)(made_again(item) for item in data), value.src)
    return rebuilt(value) if isinstance(data, Instance) else value


def record_defaults(name: str, spot: SourceLocation | None = None) -> dict[str, Value]:
    """Give a library record's options with their defaults; the quote is the place that leaves them open."""
    place = spot or SourceLocation("", 1)
    found = {}
    for key, value in library_config(name).items():
        note = f"default of {name}: {key} = {value}"
        found[key] = wrap(value, (place.as_default(note),))
    return found


def is_default(value: Value) -> bool:
    """Tell a value that only a library's default gives."""
    return bool(value.src) and value.src[0].is_default
