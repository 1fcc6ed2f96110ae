"""Loops over data that are left at a number of steps: the counter that their body raises, and the bound it meets."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from schedmate.readers.code.python.rounds.endless_loops import has_worked, places_of_learning
from schedmate.readers.code.python.rounds.raised_counters import rises, stores
from schedmate.readers.code.values.events import FollowedLoop
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Value

COUNTERS = ("step", "iter", "update", "batch")
"""Parts of names of what counts steps."""
SHORT_COUNTERS = frozenset({"it", "itr", "its"})
"""Words in names of what counts steps."""
LEAVING = ("exit", "quit", "_exit")
MOST_EXITS = 8
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Loop = ast.For | ast.AsyncFor


@dataclass(frozen=True)
class LoopExit:
    """A branch in a loop's body by which it is left."""

    counter: str
    bound: ast.expr
    more: int
    """How many steps are taken beyond the bound."""
    is_first: bool
    """It stands before the work of a round: once it is taken, rounds that follow do nothing either."""
    others: tuple[ast.expr, ...]
    """What must hold besides."""
    branch: ast.If


def left_at(run: Run, node: Loop, scope: Scope) -> tuple[str, Value] | None:
    """Give the counter by which a loop is left, and with it the job, and the number of steps at which it is."""
    for one in exits(node)[:MOST_EXITS]:
        value = run.evaluate(one.bound, scope)
        if type(value.data) is not int or value.data <= 0:
            continue
        told = all(holds(run, test, node, scope) for test in one.others)
        if told and ends_all(one, node, run.loops) and not starts_over(one.counter, node, run.loops):
            return one.counter, Value(value.data + one.more, value.src)
    return None


def holds(run: Run, test: ast.expr, node: Loop | ast.While, scope: Scope, so: bool = True) -> bool:
    """Tell what is known to be so in every round: nothing in the loop makes it anew, and no call decides it."""
    calls = any(isinstance(one, (ast.Call, ast.Await)) for one in ast.walk(test))
    items = [] if isinstance(node, ast.While) else [node.target]
    made = {name for part in (*items, *node.body) for name in list_names(part, ast.Store)}
    return not calls and made.isdisjoint(list_names(test, ast.Load)) and truth(run.evaluate(test, scope)) is so


def decides(run: Run, part: ast.expr, test: ast.expr, loop: ast.While, scope: Scope) -> bool:
    """Tell a part of a condition that ends a loop alone: what has to hold besides is known to hold in every round."""
    leaves = test is not loop.test
    if not isinstance(test, ast.BoolOp) or isinstance(test.op, ast.And) != leaves:
        return True
    return all(holds(run, other, loop, scope, leaves) for other in test.values if other is not part)


def ends_all(one: LoopExit, node: Loop, loops: list[FollowedLoop]) -> bool:
    """Tell an exit that no loop around comes back from: each is left as well, or has nothing left to do."""
    way = next(statement for statement in one.branch.body if leaves(statement))
    return isinstance(way, ast.Expr) or all(
        (isinstance(way, ast.Return) and is_within(node, loop)) or is_left_with(loop, one) for loop in loops
    )


def is_left_with(loop: FollowedLoop, one: LoopExit) -> bool:
    """Tell a loop that goes by the same counter, or by a flag that the exit raises, or that ends by itself in vain."""
    if (loop.count is not None and loop.count.data == 1) or one.counter.rpartition(".")[2] in loop.names:
        return True
    raised = [part for part in one.branch.body if isinstance(part, ast.Assign) and is_true(part.value)]
    flags = {ast.unparse(target) for part in raised for target in part.targets}
    for branch in loop.body:
        if isinstance(branch, ast.If) and any(map(leaves, branch.body)):
            parts = parts_of(branch.test)
            counts = len(parts) == 1 and isinstance(parts[0], ast.Compare) and ast.unparse(parts[0].left) == one.counter
            if counts or ast.unparse(branch.test) in flags:
                return True
    return loop.kind == "for" and one.is_first


