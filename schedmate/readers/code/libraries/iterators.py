"""`itertools` over sequences that are known: products, chains and slices, within bounds."""

import itertools
from math import prod

from schedmate.readers.code.python.builtins.builtin_functions import known_sequence
from schedmate.readers.code.python.rounds.own_iterators import use_up
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Value, join_spots

MOST_ITEMS = 4_096


def sequences_of(call: Call) -> list[list[Value]] | None:
    """Give the items of every argument; None where one of them is not known, or lists of unknown length are."""
    found = [known_sequence(arg) for arg in call.args]
    known = [items for items in found if items is not None]
    return known if len(known) == len(found) and all(map(call.run.has_known_length, call.args)) else None


def make_product(call: Call) -> Value | None:
    """Model `itertools.product(a, b, repeat=n)`."""
    given = sequences_of(call)
    times = call.constant(-1, "repeat", 1)
    if given is None or type(times) is not int or not 0 < times <= 8:
        return None
    given = given * times
    if prod(len(items) for items in given) > MOST_ITEMS:
        return None
    return Value([Value(items) for items in itertools.product(*given)], join_spots(*call.args))


def make_chain(call: Call) -> Value | None:
    """Model `itertools.chain(a, b)` and `chain.from_iterable(lists)`."""
    given = sequences_of(call)
    if given is not None and call.name.endswith("from_iterable"):
        inner = [known_sequence(one) for items in given for one in items]
        given = [items for items in inner if items is not None] if None not in inner else None
    if given is None or sum(map(len, given)) > MOST_ITEMS:
        return None
    return Value([one for items in given for one in items], join_spots(*call.args))


def make_slice(call: Call) -> Value | None:
    """Model `itertools.islice(items, ...)` of items that are known."""
    items, ends = known_sequence(call.need(0)), [arg.data for arg in call.args[1:]]
    whole = all(end is None or (type(end) is int and end >= 0) for end in ends)
    if items is None or not call.run.has_known_length(call.args[0]) or not whole or not 0 < len(ends) < 4:
        return None
    return Value(list(itertools.islice(items, *ends)), call.args[0].src) if 0 not in ends[2:] else None


def make_repeats(call: Call) -> Value | None:
    """Model `itertools.repeat(item, times)`; without an end it is a circle."""
    times = call.constant(1, "times")
    item = call.need(0, "object")
    return Value([item] * times, item.src) if type(times) is int and 0 <= times <= MOST_ITEMS else None


HOOKS: dict[str, Hook] = {
    "itertools.repeat": make_repeats,
    "itertools.product": make_product,
    **by_names("itertools.chain itertools.chain.from_iterable", make_chain),
    "itertools.islice": make_slice,
    "collections.deque": use_up,
}
