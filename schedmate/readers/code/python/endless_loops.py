"""`for` loops over what never ends: how often they run is said by the condition under which they are left."""

import ast
from functools import lru_cache

from schedmate.readers.code.python.loop_counts import PROGRESS_BARS
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Unknown, Value

ENDLESS_GENERATOR = "a generator without end"
COUNTERS = ("itertools.count",)
CIRCLES = ("itertools.cycle", "itertools.repeat")
DEEPEST = 6
MOST_ROUNDS = 1 << 40


def is_endless(items: Value, depth: int = 0) -> bool:
    """Tell what gives items for ever: `count()`, `cycle(loader)`, a generator that starts over, whatever is around."""
    data = items.data
    if isinstance(data, Unknown):
        return data.why == ENDLESS_GENERATOR
    if not isinstance(data, ExternalResult) or depth > DEEPEST:
        return False
    if data.callee in COUNTERS or (data.callee in CIRCLES and len(data.args) < 2 and "times" not in data.kwargs):
        return True
    around = data.short in (*PROGRESS_BARS, "enumerate", "iter") and bool(data.args)
    zipped = data.callee == "zip" and bool(data.args) and all(is_endless(one, depth + 1) for one in data.args)
    return zipped or (around and is_endless(data.args[0], depth + 1))


@lru_cache(maxsize=512)
def never_ends(node: ast.AST) -> bool:
    """Tell a generator whose `while True` yields and is not left."""
    for loop in ast.walk(node):
        if isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant) and loop.test.value:
            inner = list(ast.walk(loop))
            leaves = any(isinstance(one, (ast.Return, ast.Raise)) for one in inner)
            breaks = any(isinstance(one, ast.Break) for one in loop.body)
            if not leaves and not breaks and any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in inner):
                return True
    return False


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
    for place, statement in enumerate(node.body):
        if not isinstance(statement, ast.If) or not any(isinstance(one, ast.Break) for one in statement.body):
            continue
        test = statement.test
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            continue
        name, added = name_and_sum(test.left)
        begins = start if name == counter else begin_of(scope, node, name, place)
        bound = run.evaluate(test.comparators[0], scope)
        if begins is None or type(bound.data) is not int or not isinstance(test.ops[0], (ast.Gt, ast.GtE, ast.Eq)):
            continue
        rounds = bound.data + isinstance(test.ops[0], ast.Gt) - begins - added + (place > 0)
        if 0 < rounds < MOST_ROUNDS:
            return Value(rounds, bound.src)
    return None


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


def begin_of(scope: Scope, node: ast.For | ast.AsyncFor, name: str, place: int) -> int | None:
    """Give what a counter that the loop's body raises by one is at a place of the first round."""
    raised = [
        at
        for at, one in enumerate(node.body)
        if isinstance(one, ast.AugAssign)
        and isinstance(one.target, ast.Name)
        and one.target.id == name
        and isinstance(one.op, ast.Add)
        and isinstance(one.value, ast.Constant)
        and one.value.value == 1
    ]
    before = scope.find(name) if name else None
    if len(raised) != 1 or before is None or type(before.data) is not int:
        return None
    begins: int = before.data
    return begins + (raised[0] < place)