def starts_over(counter: str, node: Loop, loops: list[FollowedLoop]) -> bool:
    """Tell a counter that a loop around sets as well, or that begins anew with each call of its function."""
    for loop in loops:
        if loop.count is not None and loop.count.data == 1:
            continue
        inside = is_within(node, loop)
        if not inside and "." not in counter:
            return True
        if sum(list_names(part, ast.Store).count(counter) for part in loop.body) > int(inside):
            return True
    return False


def is_set_besides(
    counter: str, loop: FollowedLoop, around: tuple[FollowedLoop, ...], trees: Iterable[ast.Module | None]
) -> bool:
    """Tell a counter that another function sets, too, or the loop's own in each call; an object's making begins it."""
    name, kind = counter.rpartition(".")[2], ast.Attribute if "." in counter else ast.Name
    is_called_anew = not all(is_within(loop.body[0], one) for one in around)
    functions = [one for tree in trees if tree is not None for one in ast.walk(tree) if isinstance(one, FUNCTIONS)]
    for function in functions:
        parts = list(ast.walk(function))
        own = any(part is loop.body[0] for part in parts)
        shared = any(isinstance(one, (ast.Global, ast.Nonlocal)) and name in one.names for one in parts)
        stores = sum(is_stored(one, kind, name) for one in parts) if kind is ast.Attribute or shared else 0
        if function.name != "__init__" and (stores > 1 if own and is_called_anew else stores > 0 and not own):
            return True
    return False


def is_stored(node: ast.AST, kind: type[ast.Name] | type[ast.Attribute], name: str) -> bool:
    """Tell a place that sets a name, or an object's field of that name."""
    named = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return isinstance(node, kind) and named == name and isinstance(node.ctx, ast.Store)


def is_within(node: ast.AST, loop: FollowedLoop) -> bool:
    """Tell a loop that is written inside another one."""
    return any(inner is node for part in loop.body for inner in ast.walk(part))


def is_true(node: ast.expr) -> bool:
    """Tell the word `True`."""
    return isinstance(node, ast.Constant) and node.value is True


def parts_of(test: ast.expr) -> list[ast.expr]:
    """Give what must hold all together."""
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


def list_names(node: ast.AST, use: type[ast.expr_context]) -> list[str]:
    """Give the names and attributes that a piece of code sets, or reads, each time that it does."""
    named = (one for one in ast.walk(node) if isinstance(one, (ast.Name, ast.Attribute)))
    return [ast.unparse(one) for one in named if isinstance(one.ctx, use)]


@lru_cache(maxsize=512)
def exits(node: Loop) -> list[LoopExit]:
    """Give the branches by which a loop is left at a number of what it counts."""
    found = []
    raised, stored, learning = rises(node), stores(node), places_of_learning(node.body)
    for place, branch in enumerate(node.body):
        if not isinstance(branch, ast.If) or not any(map(leaves, branch.body)):
            continue
        parts = parts_of(branch.test)
        for part in parts:
            if not isinstance(part, ast.Compare) or not isinstance(part.ops[0], (ast.Gt, ast.GtE, ast.Eq)):
                continue
            counter = ast.unparse(part.left)
            # A counter that is set elsewhere starts over: of rounds without getting better.
            at = raised.get(counter, [])
            if len(at) != 1 or len(part.ops) != 1 or stored[counter] != 1 or not counts_steps(counter):
                continue
            is_ahead = at[0] < place and not has_worked(learning, place)
            more = int(isinstance(part.ops[0], ast.Gt) and not is_ahead)
            others = tuple(one for one in parts if one is not part)
            is_first = is_ahead and not isinstance(part.ops[0], ast.Eq)
            found.append(LoopExit(counter, part.comparators[0], more, is_first, others, branch))
    return found


def leaves(statement: ast.stmt) -> bool:
    """Tell a statement that ends a loop, its function or the program."""
    if isinstance(statement, (ast.Break, ast.Return)):
        return True
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in LEAVING


def counts_steps(counter: str) -> bool:
    """Tell a counter that is named after steps."""
    name = counter.rpartition(".")[2].lower()
    return names_steps(name, COUNTERS) and "epoch" not in name


def names_steps(name: str, parts: tuple[str, ...]) -> bool:
    """Tell a name that means steps: by a part of it, or by a short word in it."""
    return any(part in name.lower() for part in parts) or not SHORT_COUNTERS.isdisjoint(name.lower().split("_"))
