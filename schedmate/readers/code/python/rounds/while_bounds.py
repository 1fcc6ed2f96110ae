"""What a `while` loop goes up to: its counter, the bound that ends it, the rounds until then."""

import ast
from typing import TypeGuard

from schedmate.readers.code.python.rounds.left_loops import decides
from schedmate.readers.code.python.rounds.raised_counters import changed_names
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Value, join_spots

SAMPLES = ("img", "image", "sample", "example", "token", "seen")
"""Parts of names of counters that count what a step takes rather than steps."""


def bound_of(run: Run, node: ast.While, scope: Scope) -> tuple[tuple[str, ...], Value | None]:
    """Find the counter and the bound: `while step < steps`, or `if step > steps: break` in the body."""
    tests: list[ast.expr] = [node.test]
    named = {
        statement.targets[0].id: statement.value
        for statement in node.body
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    }
    for test in (one.test for one in ast.walk(node) if isinstance(one, ast.If) and ends(one, node)):
        tests.append(named.get(test.id, test) if isinstance(test, ast.Name) else test)
    changed = set(changed_names(node.body))
    for test in tests:
        for part in test.values if isinstance(test, ast.BoolOp) else [test]:
            if not isinstance(part, ast.Compare) or len(part.ops) != 1:
                continue
            if not isinstance(part.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
                continue
            rises_on_left = isinstance(part.ops[0], (ast.Lt, ast.LtE)) == (test is node.test)
            for counter, bound in ((part.left, part.comparators[0]), (part.comparators[0], part.left)):
                is_field = isinstance(counter, (ast.Attribute, ast.BinOp)) and bool(counted_by(counter))
                rises = rises_on_left == (counter is part.left)
                if not rises or (changed.isdisjoint(counted_by(counter)) and not is_field):
                    continue
                value = run.evaluate(bound, scope)
                if type(value.data) in (int, float) and value.data % 1 == 0 and decides(run, part, test, node, scope):
                    value = from_start(run, scope, part, value) if test is node.test else value
                    return tuple(counted_by(counter)), rounds_to(run, node, scope, counter, value)
    return (), None


def from_start(run: Run, scope: Scope, test: ast.Compare, bound: Value) -> Value:
    """Count from where a counter begins, if it begins above 0: `while epoch < epochs + 1` from 1."""
    start = run.evaluate(test.left, scope).data
    if type(start) is not int or start < 1 or not isinstance(test.ops[0], (ast.Lt, ast.LtE)):
        return bound
    return Value(bound.data - start + isinstance(test.ops[0], ast.LtE), bound.src)


def ends(branch: ast.If, loop: ast.While) -> bool:
    """Tell a branch that ends a `while`: by `break` in its body, or anywhere by the flag that it goes by."""
    if branch in loop.body and any(isinstance(last, ast.Break) for last in branch.body):
        return True
    flag = loop.test.operand if isinstance(loop.test, ast.UnaryOp) else loop.test
    return isinstance(flag, ast.Name) and any(
        isinstance(target, ast.Name) and target.id == flag.id
        for one in branch.body
        if isinstance(one, ast.Assign)
        for target in one.targets
    )


def rounds_to(run: Run, node: ast.While, scope: Scope, counter: ast.expr, bound: Value) -> Value | None:
    """Count the rounds to a bound that a counter reaches in steps of a known size: images counted batch by batch.

    One that loops or conditions of the body raise is raised in each round by what is not known.
    """
    raised = [one for one in ast.walk(node) if raises(one, counter)]
    name = "".join(last_name(counter)).lower()
    if not raised or not any(part in name for part in SAMPLES):
        return bound
    if len(raised) > 1 or raised[0] not in node.body:
        return None
    size = run.evaluate(raised[0].value, scope)
    if type(size.data) is not int or size.data < 1:
        return None
    return Value(int(bound.data // size.data), join_spots(bound, size))


def raises(one: ast.AST, counter: ast.expr) -> TypeGuard[ast.AugAssign]:
    """Tell a statement that adds to a counter."""
    if not isinstance(one, ast.AugAssign) or not isinstance(one.op, ast.Add):
        return False
    return ast.dump(one.target).split("ctx")[0] == ast.dump(counter).split("ctx")[0]


def counted_by(node: ast.expr) -> list[str]:
    """Give the names that a counter is made of: `self.step + self.resumed_at` counts by either."""
    parts = (node.left, node.right) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) else (node,)
    return [name for part in parts for name in last_name(part)]


def last_name(node: ast.expr) -> list[str]:
    """Give the name that a counter goes by."""
    if isinstance(node, ast.Name):
        return [node.id]
    return [node.attr] if isinstance(node, ast.Attribute) else []
