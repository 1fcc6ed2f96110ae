"""Judge and merge values: whether one counts as true, and what a name stands for after two ways."""

from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.value import CONSTANTS, External, Unknown, Value, is_constant, unknown

JOINED = "depends on what only the run knows"
"""Why a value is not known that two ways through the program leave behind."""

MOST_COMPARED = 3000
"""How many values of two containers are compared."""


def truth(value: Value) -> bool | None:
    """Tell whether a value counts as true; None when that is not known."""
    data = value.data
    if isinstance(data, (*CONSTANTS, list, tuple, dict, set)):
        return bool(data)
    if isinstance(data, ExternalResult):
        return True if data.is_object else None
    if isinstance(data, Unknown):
        return True if data.is_true else None
    if isinstance(data, External):
        return True if data.owner is None and data.name.rpartition(".")[2][:1].isupper() else None
    return True


def join(first: Value, second: Value) -> Value:
    """Merge what a name stands for after two ways that may both have been taken."""
    a, b = first.data, second.data
    if a is b or (is_constant(first) and is_constant(second) and type(a) is type(b) and a == b):
        return first
    if isinstance(a, (dict, list)) and type(a) is type(b) and alike(first, second, [MOST_COMPARED]):
        return first
    for inner, outer in ((first, second), (second, first)):
        if isinstance(outer.data, ExternalResult) and wraps(outer, inner):
            return outer
    parts = (*(a.parts if isinstance(a, Unknown) and a.parts else (first,)),)
    parts += (*(b.parts if isinstance(b, Unknown) and b.parts else (second,)),)
    mark_alternatives(parts)
    merged = unknown(JOINED, *parts)
    merged.data.is_true = truth(first) is True and truth(second) is True
    return merged


def mark_alternatives(parts: tuple[Value, ...]) -> None:
    """Mark objects of different classes between which the run decides; a wrapper is no alternative to what it wraps."""
    made = [part for part in parts if isinstance(part.data, Instance)]
    if len({part.data.cls.name for part in made}) > 1:
        inner = [one for one in made if not any(wraps(one, other) for other in made)]
        for one in inner:
            one.data.rivals = tuple(other.data.cls for other in inner if other.data.cls is not one.data.cls)


def alike(first: Value, second: Value, left: list[int]) -> bool:
    """Tell two containers that hold the same plain values, as two ways of loading one file give them."""
    a, b = first.data, second.data
    left[0] -= 1
    if left[0] < 0 or type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(alike(item, b[key], left) for key, item in a.items())
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(alike(one, other, left) for one, other in zip(a, b, strict=True))
    return a is b or bool(is_constant(first) and a == b)


def wraps(outer: Value, inner: Value) -> bool:
    """Tell whether a value is another one in a wrapper, as a model in DistributedDataParallel."""
    data = outer.data
    if isinstance(data, Instance):
        return any(held.data is inner.data for held in data.attrs.values())
    given = [*data.args, *data.kwargs.values()] if isinstance(data, ExternalResult) else []
    return any(arg.data is inner.data for arg in given)
