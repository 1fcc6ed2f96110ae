"""Over how many steps a program gathers gradients: the condition that its optimizer's step hangs on."""

import ast

from schedmate.readers.code.signs.facts import LoopOrder, TrainingSigns
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope


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
            run.about(TrainingSigns).accumulation = value
            run.about(TrainingSigns).leaves_rest = parts == [node.test]


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
