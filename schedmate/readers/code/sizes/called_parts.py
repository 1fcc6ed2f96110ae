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


def made_parts(cls: Class) -> set[str]:
    """Name the parts that the making of a network sets in any case, itself or by methods that it calls."""
    made: set[str] = set()
    asked = {"__init__"}
    waiting = [one.attrs["__init__"].data for one in cls.lineage() if "__init__" in one.attrs]
    while waiting:
        method = waiting.pop()
        body = method.node.body if isinstance(method, Function) and method.name in asked else []
        statements = list(body) if isinstance(body, list) else []
        while statements:
            statement = statements.pop()
            if isinstance(statement, (ast.For, ast.With)):
                statements += statement.body
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            made.update(name for target in targets if (name := part_of(target)))
            call = statement.value if isinstance(statement, ast.Expr) else None
            name = part_of(call.func) if isinstance(call, ast.Call) else ""
            found = cls.find(name) if name and name not in asked else None
            asked.add(name)
            waiting += [found.data] if found is not None else []
    return made


def part_of(node: ast.expr) -> str:
    """Name the part of an object whose method is called: `self.core(x)`, `self.core.encoder(x)`."""
    while isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name):
            return node.attr if node.value.id == "self" else ""
        node = node.value
    return ""
