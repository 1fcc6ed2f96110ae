"""Follow loops: short known ones in full; the others once as their first round, then once for any later round."""

import ast
from typing import TypeGuard

import re2

from schedmate.readers.code.python.assignments import assign
from schedmate.readers.code.python.branches import explore, merge
from schedmate.readers.code.python.comprehensions import item_of, items_of
from schedmate.readers.code.python.functions import DEEPEST_MAKING, is_of_layers
from schedmate.readers.code.python.gathered_lines import gather_lines
from schedmate.readers.code.python.rounds.counted_growth import growing_lists, keep_lengths
from schedmate.readers.code.python.rounds.endless_loops import goes_on_beside, rounds_of_endless
from schedmate.readers.code.python.rounds.left_loops import left_at
from schedmate.readers.code.python.rounds.loop_counts import (
    PROGRESS_BARS,
    count_from_anywhere,
    count_of,
    is_upper_bound,
)
from schedmate.readers.code.python.rounds.loop_limits import drop_changed, limits_of, sooner
from schedmate.readers.code.python.rounds.own_iterators import drawn_from
from schedmate.readers.code.python.rounds.raised_counters import changed_attributes, changed_names
from schedmate.readers.code.python.rounds.while_bounds import bound_of
from schedmate.readers.code.values.events import FollowedLoop
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.leaving import ControlFlow
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope, Write
from schedmate.readers.code.values.value import SourceLocation, Value, is_constant, unknown

BUILDING = re2.compile(
    r"^(?:__init__|setup|_*(?:build|make|create|construct|init|add|stack|get)(?:_\w*)?(?:layers?|blocks?|stages?|modules?|net|model)"
    r"|_*build|_*(?:res)?(?:layers?|blocks?|stages?)|\w+_(?:build|make)_(?:layers?|blocks?|stages?))$"
)
"""Functions that put a network together: their loops over ranges are followed round by round."""
MOST_ROUNDS = 64
MOST_ROUNDS_BUILDING = 160
MOST_WORDS = 256


def name_of_bound(node: ast.For | ast.AsyncFor) -> tuple[str, ...]:
    """Name a loop whose counter has no telling name after its bound: `for _ in range(config.steps)`."""
    bare = isinstance(node.target, ast.Name) and len(node.target.id) == 1
    call = node.iter if bare and isinstance(node.iter, ast.Call) else None
    bound = call.args[-1] if call is not None and ast.unparse(call.func).endswith("range") and call.args else None
    bound = plain_bound(bound) if bound is not None else None
    return (bound.attr,) if isinstance(bound, ast.Attribute) else (bound.id,) if isinstance(bound, ast.Name) else ()


def plain_bound(bound: ast.expr) -> ast.expr:
    """Take off what makes a bound a whole number or one more: `int(args.steps)`, `steps + 1`."""
    if isinstance(bound, ast.BinOp) and isinstance(bound.op, ast.Add) and isinstance(bound.right, ast.Constant):
        bound = bound.left
    is_cast = isinstance(bound, ast.Call) and ast.unparse(bound.func) == "int" and len(bound.args) == 1
    return bound.args[0] if is_cast and isinstance(bound, ast.Call) else bound


def names_of_target(target: ast.expr) -> list[str]:
    """Give the names that a loop counts by: `self.epoch` is called epoch."""
    if isinstance(target, ast.Attribute):
        return [target.attr]
    return [name.id for name in ast.walk(target) if isinstance(name, ast.Name)]


