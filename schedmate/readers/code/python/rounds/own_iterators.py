"""Trainers of the repository's own that train while a loop or `deque(trainer, maxlen=0)` goes over them."""

import re2

from schedmate.readers.code.values.objects import BoundMethod, Class, Function, Instance
from schedmate.readers.code.values.run import Call, Run
from schedmate.readers.code.values.value import Value, unknown

WORKS = re2.compile(r"(?i)train|learn|optimi[sz]|backward|update_(?:policy|model|net|weights)|policy_update")
"""Parts of names of classes and methods that do more, when they are gone over, than to give data."""


def drawn_from(run: Run, thing: Value) -> Value | None:
    """Follow the first round of a trainer that is gone over, and give what it yields; None for anything else."""
    if not isinstance(thing.data, Instance) or not works(thing.data.cls):
        return None
    start = method_of(thing, "__iter__")
    source = run.call(start, []) if start is not None else thing
    if isinstance(source.data, list):
        return source.data[0] if source.data else None
    step = method_of(source, "__next__")
    return run.call(step, []) if step is not None else None


def works(cls: Class) -> bool:
    """Tell a class that trains from one of data, by its name and those of its methods."""
    names = [name for one in cls.lineage() for name in (one.name, *one.attrs)]
    return any(WORKS.search(name) for name in names if isinstance(name, str))


def method_of(thing: Value, name: str) -> Value | None:
    """Give a method of an object of the repository's own."""
    found = thing.data.cls.find(name) if isinstance(thing.data, Instance) else None
    return Value(BoundMethod(thing, found.data)) if found is not None and isinstance(found.data, Function) else None


def use_up(call: Call) -> Value | None:
    """Model `collections.deque(trainer, maxlen=0)`, which goes over something to its end."""
    value = call.arg(0)
    if value is None or drawn_from(call.run, value) is None:
        return None
    return unknown("what a trainer gave", value)
