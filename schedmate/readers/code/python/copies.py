"""`copy.copy` and `deepcopy`: later writes to the copy leave the original alone."""

from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.run import Call
from schedmate.readers.code.values.value import Config, Value


def copy_value(call: Call) -> Value | None:
    """Model `copy.copy` and `deepcopy`."""
    value = call.arg(0)
    return copied(value) if value is not None else None


def copied(value: Value, known: dict[int, Value] | None = None) -> Value:
    """Copy containers, so that later writes to the copy leave the original alone; shared parts stay shared."""
    known = known if known is not None else {}
    data = value.data
    if id(data) in known:
        return known[id(data)]
    if isinstance(data, dict):
        made = Value(Config(kind=data.kind) if isinstance(data, Config) else {}, value.src)
        if isinstance(data, Config):
            made.data.cls = data.cls
        known[id(data)] = made
        made.data.update({k: copied(item, known) if isinstance(item, Value) else item for k, item in data.items()})
        return made
    if isinstance(data, list):
        made = Value([], value.src)
        known[id(data)] = made
        made.data.extend(copied(item, known) if isinstance(item, Value) else item for item in data)
        return made
    if isinstance(data, Instance):
        return Value(Instance(data.cls, dict(data.attrs), data.spot, data.native, list(data.names)), value.src)
    return value