def follow_for(run: Run, node: ast.For | ast.AsyncFor, scope: Scope) -> ControlFlow | None:
    """Follow a `for` loop."""
    items = run.evaluate(node.iter, scope)
    if gather_lines(run, node, scope, items):
        return None
    names = (*names_of_target(node.target), *name_of_bound(node))
    is_bound = is_upper_bound(node.iter, items, bool(run.loops)) and not goes_on_beside(items)
    count = count_of(items) if run.has_known_length(items) and not is_bound else None
    count = count or count_from_anywhere(run, node.iter, scope) or rounds_of_endless(run, node, scope, items)
    loop = FollowedLoop(SourceLocation(scope.path, node.lineno), names, items, count, body=node.body)
    loop.left_at = left_at(run, node, scope) if count is None else None
    loop.limits = limits_of(run, node, scope, items)
    loop.count = sooner(loop)
    drop_changed(run, loop)
    run.loops.append(loop)
    grows = not run.has_known_length(items)
    run.growing += grows
    try:
        rounds = known_items(run, items, is_arithmetic(node.body), gathers_layers(run, node, scope))
        if rounds is not None and (rounds or not grows):  # of what grows not every item was seen
            loop.in_full = True
            for loop.round, item in enumerate(rounds):
                assign(run, node.target, item, scope)
                signal = run.execute(node.body, scope)
                if signal is not None and signal.kind != "continue":
                    return None if signal.kind == "break" else signal
            return run.execute(node.orelse, scope)
        growing = growing_lists(run, node, scope) if not grows else []
        first = drawn_from(run, items) or first_item(items)
        counted: list[Write] = []
        if not run.again:
            assign(run, node.target, first, scope)
            signal, counted = follow_first(run, node.body, scope)
            if signal is not None and signal.kind != "continue":
                return None if signal.kind == "break" else signal
        follow_later(run, node, scope, items, counted)
        keep_lengths(run, growing, items, scope)
        return None
    finally:
        run.loops.pop()
        run.growing -= grows


def follow_first(run: Run, body: list[ast.stmt], scope: Scope) -> tuple[ControlFlow | None, list[Write]]:
    """Follow the first round; give with it which numbers it changed, however deep below: they change in each round."""
    outer = run.journal.begin()
    try:
        signal = run.execute(body, scope)
    finally:
        written = run.journal.keep(outer)
    return signal, [one for one in written if one[1] is not None and counts_on(one)]


def counts_on(write: Write) -> bool:
    """Tell a number of an object from before that is another one now."""
    place, key, before = write
    now = place.get(key)
    numbers = [one.data for one in (before, now) if isinstance(one, Value) and type(one.data) in (int, float)]
    return len(numbers) == 2 and numbers[0] != numbers[1]


def follow_later(
    run: Run,
    node: ast.For | ast.AsyncFor | ast.While,
    scope: Scope,
    items: Value | None,
    counted: list[Write],
) -> None:
    """Follow any later round: what the loop itself changes is unknown there, and nothing in it is sure."""
    changed = changed_names(node.body)

    def later_round() -> None:
        for place, key, before in counted:
            run.journal.put(place, key, unknown("changes while the loop runs", before))
        for name in changed:
            home = scope.home_of(name)
            if name in home and (is_constant(home[name])):
                run.journal.put(home, name, unknown("changes while the loop runs", home[name]))
        for target in changed_attributes(node.body):
            owner = run.evaluate(target.value, scope)
            before = owner.data.attrs.get(target.attr) if isinstance(owner.data, Instance) else None
            if before is not None and is_constant(before):
                run.journal.put(owner.data.attrs, target.attr, unknown("changes while the loop runs", before))
        if not isinstance(node, ast.While) and items is not None:
            assign(run, node.target, unknown(Reason.LATER_ITEM, items), scope)
        run.execute(node.body, scope)

    run.again += 1
    try:
        outcomes = explore(run, [later_round])
    finally:
        run.again -= 1
    merge(run, [{}, *(written for _, written in outcomes)])


def follow_while(run: Run, node: ast.While, scope: Scope) -> ControlFlow | None:
    """Follow a `while` loop, whose first round is known best."""
    if truth(run.evaluate(node.test, scope)) is False:
        return run.execute(node.orelse, scope)
    bound = bound_of(run, node, scope)
    spot = SourceLocation(scope.path, node.lineno)
    run.loops.append(FollowedLoop(spot, bound[0], Value(None), bound[1], "while", node.body))
    try:
        # A walk over a short known list is followed round by round, any other loop as its first round and a later one.
        walks = walks_list(run, node, scope) or climbs(run, node, scope)
        run.loops[-1].in_full = walks
        counted: list[Write] = []
        for _ in range(MOST_WORDS if walks else 0 if run.again else 1):
            signal, counted = follow_first(run, node.body, scope)
            if signal is not None and signal.kind != "continue":
                return None if signal.kind == "break" else signal
            goes_on = truth(run.evaluate(node.test, scope)) if walks else None
            if goes_on is False:
                return run.execute(node.orelse, scope)
            if goes_on is None:
                break
        follow_later(run, node, scope, None, counted)
        return None
    finally:
        run.loops.pop()


