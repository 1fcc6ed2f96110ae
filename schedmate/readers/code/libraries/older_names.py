"""Python's own functions and types under the names by which code for Python 2 and 3 knows them: `six.moves.range`."""

from collections.abc import Callable
from functools import partial

from schedmate.readers.code.python.builtin_names import BUILTINS, named
from schedmate.readers.code.values.run import Call, Hook, Run
from schedmate.readers.code.values.value import Value, mapping_of

PLACES = ("six.moves", "builtins", "__builtin__", "past.builtins", "future.builtins", "future.moves.builtins")

SAME = ("range", "zip", "map", "int", "str", "open", "input")
"""Functions that are what they are called today; `xrange` is today's `range`."""
TYPES = {"string_types": "str", "integer_types": "int", "text_type": "str", "binary_type": "bytes"}


def pairs(call: Call) -> Value | None:
    """Model `six.iteritems(mapping)`."""
    owner = call.need(0, "d", dict)
    return Value([Value((Value(key), value)) for key, value in mapping_of(owner).items()], owner.src)


def values(call: Call) -> Value | None:
    """Model `six.itervalues(mapping)`."""
    return Value(list(mapping_of(call.need(0, "d", dict)).values()))


def keys(call: Call) -> Value | None:
    """Model `six.iterkeys(mapping)`."""
    return Value([Value(key) for key in mapping_of(call.need(0, "d", dict))])


def type_of_today(kind: str, run: Run) -> Value:
    """Give the type that stands for an older one."""
    return named(kind)


HOOKS: dict[str, Hook] = {
    **{f"{place}.{name}": BUILTINS[name] for place in PLACES for name in SAME if name in BUILTINS},
    **{f"{place}.xrange": BUILTINS["range"] for place in PLACES},
    "six.iteritems": pairs,
    "six.itervalues": values,
    "six.iterkeys": keys,
}
VALUES: dict[str, Callable[[Run], Value]] = {
    **{f"six.{name}": partial(type_of_today, kind) for name, kind in TYPES.items()},
    "six.PY2": lambda run: Value(False),
    "six.PY3": lambda run: Value(True),
}
