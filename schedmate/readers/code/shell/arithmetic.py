"""Compute `$((...))` when all names in it are known whole numbers."""

import ast

import re2

from schedmate.readers.code.python.operators import operate
from schedmate.readers.code.shell.variables import ShellVariables, WordPiece
from schedmate.readers.code.values.value import Value, is_constant, join_spots
from schedmate.tools.syntax_tree import parse_expression

LONGEST_FORMULA = 500
NAME = re2.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def arithmetic(text: str, expanded: str, names: ShellVariables) -> WordPiece:
    """Compute `$((...))`; what cannot be computed stays as it is written, as one word."""
    tidy = expanded[:LONGEST_FORMULA].strip().replace("&&", " and ").replace("||", " or ")
    try:
        value = compute(parse_expression(tidy), names)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        value = None
    if value is None:
        return WordPiece("$((" + "".join(text.split()) + "))")
    sources = [found for name in NAME.findall(text) if (found := names.find(name)) is not None]
    return WordPiece(str(value.data), join_spots(value, *sources))


def compute(node: ast.expr, names: ShellVariables) -> Value | None:
    """Compute a shell's integer arithmetic."""
    if isinstance(node, ast.Constant):
        return Value(node.value) if isinstance(node.value, int) else None
    if isinstance(node, ast.Name):
        value = names.find(node.id)
        text = str(value.data) if value is not None else ""
        return (
            Value(int(text), value.src) if value is not None and text.lstrip("-").isdigit() and len(text) < 18 else None
        )
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = compute(node.operand, names)
        return Value(-inner.data, inner.src) if inner is not None else None
    if isinstance(node, ast.BinOp):
        left, right = compute(node.left, names), compute(node.right, names)
        if left is None or right is None:
            return None
        op = ast.FloorDiv() if isinstance(node.op, ast.Div) else node.op
        result = operate(op, left, right)
        return result if is_constant(result) else None
    return None
