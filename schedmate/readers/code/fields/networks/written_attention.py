"""Attention that a network writes out by hand: a softmax of queries times keys, times values, over dense layers."""

import ast

from schedmate.knowledge.tasks import words_of

SOFTMAXES = frozenset({"softmax", "Softmax"})
PRODUCTS = frozenset({"matmul", "bmm", "einsum", "MatMul", "batch_dot"})

ROLES = (frozenset({"q", "query", "queries"}), frozenset({"k", "key", "keys"}), frozenset({"v", "value", "values"}))
"""By which words programs call what is compared, with what, and what is summed up."""
TOGETHER = frozenset({"qkv", "kqv"})
"""All three at once, out of one layer."""


def attends(body: ast.AST) -> bool:
    """Tell code in which queries meet keys and values under a softmax."""
    names = [name for node in ast.walk(body) if (name := name_of(node))]
    if SOFTMAXES.isdisjoint(names) or not multiplies(body, names):
        return False
    said = {word for name in names for word in words_of(name)}
    return not TOGETHER.isdisjoint(said) or all(not role.isdisjoint(said) for role in ROLES)


def name_of(node: ast.AST) -> str:
    """Give the name of a variable or an attribute."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def multiplies(body: ast.AST, names: list[str]) -> bool:
    """Tell code that multiplies matrices."""
    by_sign = any(isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult) for node in ast.walk(body))
    return by_sign or not PRODUCTS.isdisjoint(names)
