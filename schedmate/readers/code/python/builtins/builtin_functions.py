"""Python's own functions over known values and sequences: `int`, `min`, `len`, `range`, `zip`, `any` and their like."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.leaving import ProgramRaised
from schedmate.readers.code.values.nested import plain, wrap
from schedmate.readers.code.values.objects import Class, ExternalResult, GeneratedItems, LibraryObject
from schedmate.readers.code.values.path_texts import has_open_part
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Call, LibraryMethod
from schedmate.readers.code.values.value import (
    External,
    Items,
    Unknown,
    Value,
    is_constant,
    is_unknown_by,
    join_spots,
    unknown,
)


def convert(kind: Callable[[Any], object]) -> Callable[[Call], Value | None]:  # Any: int, float and str take others
    """Make a model of `int`, `float` or `str`."""

    def hook(call: Call) -> Value | None:
        value = call.arg(0)
        if value is None:
            return Value({"int": 0, "float": 0.0}.get(call.name, ""))
        if isinstance(value.data, ExternalResult) and "text" in value.data.kwargs and kind is str:
            return value.data.kwargs["text"]
        if kind is str and (written := written_type(value)):
            return Value(written, value.src)
        if not is_constant(value):
            reason = None if kind is str else Reason.NUMBER
            return unknown(f"{call.name}() of what is not known", value, reason=reason)
        try:
            return Value(kind(value.data), value.src)
        except (TypeError, ValueError, OverflowError):
            return fails(call, "ValueError", value)

    return hook


PLAIN_TYPES = ("int", "float", "str", "list", "dict", "tuple", "set", "bool", "bytes", "range")


def written_type(value: Value) -> str:
    """Write out a type as Python does: one of its own, or a class of the repository; a library's may be elsewhere."""
    data = value.data
    if isinstance(data, Class):
        return f"<class '{data.scope.module.name}.{data.name}'>"
    own = isinstance(data, LibraryMethod) and data.owner is None and data.name in PLAIN_TYPES
    named = data.name if own or (isinstance(data, External) and data.name == "argparse.Namespace") else ""
    return f"<class '{named}'>" if named else ""


def to_bool(call: Call) -> Value | None:
    """Model `bool`."""
    value = call.arg(0)
    known = truth(value) if value is not None else False
    return Value(known, value.src if value else ()) if known is not None else unknown("", value or unknown())


def fails(call: Call, error: str, *parts: Value) -> Value:
    """Raise where the program itself guards against it, else give an unknown."""
    if call.scope.tries:
        raise ProgramRaised(error)
    return unknown(f"{call.name}() fails", *parts)


def least(call: Call) -> Value | None:
    """Model `min`: `min(batch_size, len(data))` is the batch size, since data are larger than a batch."""
    if len(call.args) == 2:
        known = [arg for arg in call.args if is_constant(arg)]
        lengths = [arg for arg in call.args if isinstance(arg.data, ExternalResult) and arg.data.short == "len"]
        if len(known) == len(lengths) == 1:
            return known[0]
    return compute(min)(call)


def compute(function: Callable[..., object]) -> Callable[[Call], Value | None]:
    """Model a pure function of known values."""

    def hook(call: Call) -> Value | None:
        try:
            args = [plain(arg) for arg in call.args]
            kwargs = {name: plain(arg) for name, arg in call.kwargs.items()}
            result = function(*args, **kwargs)
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError):
            return unknown(f"{call.name}() of what is not known", *call.args)
        return wrap(result, call.sources())

    return hook


MOST_ITEMS = 4_096

MOST_SORTED = 256
"""How many items are sorted by a function that has to be followed for each."""


def count_items(call: Call) -> Value | None:
    """Model `len`."""
    value = call.arg(0)
    known = value is not None and call.run.has_known_length(value) and not has_open_part(value.data)
    if value is not None and known and isinstance(value.data, (str, list, tuple, dict, set, range)):
        return Value(len(value.data), value.src)
    if value is not None and isinstance(value.data, (int, float, type(None))):
        return fails(call, "TypeError", value)
    counted = call.run.libraries.length_of(call.run, value) if value is not None else None
    if counted is not None:
        return counted
    return Value(ExternalResult("len", [value] if value else [], {}, call.spot))


def count_owner(call: Call) -> Value | None:
    """Model `data.__len__()`, which is `len(data)`."""
    return count_items(replace(call, args=[call.owner] if call.owner is not None else []))


def make_range(call: Call) -> Value | None:
    """Model `range`; its length may be known even though nobody goes through it.

    One that starts at 0, or further on if the run resumes, is that of a run from its beginning.
    """
    ends = [arg.data for arg in call.args]
    if len(ends) > 1 and may_resume(call.args[0]):
        ends[0] = 0
    if ends and all(isinstance(end, int) and abs(end) < 1 << 62 for end in ends):
        try:
            return Value(range(*ends), join_spots(*call.args[1:2], *call.args))
        except (TypeError, ValueError):
            return None
    return Value(ExternalResult("range", call.args, {}, call.spot))


def may_resume(start: Value) -> bool:
    """Tell a beginning that is 0 in one of two ways through the program."""
    return is_unknown_by(start, Reason.ALTERNATIVES) and any(part.data == 0 for part in start.data.parts)


