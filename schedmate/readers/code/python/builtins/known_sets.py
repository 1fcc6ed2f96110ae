"""Sets whose items are known; they stand as lists in a reading, with each item once."""

import ast

from schedmate.readers.code.values.run import Call
from schedmate.readers.code.values.value import Value, is_constant, join_spots, unknown

OPERATORS = (ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor)
BY_METHOD: dict[str, type[ast.operator]] = {
    "union": ast.BitOr,
    "intersection": ast.BitAnd,
    "difference": ast.Sub,
    "symmetric_difference": ast.BitXor,
}
MOST_ITEMS = 4_096


def are_sets(op: ast.operator, left: Value, right: Value) -> bool:
    """Tell two sets, or keys of mappings, that an operator of sets stands between: lists have none of these."""
    return isinstance(op, OPERATORS) and isinstance(left.data, list) and isinstance(right.data, list)


def combined(op: type[ast.operator], left: Value, right: Value) -> Value:
    """Combine two sets in the order of their items; where an item is not known, nothing is."""
    first, second = list(left.data), list(right.data)
    if len(first) + len(second) > MOST_ITEMS or not all(map(is_constant, [*first, *second])):
        return unknown("a set of what is not known", left, right)
    inside, outside = {one.data for one in first}, {one.data for one in second}
    kept = {
        ast.BitAnd: [one for one in first if one.data in outside],
        ast.Sub: [one for one in first if one.data not in outside],
        ast.BitOr: [*first, *(one for one in second if one.data not in inside)],
        ast.BitXor: [
            *(one for one in first if one.data not in outside),
            *(one for one in second if one.data not in inside),
        ],
    }[op]
    return Value(once(kept), join_spots(left, right))


def once(items: list[Value]) -> list[Value]:
    """Keep each item once."""
    return list({one.data: one for one in reversed(items)}.values())[::-1]


def make_set(call: Call) -> Value | None:
    """Model `set(items)`."""
    value = call.arg(0)
    if value is None:
        return Value([])
    known = sorted(set(value.data)) if isinstance(value.data, str) else value.data
    items = list(known) if isinstance(known, (list, tuple, dict)) else None
    wrapped = [one if isinstance(one, Value) else Value(one) for one in items or []]
    if items is None or len(wrapped) > MOST_ITEMS or not all(map(is_constant, wrapped)):
        return unknown("a set", value)
    made = Value(once(wrapped), value.src)
    call.run.hand_growth_on(made, value)
    return made


def set_method(call: Call) -> Value | None:
    """Model `union`, `intersection`, `difference` and `issubset`."""
    assert call.owner is not None
    value = call.owner
    for other in call.args:
        if not isinstance(other.data, (list, tuple, dict)):
            return None
        items = Value([one if isinstance(one, Value) else Value(one) for one in other.data], other.src)
        if call.name in ("issubset", "issuperset"):
            if not all(map(call.run.has_known_length, (call.owner, other))):
                return None
            pair = (value, items) if call.name == "issubset" else (items, value)
            left = combined(ast.Sub, *pair)
            return Value(not left.data) if isinstance(left.data, list) else None
        value = combined(BY_METHOD[call.name], value, items)
        if not isinstance(value.data, list):
            return value
    call.run.hand_growth_on(value, call.owner, *call.args)
    return value
