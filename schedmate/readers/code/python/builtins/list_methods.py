"""Methods of lists, and of sets, which stand as lists in a reading; how long a list is may stay open."""

from collections.abc import Callable

from schedmate.readers.code.python.builtins.known_sets import once, set_method
from schedmate.readers.code.values.run import Call, by_names
from schedmate.readers.code.values.value import CONSTANTS, Value, is_constant

MOST_ITEMS = 4_096


def owner_of(call: Call) -> Value:
    """Give the value that a method belongs to."""
    assert call.owner is not None
    return call.owner


def sequence_method(call: Call) -> Value | None:
    """Find or count a known item."""
    items, wanted = owner_of(call).data, call.arg(0)
    if wanted is None or not all(is_constant(item) for item in [*items, wanted]):
        return None
    values = [item.data for item in items]
    if call.name == "count":
        return Value(values.count(wanted.data))
    return Value(values.index(wanted.data)) if wanted.data in values else None


def append_item(call: Call) -> Value | None:
    """Grow a list; one that grows without end is left as it is."""
    items, value = owner_of(call).data, call.arg(0)
    if value is not None and len(items) < MOST_ITEMS:
        call.run.journal.touch(items)
        call.run.note_growth(items)
        items.append(value)
    return Value(None)


def add_item(call: Call) -> Value | None:
    """Put an item into a set, which stands as a list in a reading."""
    value = call.arg(0)
    if value is not None and is_constant(value) and any(value.data == item.data for item in owner_of(call).data):
        return Value(None)
    return append_item(call)


def extend_list(call: Call) -> Value | None:
    """Grow a list by another one; by what is not known, it is of unknown length."""
    items, value = owner_of(call).data, call.arg(0)
    if value is not None and not isinstance(value.data, (list, tuple)):
        leave_length_open(call, items)
    if value is not None and isinstance(value.data, (list, tuple)) and len(items) + len(value.data) < MOST_ITEMS:
        call.run.journal.touch(items)
        call.run.note_growth(items)
        if not call.run.has_known_length(value):
            call.run.grown[id(items)] = items
        items.extend(value.data)
    return Value(None)


def leave_length_open(call: Call, items: list[Value]) -> None:
    """Keep of a list that what is not known was put into it."""
    call.run.journal.touch(items)
    call.run.forget_length(items)
    call.run.grown[id(items)] = items


def update_set(call: Call) -> Value | None:
    """Put the items of others into a set; where one is not known, its length is open: it may be there already."""
    items = owner_of(call).data
    for given in call.args:
        inside = given.data if isinstance(given.data, (list, tuple)) else None
        if inside is None or not all(map(is_constant, inside)) or not call.run.has_known_length(given):
            leave_length_open(call, items)
        held = {item.data for item in items if is_constant(item)}
        new = [one for one in once([one for one in inside or () if is_constant(one)]) if one.data not in held]
        if new and len(items) + len(new) < MOST_ITEMS:
            call.run.journal.touch(items)
            call.run.note_growth(items)
            items.extend(new)
    return Value(None)


def insert_item(call: Call) -> Value | None:
    """Put an item at a place."""
    items, value = owner_of(call).data, call.arg(1)
    if value is not None and isinstance(call.constant(0), int) and len(items) < MOST_ITEMS:
        call.run.journal.touch(items)
        call.run.note_growth(items)
        items.insert(call.constant(0), value)
    return Value(None)


def copy_list(call: Call) -> Value:
    """Copy a list one level deep."""
    owner = owner_of(call)
    made = Value(list(owner.data), owner.src)
    call.run.hand_growth_on(made, owner)
    return made


def pop_item(call: Call) -> Value | None:
    """Take an item out."""
    items, place = owner_of(call).data, call.constant(0, default=-1)
    call.run.forget_length(items)
    if not items or not isinstance(place, int) or not -len(items) <= place < len(items):
        return None
    call.run.journal.touch(items)
    value: Value = items.pop(place)
    return value


def put_in_order(call: Call) -> Value | None:
    """Sort or turn a list round; what is sorted by a function, or has no order of its own, stays as it is."""
    items = owner_of(call).data
    call.run.journal.touch(items)
    if call.name == "reverse":
        items.reverse()
    elif "key" not in call.kwargs and len({type(one.data) for one in items}) == 1 and all(map(is_constant, items)):
        turned = call.constant(-1, "reverse", False) is True
        if isinstance(items[0].data, (str, int, float)):
            items.sort(key=lambda one: one.data, reverse=turned)
    return Value(None)


def drop_item(call: Call) -> Value | None:
    """Take out the first item that equals a known one."""
    items = owner_of(call).data
    call.run.forget_length(items)
    wanted = call.need(0, kind=CONSTANTS)
    found = [place for place, one in enumerate(items) if is_constant(one) and one.data == wanted.data]
    if found:
        call.run.journal.touch(items)
        del items[found[0]]
    return Value(None)


def drop_items(call: Call) -> Value | None:
    """Empty a list."""
    items = owner_of(call).data
    call.run.journal.touch(items)
    items.clear()
    call.run.forget_length(items)
    if not call.run.unsure:
        call.run.grown.pop(id(items), None)
    return Value(None)


LIST: dict[str, Callable[[Call], Value | None]] = {
    "append": append_item,
    "add": add_item,
    "extend": extend_list,
    "update": update_set,
    "insert": insert_item,
    "pop": pop_item,
    "copy": copy_list,
    **by_names("sort reverse", put_in_order),
    **by_names("remove discard", drop_item),
    "clear": drop_items,
    **by_names("union intersection difference symmetric_difference issubset issuperset", set_method),
    **by_names("index count", sequence_method),
}
