"""Mappings that are filled under keys which are not known, as a device or a name that only the run has.

What was put under a key is found by that very key again, and by whoever goes through the mapping.
"""

from dataclasses import dataclass, field

from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import Items, Value


@dataclass
class OpenKeys:
    """What was put under keys that are not known, by the mapping."""

    rows: dict[int, tuple[Value, Value, list[object]]] = field(default_factory=dict)
    """the one key, what was put under it last, and what stood in the mapping besides"""
    lost: set[int] = field(default_factory=set)
    """mappings of which it is not known any more what they hold under open keys"""


def put_under(run: Run, items: Items, key: Value, value: Value) -> None:
    """Keep what a mapping is given under a key that is not known; how long it is, is not known from then on.

    Only what is surely put there, once for all, is kept, and only under one key: two may be the same.
    """
    run.grown[id(items)] = items
    keys = run.about(OpenKeys)
    known = keys.rows.get(id(items))
    is_open = run.unsure or run.again or run.growing or run.tries or run.comprehending or run.open_loops
    if is_open or (known is not None and known[0].data is not key.data):
        lose_open(run, items)
    if id(items) not in keys.lost:
        keys.rows[id(items)] = key, value, list(items.items())


def lose_open(run: Run, items: Items) -> None:
    """Forget what stands under open keys: it may have been taken out or written over."""
    keys = run.about(OpenKeys)
    if keys.rows.pop(id(items), None) is not None or id(items) in run.grown:
        keys.lost.add(id(items))


def found_under(run: Run, items: Items, key: Value) -> Value | None:
    """Give what was put under this very key."""
    return next((value for known, value in open_rows(run, items) if known.data is key.data), None)


def open_rows(run: Run, items: Items) -> list[tuple[Value, Value]]:
    """Give what else a mapping holds than what stands under known keys, unless those have changed since."""
    key, value, besides = run.about(OpenKeys).rows.get(id(items)) or (None, None, [])
    if key is None or value is None or besides != list(items.items()):
        return []
    return [(key, value)]


def has_open_rows(run: Run, items: Items) -> bool:
    """Tell whether something was put under keys that are not known."""
    keys = run.about(OpenKeys)
    return id(items) in keys.rows or id(items) in keys.lost
