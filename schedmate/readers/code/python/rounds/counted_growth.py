"""Lists that get one item in each round of a loop over what can be counted: as long as what it goes over.

Such a loop is followed as its first round and a later one, so that most of the items are not there to be counted.
"""

import ast
from dataclasses import dataclass
from functools import lru_cache

from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Value, join_spots

LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Raise)
CHANGING = ("append", "extend", "insert", "pop", "remove", "clear")
MOST_LISTS = 16

FOLLOWED = 2
"""So many rounds of such a loop are followed."""
PLAIN = (ast.Name, ast.Attribute, ast.expr_context)
"""What a list is called by that can be asked for twice: `self.names`."""


@dataclass(frozen=True)
class GrowingList:
    """A list that a loop's body appends to, as it was before the loop."""

    node: ast.expr
    items: list[Value]
    before: int
    """So many of its items are there."""
    counted: int
    """So many it has, were they only counted."""


def growing_lists(run: Run, node: ast.For | ast.AsyncFor, scope: Scope) -> list[GrowingList]:
    """Give the lists of known length to which each round of a loop surely appends one item."""
    found: list[GrowingList] = []
    for holder in appended_to(node) if not (run.again or run.growing or run.unsure) else ():
        value = run.evaluate(holder, scope)
        counted = run.counted_length(value) if isinstance(value.data, list) else None
        if counted is not None and type(counted.data) is int:
            found.append(GrowingList(holder, value.data, len(value.data), counted.data))
    return found


@lru_cache(maxsize=512)
def appended_to(node: ast.For | ast.AsyncFor) -> tuple[ast.expr, ...]:
    """Give what statements of a body itself append to in each round, where nothing else in it changes the same list."""
    inside = [one for statement in node.body for one in ast.walk(statement)]
    if any(isinstance(one, LEAVING) for one in inside):
        return ()
    calls = [one.value for one in node.body if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)]
    holders = [call.func.value for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "append"]
    plain = [holder for holder in holders if all(isinstance(one, PLAIN) for one in ast.walk(holder))]
    named = [one for one in inside if isinstance(one, (ast.Name, ast.Attribute))]
    changed = [ast.unparse(one.value) for one in named if isinstance(one, ast.Attribute) and one.attr in CHANGING]
    changed += [ast.unparse(one) for one in named if isinstance(one.ctx, ast.Store)]
    changed += [ast.unparse(part) for one in inside if isinstance(one, ast.Call) for part in one.args if handed(one)]
    return tuple(holder for holder in plain[:MOST_LISTS] if changed.count(ast.unparse(holder)) == 1)


def handed(call: ast.Call) -> bool:
    """Tell a call that may change what it is handed."""
    return not (isinstance(call.func, ast.Name) and call.func.id == "len")


def keep_lengths(run: Run, growing: list[GrowingList], items: Value, scope: Scope) -> None:
    """Keep how long the lists have become, where it can be counted how many rounds the loop has."""
    rounds = run.libraries.length_of(run, items) if growing else None
    if rounds is None or type(rounds.data) is not int:
        return
    for one in growing:
        now = run.evaluate(one.node, scope)
        if now.data is one.items and len(one.items) == one.before + FOLLOWED:  # no method of the program's adds more
            run.lengths[id(one.items)] = (one.items, Value(one.counted + rounds.data, join_spots(rounds, now)))
