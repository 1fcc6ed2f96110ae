"""Notice gradients that a loop gathers by itself: `if step % N == 0: optimizer.step()`."""

import ast

from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope


def note_accumulation(run: Run, node: ast.If, scope: Scope) -> None:
    """Keep the N of `if step % N == 0: optimizer.step()` when the backward pass stands outside of it."""
    parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
    for part in parts:
        if not isinstance(part, ast.Compare) or not isinstance(part.left, ast.BinOp):
            continue
        if isinstance(part.left.op, ast.Mod) and isinstance(part.ops[0], ast.Eq):
            called = {inner.attr for one in node.body for inner in ast.walk(one) if isinstance(inner, ast.Attribute)}
            if "step" in called and "backward" not in called and run.loops:
                steps = [one for one in node.body if is_optimizer_step(one)]
                value = run.evaluate(part.left.right, scope)
                if steps and isinstance(value.data, int) and value.data > 0:
                    run.about(TrainingSigns).accumulation = value


def is_optimizer_step(statement: ast.stmt) -> bool:
    """Tell `optimizer.step()` and `scaler.step(optimizer)` from a scheduler's step."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "step":
        return False
    owner = ast.unparse(call.func.value).lower()
    return "opt" in owner or "scaler" in owner
