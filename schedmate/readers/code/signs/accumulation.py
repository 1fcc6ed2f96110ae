"""Over how many steps a program gathers gradients: the condition that its optimizer's step hangs on."""

import ast

from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope


def note_accumulation(run: Run, node: ast.If, scope: Scope) -> None:
    """Keep the N of `if step % N == 0: optimizer.step()`, and of `if step % N > 0: continue` before such a step."""
    parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
    for part in parts if run.loops else ():
        every = period_of(part, (ast.Eq,))
        stepping = node.body
        if every is None and isinstance(node.body[-1], ast.Continue):
            every = period_of(part, (ast.Gt, ast.NotEq))
            stepping = statements_behind(run, node, scope) if every is not None else []
        if every is None or not steps_without_gradients(stepping):
            continue
        value = run.evaluate(every, scope)
        if isinstance(value.data, int) and value.data > 0:
            run.about(TrainingSigns).accumulation = value


def period_of(test: ast.expr, operators: tuple[type[ast.cmpop], ...]) -> ast.expr | None:
    """Give the N of `step % N == 0`, under one of some comparisons; `step % N` alone is true where `!=` is."""
    left = test.left if isinstance(test, ast.Compare) and isinstance(test.ops[0], operators) else None
    left = test if isinstance(test, ast.BinOp) and ast.NotEq in operators else left
    return left.right if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod) else None


def statements_behind(run: Run, node: ast.If, scope: Scope) -> list[ast.stmt]:
    """Give what stands behind a branch in the body of its loop."""
    tree = run.trees.get(scope.path)
    loops = (one for one in (ast.walk(tree) if tree is not None else ()) if isinstance(one, (ast.For, ast.While)))
    body = next((one.body for one in loops if node in one.body), [])
    behind = body[body.index(node) + 1 :] if body else []
    return [part for one in behind for part in ast.walk(one) if isinstance(part, ast.stmt)]


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