def make_list(call: Call) -> Value | None:
    """Model `list`, `tuple`, `sorted`, `reversed` on known items."""
    value = call.arg(0)
    if value is None:
        return Value([] if call.name != "tuple" else ())
    if isinstance(value.data, range) and len(value.data) > MOST_ITEMS and call.name in ("list", "tuple"):
        return value  # how many there are is all that is asked of so many
    items = known_sequence(value)
    if items is None:
        return unknown(Reason.LISTED, value)
    if call.name == "sorted":
        items = in_sorted_order(call, items)
        if items is None:
            return unknown("sorted by what is not known", value)
    if call.name == "reversed":
        items.reverse()
    made = Value(tuple(items) if call.name == "tuple" else items, value.src)
    call.run.hand_growth_on(made, value)
    return made


def in_sorted_order(call: Call, items: list[Value]) -> list[Value] | None:
    """Sort items whose keys are known; things that have no order of their own stay as they are."""
    by, reverse = call.kwargs.get("key"), call.kwargs.get("reverse", Value(False))
    if by is not None and by.data is not None:
        if len(items) > MOST_SORTED:
            return None
        keys = [call.run.call(by, [item], {}, call.spot, call.scope) for item in items]
    else:
        keys = items
        if not all(isinstance(item.data, (str, int, float)) for item in items):
            return items
    try:
        order = sorted(range(len(items)), key=lambda place: plain(keys[place]), reverse=bool(plain(reverse)))
    except (TypeError, LookupError):
        return None
    return [items[place] for place in order]


def known_sequence(value: Value) -> list[Value] | None:
    """Give the items of a known iterable."""
    data = value.data
    if isinstance(data, (list, tuple)):
        return list(data)
    if isinstance(data, (dict, set)):
        return [item if isinstance(item, Value) else Value(item) for item in list(data)]
    if isinstance(data, (range, str)) and len(data) <= MOST_ITEMS:
        return [Value(item) for item in data]
    return None


def make_dict(call: Call) -> Value | None:
    """Model `dict`."""
    items: Items = {}
    first = call.arg(0)
    if first is not None and isinstance(first.data, dict):
        items.update(first.data)
    elif first is not None:
        pairs = known_sequence(first)
        if pairs is None and not isinstance(first.data, LibraryObject):
            return unknown("a mapping of what is not known", first)
        for pair in pairs or []:
            if isinstance(pair.data, (tuple, list)) and len(pair.data) == 2 and is_constant(pair.data[0]):
                items[pair.data[0].data] = pair.data[1]
    items.update(call.kwargs)
    return Value(items, (call.spot,))


def zip_items(call: Call) -> Value | None:
    """Model `zip` and `enumerate`."""
    sequences = [known_sequence(arg) for arg in call.args[: 1 if call.name == "enumerate" else None]]
    is_counted = call.run.has_known_length(Value(call.args))  # not where they are rows that nobody counted
    if not sequences or not is_counted or any(items is None for items in sequences):
        return call.made()
    if call.name == "enumerate":
        start = call.constant(1, "start", 0)
        made = Value([Value((Value(start + i), item)) for i, item in enumerate(sequences[0] or [])])
    else:
        made = Value([Value(tuple(items)) for items in zip(*[items or [] for items in sequences], strict=False)])
    call.run.hand_growth_on(made, *call.args)
    return made


MOST_MAPPED, MOST_WORDS = 64, 1_000
"""Items that a function of the program is called with, and words that a built-in one as `str` makes of others."""


def map_open(call: Call) -> Value:
    """Give what `map` makes of items that are not known: as many as there were."""
    made = unknown(f"{call.name}() of what is not known", *call.args[1:])
    one = call.args[1] if call.name == "map" and len(call.args) == 2 else None
    counted = call.run.libraries.length_of(call.run, one) if one is not None else None
    if isinstance(made.data, Unknown) and counted is not None and type(counted.data) is int:
        made.data.count = counted.data
    return made


def map_items(call: Call) -> Value | None:
    """Model `map` and `filter`."""
    items = known_sequence(call.args[1]) if len(call.args) > 1 else None
    most = MOST_WORDS if call.args and isinstance(call.args[0].data, LibraryMethod) else MOST_MAPPED
    if items is None or len(items) > most:
        return map_open(call)
    results = [call.run.call(call.args[0], [item], {}, call.spot, call.scope) for item in items]
    if call.name == "filter" and any(truth(result) is None for result in results):
        return unknown("", *items[:3])
    kept = [item for item, result in zip(items, results, strict=True) if truth(result)]
    made = Value(results if call.name == "map" else kept)
    call.run.hand_growth_on(made, *call.args[1:])
    return made


def next_item(call: Call) -> Value | None:
    """Model `next` and `iter`: what comes out is an item of what went in, of a known generator its next one."""
    if call.name == "iter":
        return call.arg(0)
    value = call.arg(0)
    if value is not None and isinstance(value.data, GeneratedItems) and call.run.has_known_length(value):
        if value.data:
            call.run.journal.touch(value.data)
            return value.data.pop(0)
        return call.arg(1) or fails(call, "StopIteration", value)
    return unknown("an item", *call.args[:1])


def quantify(call: Call) -> Value | None:
    """Model `any` and `all`."""
    value = call.arg(0)
    items = known_sequence(value) if value is not None else None
    if items is None:
        return unknown("", *call.args[:1])
    truths = [truth(item) for item in items]
    decisive = call.name == "any"
    if decisive in truths:
        return Value(decisive)
    return unknown("", *items[:3]) if None in truths else Value(not decisive)
