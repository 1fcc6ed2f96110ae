"""Loops over data that are left at a number of steps: the counter that their body raises, and the bound it meets."""

import ast
from functools import lru_cache

from schedmate.readers.code.python.endless_loops import has_worked, places_of_learning
from schedmate.readers.code.python.raised_counters import rises, stores
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Value

COUNTERS = ("step", "iter", "update", "batch")
"""Parts of names of what counts steps."""
LEAVING = ("exit", "quit", "_exit")


def left_at(run: Run, node: ast.For | ast.AsyncFor, scope: Scope) -> tuple[str, Value] | None:
    """Give the counter by which a loop is left, and the number of steps at which it is."""
    for counter, bound, more in exits(node):
        value = run.evaluate(bound, scope)
        if type(value.data) is int and value.data > 0:
            return counter, Value(value.data + more, value.src)
    return None


@lru_cache(maxsize=512)
def exits(node: ast.For | ast.AsyncFor) -> list[tuple[str, ast.expr, int]]:
    """Give the counters and bounds by which a loop is left, and how many steps are taken beyond the bound."""
    found = []
    raised, stored, learning = rises(node), stores(node), places_of_learning(node.body)
    for place, branch in enumerate(node.body):
        if not isinstance(branch, ast.If) or not any(map(leaves, branch.body)):
            continue
        test = branch.test
        for part in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]:
            if not isinstance(part, ast.Compare) or not isinstance(part.ops[0], (ast.Gt, ast.GtE, ast.Eq)):
                continue
            counter = ast.unparse(part.left)
            # A counter that is set elsewhere starts over: of rounds without getting better.
            at = raised.get(counter, [])
            if len(at) != 1 or len(part.ops) != 1 or stored[counter] != 1 or not counts_steps(counter):
                continue
            is_ahead = at[0] < place and not has_worked(learning, place)
            found.append((counter, part.comparators[0], int(isinstance(part.ops[0], ast.Gt) and not is_ahead)))
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
    return any(part in name for part in COUNTERS) and "epoch" not in name
