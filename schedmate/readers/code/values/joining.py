"""Judge and merge values: whether one counts as true, and what a name stands for after two ways."""

from collections.abc import Sequence
from typing import Any

from schedmate.readers.code.values.objects import ExternalResult, Function, Instance
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.value import CONSTANTS, External, Unknown, Value, is_constant, unknown

MOST_COMPARED = 3000
"""How many values of two containers or objects are compared."""
DEEPEST_COMPARED = 40
"""How deep they are compared: a chain of calls of libraries is as long as a network is deep."""
DEEPEST_JOINED = 4
"""How deep two objects of one class are merged."""
MADE = (dict, list, Instance, ExternalResult)


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
    if isinstance(a, External) and isinstance(b, External) and are_one(a, b):
        return max(first, second, key=lambda one: len(one.data.name))
    if isinstance(a, MADE) and type(a) is type(b) and SameMaking().alike(first, second):
        return first
    if isinstance(a, Instance) and isinstance(b, Instance) and a.cls is b.cls:
        return join_objects(first, second)
    for inner, outer in ((first, second), (second, first)):
        if isinstance(outer.data, ExternalResult) and wraps(outer, inner):
            return outer
    parts = (*(a.parts if isinstance(a, Unknown) and a.parts else (first,)),)
    parts += (*(b.parts if isinstance(b, Unknown) and b.parts else (second,)),)
    mark_alternatives(parts)
    merged = unknown(Reason.ALTERNATIVES, *parts)
    merged.data.is_true = truth(first) is True and truth(second) is True
    return merged


def are_one(one: External, other: External) -> bool:
    """Tell two names of one thing: a part of TensorFlow 1 is called otherwise within TensorFlow 2."""
    names = {thing.name.replace(".compat.v1", "") for thing in (one, other)}
    return one.owner is other.owner and len(names) == 1


def join_objects(first: Value, second: Value, depth: int = 0) -> Value:
    """Merge two objects of one class, as a resumed and a fresh one: the class is known, what differs is open."""
    a, b = first.data, second.data
    merged = Instance(a.cls, {}, a.spot, a.native, a.names, a.rivals, loops=a.loops)
    for name in {**a.attrs, **b.attrs}:
        one, other = a.attrs.get(name, b.attrs.get(name)), b.attrs.get(name, a.attrs.get(name))
        merged.attrs[name] = join_parts(one, other, depth)
    return Value(merged, first.src)


def join_parts(one: Value, other: Value, depth: int) -> Value:
    """Merge what two objects of one class hold under a name; containers of the same length item by item."""
    a, b = one.data, other.data
    if depth > DEEPEST_JOINED or a is b:
        return one
    if isinstance(a, Instance) and isinstance(b, Instance) and a.cls is b.cls:
        return one if SameMaking().alike(one, other) else join_objects(one, other, depth + 1)
    if type(a) is list and type(b) is list:
        alike = len(a) == len(b)
        return Value([join_parts(*pair, depth + 1) for pair in zip(a, b, strict=True)], one.src) if alike else one
    return one if isinstance(a, dict) and type(a) is type(b) else join(one, other)


def mark_alternatives(parts: tuple[Value, ...]) -> None:
    """Mark objects of different classes between which the run decides; a wrapper is no alternative to what it wraps."""
    made = [part for part in parts if isinstance(part.data, Instance)]
    if len({part.data.cls.name for part in made}) > 1:
        inner = [one for one in made if not any(wraps(one, other) for other in made)]
        for one in inner:
            one.data.rivals = tuple(other.data.cls for other in inner if other.data.cls is not one.data.cls)


class SameMaking:
    """Tells two values that two ways made alike: one file loaded twice, one object of the same arguments made twice."""

    def __init__(self) -> None:
        self.left = MOST_COMPARED
        self.depth = 0
        self.seen: set[tuple[int, int]] = set()

    def alike(self, first: Value | None, second: Value | None) -> bool:
        """Tell whether two values hold the same; what comes round to itself is no difference."""
        if first is None or second is None:
            return first is second
        a, b = first.data, second.data
        pair = (id(a), id(b))
        if a is b or pair in self.seen:
            return True
        self.left -= 1
        if self.left < 0 or self.depth >= DEEPEST_COMPARED or type(a) is not type(b):
            return False
        if is_constant(first):
            return bool(a == b)
        self.seen.add(pair)
        self.depth += 1
        try:
            return self.hold_alike(first, second)
        finally:
            self.depth -= 1

    def hold_alike(self, first: Value, second: Value) -> bool:
        """Tell whether what two values of one type hold is made of the same."""
        a, b = first.data, second.data
        if isinstance(a, dict):
            return self.all_alike(a, b)
        if isinstance(a, (list, tuple)):
            return self.each_alike(a, b)
        if isinstance(a, Instance):
            return a.cls is b.cls and self.alike(a.native, b.native) and self.all_alike(a.attrs, b.attrs)
        if isinstance(a, ExternalResult):
            same = a.callee == b.callee and self.each_alike(a.args, b.args) and self.all_alike(a.kwargs, b.kwargs)
            return same and self.alike(a.owner, b.owner) and self.all_alike(a.attrs, b.attrs)
        if isinstance(a, External):
            return a.name == b.name and self.alike(a.owner, b.owner)
        if isinstance(a, Unknown):
            return a.why == b.why and a.text == b.text and self.each_alike(a.parts, b.parts)
        if isinstance(a, Function):
            bound = a.node is b.node and a.scope is b.scope
            return bound and self.each_alike(a.defaults, b.defaults) and self.all_alike(a.kw_defaults, b.kw_defaults)
        return False

    def each_alike(self, first: Sequence[Value], second: Sequence[Value]) -> bool:
        """Tell whether two rows hold the same in the same order."""
        same = len(first) == len(second)
        return same and all(self.alike(one, other) for one, other in zip(first, second, strict=True))

    def all_alike(self, first: "dict[Any, Value]", second: "dict[Any, Value]") -> bool:
        """Tell whether two mappings hold the same under the same names."""
        return first.keys() == second.keys() and all(self.alike(item, second[key]) for key, item in first.items())


def wraps(outer: Value, inner: Value) -> bool:
    """Tell whether a value is another one in a wrapper, as a model in DistributedDataParallel."""
    data = outer.data
    if isinstance(data, Instance):
        return any(held.data is inner.data for held in data.attrs.values())
    given = [*data.args, *data.kwargs.values()] if isinstance(data, ExternalResult) else []
    return any(arg.data is inner.data for arg in given)
