"""Which parts of itself a network calls on the way from its input to its output."""

import ast

from schedmate.readers.code.values.objects import Class, Function

PASSES = ("forward", "call", "__call__")
"""Methods in which a network takes its input through its parts."""


def called_parts(cls: Class) -> set[str]:
    """Name the parts that a network's pass calls, itself or by methods of its own; a teacher or measure stands idle."""
    asked: set[str] = set()
    waiting = [found for name in PASSES if (found := cls.find(name)) is not None]
    while waiting:
        method = waiting.pop()
        for call in ast.walk(method.data.node) if isinstance(method.data, Function) else ():
            name = part_of(call.func) if isinstance(call, ast.Call) else ""
            if name and name not in asked:
                asked.add(name)
                own = cls.find(name)
                waiting += [own] if own is not None else []
    return asked


def read_parts(cls: Class) -> set[str]:
    """Name what of the object a network's pass reads, itself or by methods of its own."""
    read: set[str] = set()
    waiting = [found for name in PASSES if (found := cls.find(name)) is not None]
    while waiting:
        method = waiting.pop()
        for node in ast.walk(method.data.node) if isinstance(method.data, Function) else ():
            if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or node.value.id != "self":
                continue
            if isinstance(node.ctx, ast.Load) and node.attr not in read:
                read.add(node.attr)
                found = cls.find(node.attr)
                waiting += [found] if found is not None else []
    return read


def part_of(node: ast.expr) -> str:
    """Name the part of an object whose method is called: `self.core(x)`, `self.core.encoder(x)`."""
    while isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name):
            return node.attr if node.value.id == "self" else ""
        node = node.value
    return ""
