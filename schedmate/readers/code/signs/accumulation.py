"""Over how many steps a program gathers gradients: the condition that its optimizer's step hangs on."""

import ast
from collections.abc import Iterator

from schedmate.readers.code.signs.facts import LoopOrder, TrainingSigns
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def note_accumulation(run: Run, node: ast.If, scope: Scope) -> None:
    """Keep the N of `if step % N == 0: optimizer.step()`, and of `if step % N > 0: continue` before such a step."""
    parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
    for part in parts if run.loops else ():
        every = period_of(part)
        gathers = every is not None and steps_without_gradients(node.body)
        if every is None and isinstance(node.body[-1], ast.Continue):
            every = period_left_out(part)
            gathers = every is not None and is_between(run, node)
        if every is None or not gathers:
            continue
        value = run.evaluate(every, scope)
        if isinstance(value.data, int) and value.data > 0:
            signs = run.about(TrainingSigns)
            signs.accumulation = value
            signs.leaves_rest = parts == [node.test] and not steps_besides(run, node, scope)
            signs.carries_rest = signs.leaves_rest and goes_on(run, node, part)


def steps_besides(run: Run, node: ast.If, scope: Scope) -> bool:
    """Tell a branch beside which the same function takes another step: for the batches that are left over."""
    tree = run.trees.get(scope.path)
    if tree is None:
        return True
    around = [
        one for one in ast.walk(tree) if isinstance(one, FUNCTIONS) and any(in_it is node for in_it in ast.walk(one))
    ]
    taken = sum(map(is_optimizer_step, statements_of(around[-1] if around else tree)))
    own = [*node.body, *(run.loops[-1].body if isinstance(node.body[-1], ast.Continue) else [])]
    return taken > sum(is_optimizer_step(one) for part in own for one in statements_of(part))


def statements_of(node: ast.AST) -> Iterator[ast.stmt]:
    """Give the statements of a part of a program."""
    return (one for one in ast.walk(node) if isinstance(one, ast.stmt))


def goes_on(run: Run, node: ast.If, test: ast.expr) -> bool:
    """Tell a counter that runs on from one pass over the data to the next: no loop numbers by it or sets it back."""
    sums = [one.left for one in ast.walk(test) if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Mod)]
    names = {ast.unparse(one) for one in ast.walk(sums[0]) if isinstance(one, (ast.Name, ast.Attribute))}
    if not names or not names.isdisjoint(name for loop in run.loops for name in loop.names):
        return False
    inside = [one for loop in run.loops for part in loop.body for one in ast.walk(part)]
    set_back = {
        ast.unparse(at)
        for one in inside
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant)
        for at in one.targets
    }
    held = all(any(one is node for part in loop.body for one in ast.walk(part)) for loop in run.loops)
    return names.isdisjoint(set_back) and (held or all("." in name for name in names))


def period_of(test: ast.expr) -> ast.expr | None:
    """Give the N of `step % N == 0`."""
    compared = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq)
    return divisor_of(test.left) if compared and isinstance(test, ast.Compare) else None


def period_left_out(test: ast.expr) -> ast.expr | None:
    """Give the N of `step % N > 0`, `step % N != 0`, `step % N != N - 1` or `step % N`: all turns but each N-th.

    `step % N != rank` leaves the turns of other processes out.
    """
    if not isinstance(test, ast.Compare):
        return divisor_of(test)
    every, asked = divisor_of(test.left), ast.unparse(test.comparators[0])
    is_last = every is not None and asked == f"{ast.unparse(every)} - 1" and isinstance(test.ops[0], ast.NotEq)
    is_first = asked == "0" and isinstance(test.ops[0], (ast.Gt, ast.NotEq))
    return every if is_first or is_last else None


def divisor_of(node: ast.expr) -> ast.expr | None:
    """Give the N of `step % N`."""
    return node.right if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) else None


def is_between(run: Run, node: ast.If) -> bool:
    """Tell a branch before which the loop works gradients out, and behind which it only takes the step."""
    order = order_of(run, run.loops[-1].body)
    place = order.places.get(id(node))
    return place is not None and 0 <= order.gradients < place < order.steps


def order_of(run: Run, body: list[ast.stmt]) -> LoopOrder:
    """Tell what the body of a loop does in which order; it is looked through once."""
    orders = run.about(TrainingSigns).orders
    if id(body) not in orders:
        order = orders[id(body)] = LoopOrder(body)
        for place, statement in enumerate(body):
            order.places[id(statement)] = place
            for inner in ast.walk(statement):
                if isinstance(inner, ast.Attribute) and inner.attr == "backward":
                    order.gradients = place
                if isinstance(inner, ast.stmt) and is_optimizer_step(inner):
                    order.steps = place
    return orders[id(body)]


def steps_without_gradients(statements: list[ast.stmt]) -> bool:
    """Tell statements among which an optimizer takes its step, and that work no gradients out."""
    called = {inner.attr for one in statements for inner in ast.walk(one) if isinstance(inner, ast.Attribute)}
    return "backward" not in called and any(is_optimizer_step(one) for one in statements)


def is_optimizer_step(statement: ast.stmt) -> bool:
    """Tell `optimizer.step()` and `scaler.step(optimizer)` from a scheduler's step."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "step":
        return False
    owner = ast.unparse(call.func.value).lower()
    return "opt" in owner or "scaler" in owner
