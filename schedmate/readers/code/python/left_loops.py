"""Loops over data that are left at a number of steps: the counter that their body raises, and the bound it meets."""

import ast
from functools import lru_cache

from schedmate.readers.code.python.endless_loops import works_before
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
    for place, branch in enumerate(node.body):
        if not isinstance(branch, ast.If) or not any(map(leaves, branch.body)):
            continue
        test = branch.test
        for part in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]:
            if not isinstance(part, ast.Compare) or not isinstance(part.ops[0], (ast.Gt, ast.GtE, ast.Eq)):
                continue
            counter = ast.unparse(part.left)
            raised = [at for at, one in enumerate(node.body) if raises(one, counter)]
            if len(raised) != 1 or len(part.ops) != 1 or is_set_elsewhere(node, counter) or not counts_steps(counter):
                continue
            is_ahead = raised[0] < place and not works_before(node.body, place)
            found.append((counter, part.comparators[0], int(isinstance(part.ops[0], ast.Gt) and not is_ahead)))
    return found


def leaves(statement: ast.stmt) -> bool:
    """Tell a statement that ends a loop, its function or the program."""
    if isinstance(statement, (ast.Break, ast.Return)):
        return True
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in LEAVING


def raises(statement: ast.stmt, counter: str) -> bool:
    """Tell `step += 1` and `step = step + 1`."""
    if isinstance(statement, ast.AugAssign):
        one = statement.value
        target: ast.expr = statement.target
        adds = isinstance(statement.op, ast.Add)
    elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BinOp):
        target, one = statement.targets[0], statement.value.right
        adds = isinstance(statement.value.op, ast.Add) and ast.unparse(statement.value.left) == counter
    else:
        return False
    return adds and isinstance(one, ast.Constant) and one.value == 1 and ast.unparse(target) == counter


def is_set_elsewhere(node: ast.For | ast.AsyncFor, counter: str) -> bool:
    """Tell a counter that starts over: of rounds without getting better."""
    stores = [
        one
        for part in node.body
        for one in ast.walk(part)
        if isinstance(one, (ast.Name, ast.Attribute)) and isinstance(one.ctx, ast.Store) and ast.unparse(one) == counter
    ]
    return len(stores) != 1


def counts_steps(counter: str) -> bool:
    """Tell a counter that is named after steps."""
    name = counter.rpartition(".")[2].lower()
    return any(part in name for part in COUNTERS) and "epoch" not in name
