"""What the body of a loop counts: where counters rise by one, and how often each name is set; one walk for all."""

import ast
from collections import Counter


def rises(node: ast.For | ast.AsyncFor) -> dict[str, list[int]]:
    """Give at which places of a loop's body counters rise by one."""
    found: dict[str, list[int]] = {}
    for at, statement in enumerate(node.body):
        for part in statement.body if isinstance(statement, ast.If) and is_at_steps(statement) else [statement]:
            counter = raised_by(part)
            if counter:
                found.setdefault(counter, []).append(at)
    return found


def rises_at_steps(node: ast.For | ast.AsyncFor, counter: str) -> bool:
    """Tell a counter that rises only where the optimizer makes a step."""
    branches = [one for one in node.body if isinstance(one, ast.If) and is_at_steps(one)]
    return any(raised_by(part) == counter for one in branches for part in one.body)


def is_at_steps(branch: ast.If) -> bool:
    """Tell a branch that is taken when the optimizer makes a step: it makes it, or Accelerate says that it was made."""
    if isinstance(branch.test, ast.Attribute) and branch.test.attr == "sync_gradients":
        return True
    calls = (part.value for part in branch.body if isinstance(part, ast.Expr) and isinstance(part.value, ast.Call))
    made = [call.func for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "step"]
    return any(names_optimizer(ast.unparse(one.value).lower()) for one in made)


def names_optimizer(name: str) -> bool:
    """Tell an optimizer by its name from the schedule of its rate: `optim_lr`, `optim.scheduler`."""
    parts = name.replace(".", "_").split("_")
    return "optim" in name and "lr" not in parts and "sched" not in name


def raised_by(statement: ast.stmt) -> str:
    """Give the counter of `step += 1` and `step = step + 1`; nothing for other statements."""
    if isinstance(statement, ast.AugAssign):
        one, counter = statement.value, ast.unparse(statement.target)
        adds = isinstance(statement.op, ast.Add)
    elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BinOp):
        one, counter = statement.value.right, ast.unparse(statement.targets[0])
        adds = isinstance(statement.value.op, ast.Add) and ast.unparse(statement.value.left) == counter
    else:
        return ""
    return counter if adds and isinstance(one, ast.Constant) and one.value == 1 else ""


def stores(node: ast.For | ast.AsyncFor) -> Counter[str]:
    """Count how often a loop's body sets each name and attribute."""
    parts = (one for statement in node.body for one in ast.walk(statement))
    targets = (one for one in parts if isinstance(one, (ast.Name, ast.Attribute)) and isinstance(one.ctx, ast.Store))
    return Counter(ast.unparse(one) for one in targets)


def changed_names(body: list[ast.stmt]) -> list[str]:
    """Give the names that a loop's body assigns."""
    names: dict[str, None] = {}
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names[node.id] = None
    return list(names)


def changed_attributes(body: list[ast.stmt]) -> list[ast.Attribute]:
    """Give the attributes that a loop's body counts up or down: `self.step += 1`."""
    return [
        node.target
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute)
    ]
