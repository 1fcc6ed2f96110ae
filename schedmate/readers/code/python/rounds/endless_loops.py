"""`for` loops over what never ends: how often they run is said by the condition under which they are left."""

import ast
from collections import Counter
from functools import lru_cache

import re2

from schedmate.readers.code.python.rounds.loop_counts import PROGRESS_BARS
from schedmate.readers.code.python.rounds.raised_counters import rises, stores
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Unknown, Value

COUNTERS = ("itertools.count",)
CIRCLES = ("itertools.cycle", "itertools.repeat")

DEEPEST, ZIPPED = 6, 4
"""How deep it is looked into what is around others; what is zipped is not looked for in what is zipped itself."""
MOST_ROUNDS = 1 << 40

LEARNING = re2.compile(r"(?i)train|backward|^step$|_step$|update|gradient|fit|optimi|learn")
"""Parts of names of functions that train, or take a step."""


def is_endless(items: Value, depth: int = 0) -> bool:
    """Tell what gives items for ever: `count()`, `cycle(loader)`, a generator that starts over, whatever is around."""
    data = items.data
    if isinstance(data, Unknown):
        return data.reason is Reason.ENDLESS_GENERATOR
    if not isinstance(data, ExternalResult) or depth > DEEPEST:
        return False
    if data.callee in COUNTERS or (data.callee in CIRCLES and len(data.args) < 2 and "times" not in data.kwargs):
        return True
    around = data.short in (*PROGRESS_BARS, "enumerate", "iter") and bool(data.args)
    zipped = data.callee == "zip" and bool(data.args) and all(is_endless(one, depth + ZIPPED) for one in data.args)
    return zipped or (around and is_endless(data.args[0], depth + 1))


@lru_cache(maxsize=512)
def never_ends(node: ast.AST) -> bool:
    """Tell a generator whose `while True` yields and is not left."""
    for loop in ast.walk(node):
        if isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant) and loop.test.value:
            inner = list(ast.walk(loop))
            leaves = any(isinstance(one, (ast.Return, ast.Raise)) for one in inner)
            breaks = any(isinstance(one, ast.Break) for one in parts_of_round(loop))
            if not leaves and not breaks and any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in inner):
                return True
    return False


def parts_of_round(loop: ast.While) -> list[ast.AST]:
    """Give what stands in a loop's body and in no loop inside of it: what may leave this one."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(loop.body)
    while waiting:
        node = waiting.pop()
        found.append(node)
        if not isinstance(node, (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
    return found


def goes_on_beside(items: Value) -> bool:
    """Tell a range beside nothing but what never ends: `zip(range(steps), cycle(loader))` runs as long as the range."""
    data = items.data
    beside = data.args if isinstance(data, ExternalResult) and data.callee == "zip" else []
    others = [one for one in beside if not isinstance(one.data, (range, list))]
    return bool(others) and all(is_endless(one) for one in others)


def rounds_of_endless(run: Run, node: ast.For | ast.AsyncFor, scope: Scope, items: Value) -> Value | None:
    """Count the rounds over what never ends: as many as are cut from it, or until the loop is left."""
    data = items.data
    if isinstance(data, ExternalResult) and data.short in (*PROGRESS_BARS, "enumerate") and data.args:
        items = data.args[0] if cut_of(data.args[0]) is not None else items
    cut = cut_of(items)
    return cut if cut is not None else rounds_until_left(run, node, scope, items) if is_endless(items) else None


def cut_of(items: Value) -> Value | None:
    """Give how many items are cut from what never ends."""
    data = items.data
    if isinstance(data, ExternalResult) and data.callee == "itertools.islice" and len(data.args) == 2:
        return data.args[1] if is_endless(data.args[0]) and type(data.args[1].data) is int else None
    return None


def rounds_until_left(run: Run, node: ast.For | ast.AsyncFor, scope: Scope, items: Value) -> Value | None:
    """Count the rounds of an endless loop until a counter reaches the bound at which the loop is left."""
    target = node.target.elts[0] if isinstance(node.target, ast.Tuple) and node.target.elts else node.target
    counter, start = (target.id, first_number(items)) if isinstance(target, ast.Name) else ("", None)
    raised, stored, learning = rises(node), stores(node), places_of_learning(node.body)
    for place, statement in enumerate(node.body):
        if not isinstance(statement, ast.If) or not any(isinstance(one, ast.Break) for one in statement.body):
            continue
        test = statement.test
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            continue
        name, added = name_and_sum(test.left)
        begins = start if name == counter else begin_of(scope, raised, stored, name, place)
        bound = run.evaluate(test.comparators[0], scope)
        if begins is None or type(bound.data) is not int or not isinstance(test.ops[0], (ast.Gt, ast.GtE, ast.Eq)):
            continue
        rounds = bound.data + isinstance(test.ops[0], ast.Gt) - begins - added + has_worked(learning, place)
        if 0 < rounds < MOST_ROUNDS:
            return Value(rounds, bound.src)
    return None


def has_worked(learning: list[int], place: int) -> bool:
    """Tell whether a round has done its work where the loop is left: not if only its data are made ready before."""
    return place > 0 and (min(learning, default=place) < place or max(learning, default=place) <= place)


def places_of_learning(body: list[ast.stmt]) -> list[int]:
    """Give which statements of a body train."""
    return [at for at, statement in enumerate(body) if learns(statement)]


def learns(statement: ast.stmt) -> bool:
    """Tell a statement that trains, by what it calls."""
    calls = [node.func for node in ast.walk(statement) if isinstance(node, ast.Call)]
    names = [one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in calls]
    return any(LEARNING.search(name) for name in names)


def first_number(items: Value, depth: int = 0) -> int | None:
    """Give where a loop's own counter begins."""
    data = items.data
    if not isinstance(data, ExternalResult) or depth > DEEPEST:
        return None
    if data.callee in COUNTERS or data.short == "enumerate":
        given = data.kwargs.get("start")
        place = 0 if data.callee in COUNTERS else 1
        told = given or (data.args[place] if len(data.args) > place else Value(0))
        return told.data if type(told.data) is int else None
    return first_number(data.args[0], depth + 1) if data.args and data.short in PROGRESS_BARS else None


def name_and_sum(node: ast.expr) -> tuple[str, int]:
    """Take `step + 1` apart."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and isinstance(node.right, ast.Constant):
        more = node.right.value
        return (node.left.id, more) if isinstance(node.left, ast.Name) and type(more) is int else ("", 0)
    return (node.id, 0) if isinstance(node, ast.Name) else ("", 0)


def begin_of(scope: Scope, raised: dict[str, list[int]], stored: Counter[str], name: str, place: int) -> int | None:
    """Give what a counter that the loop's body raises by one is at a place of the first round."""
    at = raised.get(name, [])
    before = scope.find(name) if name else None
    if stored[name] > 1:
        return None  # a counter that starts over: of rounds without getting better
    if len(at) != 1 or before is None or type(before.data) is not int:
        return None
    begins: int = before.data
    return begins + (at[0] < place)
