"""Loops that their own body may break off, unless what it asks for is switched off: `if args.dry_run: break`."""

import ast

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import FollowedLoop
from schedmate.readers.code.values.value import Value, is_constant

DEEPEST = 8


def ends_early(view: View, loop: FollowedLoop) -> bool:
    """Tell a loop that its own body may break off, at no known number of rounds."""
    waiting: list[ast.AST] = list(loop.body)
    limits = {id(one.branch) for one in loop.limits}
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and id(node) in limits:
            waiting += node.orelse
            continue
        if isinstance(node, (ast.Break, ast.Return)):
            return True
        if isinstance(node, ast.If) and is_off(view, node.test):
            waiting += node.orelse
        elif not isinstance(node, (ast.For, ast.While, ast.FunctionDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
    return False


def is_off(view: View, test: ast.expr, depth: int = 0) -> bool:
    """Tell a condition that never holds, by options that are known: a switch that is off, a limit that is none."""
    if depth > DEEPEST:
        return False
    if isinstance(test, ast.BoolOp):
        sides = [is_off(view, side, depth + 1) for side in test.values]
        return any(sides) if isinstance(test.op, ast.And) else all(sides)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        value, other = option_of(view, test.left), test.comparators[0]
        written = other.value if isinstance(other, ast.Constant) else ...
        if value is None or written is ... or isinstance(value.data, str):
            return False
        if isinstance(test.ops[0], (ast.IsNot, ast.NotEq)):
            return bool(value.data == written)
        numbers = all(isinstance(one, (int, float)) for one in (value.data, written))
        return isinstance(test.ops[0], ast.Gt) and numbers and bool(value.data <= written)
    value = option_of(view, test)
    return value is not None and value.data in (False, None, 0, "")


def option_of(view: View, node: ast.expr) -> Value | None:
    """Give the option that an expression asks for: `args.limit`, `config["limit"]`; none of two of a name."""
    name = node.attr if isinstance(node, ast.Attribute) else ""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        name = str(node.slice.value)
    found = [mapping[name] for mapping in view.namespaces if name and name in mapping]
    known = [value for value in found if is_constant(value)]
    same = len(known) == len(found) and len({repr(value.data) for value in known}) == 1
    return known[0] if known and same else None
