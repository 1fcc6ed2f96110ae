"""What programs ask of records: their fields with types and defaults, and their values as plain mappings."""

import ast
from collections.abc import Iterator

from schedmate.readers.code.python.builtins.builtin_functions import fails
from schedmate.readers.code.python.classes import default_of
from schedmate.readers.code.python.operators import UNION
from schedmate.readers.code.python.reflection import give_locals
from schedmate.readers.code.values.objects import Class, Instance, fields_of
from schedmate.readers.code.values.run import Call, Hook, Run
from schedmate.readers.code.values.value import Config, External, Unknown, Value

DEEPEST = 12
MOST_PARTS = 300_000

PYDANTIC = ("annotation", "type_", "outer_type_")
"""Under these names pydantic's generations keep a field's type."""
MISSING = Value(External("dataclasses.MISSING"))


def record_of(value: Value | None) -> Class | None:
    """Give the class of a record or of an object that is one."""
    made = value.data.cls if value is not None and isinstance(value.data, Instance) else value.data if value else None
    return made if isinstance(made, Class) and made.kind == "record" else None


def list_fields(call: Call) -> Value | None:
    """Model `dataclasses.fields`; anything else than a record is refused."""
    value = call.need(0)
    made = record_of(value)
    if made is None:
        return None if isinstance(value.data, (Unknown, External)) else fails(call, "TypeError", value)
    return Value(tuple(field_of(call.run, made, name, node) for name, node in fields_of(made).items()), (call.spot,))


def field_of(run: Run, made: Class, name: str, annotation: ast.expr | None) -> Value:
    """Describe one field."""
    home = next((one for one in made.lineage() if name in fields_of(one)), made)
    kind = run.evaluate(annotation, home.scope) if annotation is not None else Value(None)
    default = default_of(run, made, name)
    told = {"name": Value(name), "type": kind, "default": default or MISSING, "default_factory": MISSING}
    told |= dict.fromkeys(PYDANTIC, kind)
    return Value(Config({**told, "metadata": Value({})}), (made.spot,))


def told_of_fields(run: Run, cls: Value, name: str) -> Value | None:
    """Give a class's `__annotations__`, `__dataclass_fields__` or pydantic's tables of fields."""
    made: Class = cls.data
    fields = fields_of(made)
    if not fields or (made.kind != "record" and name != "__annotations__"):
        return None
    own = {key: field_of(run, made, key, node) for key, node in fields.items()}
    if name == "__annotations__":
        own = {key: one.data["type"] for key, one in own.items()}
    return Value(own, (made.spot,))


def is_dataclass(call: Call) -> Value | None:
    """Model `dataclasses.is_dataclass`."""
    value = call.need(0)
    if isinstance(value.data, External) and value.data.name == UNION:
        return Value(False)
    return None if isinstance(value.data, (Unknown, External)) else Value(record_of(value) is not None)


def as_mapping(call: Call) -> Value | None:
    """Model `dataclasses.asdict`: records inside become mappings, too."""
    value = call.need(0)
    if record_of(value) is None or not isinstance(value.data, Instance):
        return give_locals(call)
    return plain(value, 0, iter(range(MOST_PARTS)))


def plain(value: Value, depth: int, left: Iterator[int]) -> Value:
    """Give a record's values as a mapping, those of the records in it as well, as long as parts are left."""
    data = value.data
    if depth > DEEPEST or next(left, None) is None:
        return value
    if isinstance(data, Instance) and data.cls.kind == "record":
        names = [name for name in fields_of(data.cls) if name in data.attrs] or list(data.attrs)
        return Value({name: plain(data.attrs[name], depth + 1, left) for name in names}, value.src)
    if isinstance(data, (list, tuple)):
        return Value(type(data)(plain(item, depth + 1, left) for item in data), value.src)
    if type(data) is dict:
        return Value({key: plain(item, depth + 1, left) for key, item in data.items()}, value.src)
    return value


HOOKS: dict[str, Hook] = {
    "dataclasses.fields": list_fields,
    "dataclasses.is_dataclass": is_dataclass,
    "dataclasses.asdict": as_mapping,
}
