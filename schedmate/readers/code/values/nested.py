"""Nested values: turn them into plain data, plain data into them, and one kind of mapping into another."""

from typing import Any

from schedmate.readers.code.values.value import CONSTANTS, Config, SourceLocation, Value


def plain(value: Value, depth: int = 0) -> Any:  # Any: plain data of any shape
    """Turn a value into plain Python data; raises LookupError at the first unknown part."""
    data = value.data
    if isinstance(data, CONSTANTS):
        return data
    if depth > 20:
        raise LookupError
    if isinstance(data, (list, tuple, set)):
        return type(data)(plain(item, depth + 1) for item in data)
    if isinstance(data, dict):
        return {key: plain(item, depth + 1) for key, item in data.items()}
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
    kind: type[dict[Any, Any]],  # Any: plain mappings and configurations
    src: tuple[SourceLocation, ...] | None = None,
    known: dict[int, Value] | None = None,
) -> Value:
    """Build nested data anew with mappings of another kind; what stands in several places is built once."""
    known = known if known is not None else {}
    data = value.data
    if id(data) in known:
        return known[id(data)]
    places = value.src if src is None else src
    if isinstance(data, dict):
        made = Value(kind(), places)
        if isinstance(data, Config) and isinstance(made.data, Config):
            made.data.cls = data.cls
        known[id(data)] = made
        made.data.update({key: rebuilt(item, kind, src, known) for key, item in data.items()})
        return made
    if isinstance(data, list):
        made = Value([], places)
        known[id(data)] = made
        made.data.extend(rebuilt(item, kind, src, known) for item in data)
        return made
    return Value(data, places) if src is not None else value


def deepen(value: Value) -> Value:
    """Make mappings inside mappings answer to attributes too."""
    return value if isinstance(value.data, Config) else rebuilt(value, Config)
