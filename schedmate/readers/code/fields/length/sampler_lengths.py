"""Samplers of a repository's own whose `__iter__` gives as much as their `__len__` says: many say another length."""

import ast

from schedmate.readers.code.values.objects import Class, Function
from schedmate.readers.code.values.value import held

COUNTING = ("range", "randperm", "torch.randperm", "np.random.permutation", "numpy.random.permutation")
"""Calls that give as many numbers as they are told."""


def gives_its_length(cls: Class) -> bool:
    """Tell a class whose `__iter__` counts to what its `__len__` returns, as far as its text shows."""
    length, draws = held(cls.find("__len__"), Function), held(cls.find("__iter__"), Function)
    if length is None or draws is None or not isinstance(draws.node, ast.FunctionDef):
        return False
    returned = [one.value for one in ast.walk(length.node) if isinstance(one, ast.Return)]
    if len(returned) != 1 or returned[0] is None:
        return False
    told, body = ast.unparse(returned[0]), draws.node.body
    nodes = [node for statement in body for node in ast.walk(statement)]
    given = [one for one in nodes if isinstance(one, (ast.Return, ast.Yield, ast.YieldFrom))]
    if len(given) != 1 or given[0].value is None:
        return False
    if isinstance(given[0], ast.Yield):
        return any(yields_each(one, given[0], told) for one in body)
    in_body = any(one is given[0] or getattr(one, "value", None) is given[0] for one in body)
    return in_body and (is_so_long(given[0].value, told) or is_asserted(body, given[0].value, told))


def yields_each(loop: ast.stmt, given: ast.expr, told: str) -> bool:
    """Tell a loop of so many rounds that gives one thing in each and is never left before."""
    leaves = any(isinstance(one, (ast.Break, ast.Continue)) for one in ast.walk(loop))
    if not isinstance(loop, ast.For) or leaves or not is_so_long(loop.iter, told):
        return False
    return any(isinstance(one, ast.Expr) and one.value is given for one in loop.body)


def is_so_long(value: ast.expr, told: str) -> bool:
    """Tell an expression that gives so many items: `range(n)`, `some[:n]`, of `len(all)` the same `all`."""
    while isinstance(value, ast.Call):
        name, first = ast.unparse(value.func), next(iter(value.args), None)
        if name in COUNTING:
            return first is not None and len(value.args) == 1 and ast.unparse(first) == told
        if name in ("iter", "list", "enumerate") and first is not None:
            value = first
        elif isinstance(value.func, ast.Attribute) and value.func.attr == "tolist":
            value = value.func.value
        else:
            return False
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        cut = value.slice
        return cut.lower is None and cut.step is None and cut.upper is not None and ast.unparse(cut.upper) == told
    return told == f"len({ast.unparse(value)})"


def is_asserted(body: list[ast.stmt], given: ast.expr, told: str) -> bool:
    """Tell a list that is as long as is told by the code's own check: `assert len(order) == self.num_samples`."""
    name = ast.unparse(given).removeprefix("iter(").removesuffix(")")
    checks = {f"len({name}) == {told}", f"{told} == len({name})"}
    return any(isinstance(one, ast.Assert) and ast.unparse(one.test) in checks for one in body)