def walks_list(run: Run, node: ast.While, scope: Scope) -> bool:
    """Tell `while i < len(words)` and `while words`, where the list and the condition are known."""
    if truth(run.evaluate(node.test, scope)) is not True:
        return False
    lists = [call.args[0] for call in ast.walk(node.test) if is_length(call)]
    walked = lists or [node.test]
    if not all(isinstance(one, (ast.Name, ast.Attribute)) for one in walked):
        return False
    known = [run.evaluate(one, scope) for one in walked]
    return all(
        isinstance(one.data, list) and len(one.data) <= MOST_WORDS and run.has_known_length(one) for one in known
    )


def climbs(run: Run, node: ast.While, scope: Scope) -> bool:
    """Tell a loop that goes up from a folder to the one above, while its condition is known."""
    if truth(run.evaluate(node.test, scope)) is not True:
        return False
    tested = {name.id for name in ast.walk(node.test) if isinstance(name, ast.Name)}
    steps = [(one.targets[0], one.value) for one in node.body if isinstance(one, ast.Assign)]
    return any(isinstance(name, ast.Name) and name.id in tested and goes_up(value, name.id) for name, value in steps)


def goes_up(value: ast.expr, name: str) -> bool:
    """Tell `os.path.dirname(name)` and `name.parent`."""
    if isinstance(value, ast.Call) and len(value.args) == 1:
        is_dirname = getattr(value.func, "attr", getattr(value.func, "id", "")) == "dirname"
        return is_dirname and isinstance(value.args[0], ast.Name) and value.args[0].id == name
    return isinstance(value, ast.Attribute) and value.attr == "parent" and getattr(value.value, "id", "") == name


def is_length(node: ast.AST) -> TypeGuard[ast.Call]:
    """Tell a call of `len`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and bool(node.args)


def known_items(run: Run, items: Value, counts: bool = False, gathers: bool = False) -> list[Value] | None:
    """Give the items of a loop that is followed in full; long ranges are not, unless it only counts or gathers."""
    if isinstance(items.data, range) and not (counts and len(items.data) <= MOST_ROUNDS):
        building = bool(run.functions) and (gathers or BUILDING.search(run.functions[-1]) is not None)
        if len(items.data) > (MOST_ROUNDS_BUILDING if building else 3) or (run.again and not building):
            return None
    most = MOST_ROUNDS_BUILDING if isinstance(items.data, range) else MOST_WORDS if are_named(items) else MOST_ROUNDS
    return items_of(run, items, most, MOST_WORDS if isinstance(items.data, dict) else MOST_ROUNDS)


def gathers_layers(run: Run, node: ast.For | ast.AsyncFor, scope: Scope) -> bool:
    """Tell a loop below the making of a network that puts one part after the other into a row."""
    made = scope.find("self")
    if made is None or not isinstance(made.data, Instance) or not is_of_layers(made.data):
        return False
    if "__init__" not in run.functions[-DEEPEST_MAKING:]:
        return False
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    return any(isinstance(one, ast.Attribute) and one.attr in ("append", "add_module") for one in calls)


def is_arithmetic(body: list[ast.stmt]) -> bool:
    """Tell a loop that only works numbers out: what is left of a picture's side after some layers."""
    known = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
    return all(
        isinstance(one, (ast.Assign, ast.AugAssign))
        and all(
            isinstance(target, ast.Name) for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
        )
        and all(isinstance(part, known) for part in ast.walk(one.value))
        for one in body
    )


def are_named(items: Value) -> bool:
    """Tell pairs of names and values, as a parser's options are: large programs have more than a hundred."""
    pairs = items.data if isinstance(items.data, list) else ()
    return all(isinstance(one.data, tuple) and len(one.data) == 2 and type(one.data[0].data) is str for one in pairs)


def first_item(items: Value) -> Value:
    """Give what the first round sees."""
    data = items.data
    if isinstance(data, range) and len(data):
        return Value(data[0])
    if isinstance(data, (list, tuple)) and data:
        first = data[0]
        return first if isinstance(first, Value) else unknown()
    if (made := item_of(items)) is not None:
        return made
    if isinstance(data, ExternalResult) and data.callee == "range" and data.args:
        return data.args[0] if len(data.args) > 1 else Value(0)
    if isinstance(data, ExternalResult) and data.short == "enumerate" and data.args:
        start = data.kwargs.get("start") or (data.args[1] if len(data.args) > 1 else Value(0))
        return Value((start, first_item(data.args[0])))
    if isinstance(data, ExternalResult) and data.short in PROGRESS_BARS and data.args:
        return first_item(data.args[0])
    return unknown(Reason.LATER_ITEM, items)
