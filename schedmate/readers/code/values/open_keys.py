"""Mappings that are filled under keys which are not known, as a device or a name that only the run has.

What was put under a key is found by that very key again, and by whoever goes through the mapping.
"""

from dataclasses import dataclass, field

from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import Items, Value

MOST_KEPT = 16


@dataclass
class OpenKeys:
    """What was put under keys that are not known, by the mapping."""

    rows: dict[int, list[tuple[Value, Value]]] = field(default_factory=dict)


def put_under(run: Run, items: Items, key: Value, value: Value) -> None:
    """Keep what a mapping is given under a key that is not known; how long it is, is not known from then on."""
    run.grown[id(items)] = items
    rows = run.about(OpenKeys).rows.setdefault(id(items), [])
    rows[:] = [*(row for row in rows if row[0].data is not key.data), (key, value)][-MOST_KEPT:]


def found_under(run: Run, items: Items, key: Value) -> Value | None:
    """Give what was put under this very key."""
    return next((value for known, value in open_rows(run, items) if known.data is key.data), None)


def open_rows(run: Run, items: Items) -> list[tuple[Value, Value]]:
    """Give what else a mapping holds than what stands under known keys."""
    return run.about(OpenKeys).rows.get(id(items), [])
