"""Which parts of itself a network calls on the way from its input to its output."""

import ast
from collections.abc import Callable
from typing import TypeGuard

from schedmate.readers.code.values.objects import Class, Function
from schedmate.readers.code.values.value import Value

PASSES = ("forward", "call", "__call__")
"""Methods in which a network takes its input through its parts."""
OF_TENSORS = frozenset(
    [
        "view", "view_as", "reshape", "expand", "expand_as", "repeat", "unsqueeze", "squeeze", "permute", "transpose",
        "t", "size", "dim", "numel", "type_as", "clone", "detach", "contiguous", "flatten", "gather", "index_select",
        "sum", "mean", "max", "min", "sqrt", "exp", "log", "abs", "mul", "add", "matmul", "item", "tolist", "numpy",
        "masked_fill", "masked_fill_", "fill_", "copy_", "new_zeros", "new_ones", "new_tensor",
    ]
)  # fmt: skip
"""Methods of tensors that no layer has: what they are called of is kept beside the layers."""


def called_parts(cls: Class) -> set[str]:
    """Name the parts that a network's pass calls, itself or by methods of its own; a teacher or measure stands idle."""
    return met_in_pass(
        cls, lambda node: part_of(node.func) if isinstance(node, ast.Call) and not is_of_tensor(node) else ""
    )


def is_of_tensor(call: ast.Call) -> bool:
    """Tell `self.mask.view(-1)`: a tensor's method, not a layer's pass."""
    func = call.func
    return isinstance(func, ast.Attribute) and func.attr in OF_TENSORS and isinstance(func.value, ast.Attribute)


def read_parts(cls: Class) -> set[str]:
    """Name what of the object a network's pass reads, itself or by methods of its own."""
    return met_in_pass(cls, lambda node: node.attr if is_read(node) else "")


def is_read(node: ast.AST) -> TypeGuard[ast.Attribute]:
    """Tell `self.part` where it is read."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return False
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def met_in_pass(cls: Class, named_by: Callable[[ast.AST], str]) -> set[str]:
    """Gather the names of parts that the statements of a network's pass tell, and those of its methods among them."""
    met: set[str] = set()
    waiting = [found for name in PASSES if (found := cls.find(name)) is not None] or own_methods(cls)
    followed: set[int] = set()
    while waiting:
        method = waiting.pop()
        if id(method.data) in followed:
            continue
        followed.add(id(method.data))
        for node in ast.walk(method.data.node) if isinstance(method.data, Function) else ():
            name = named_by(node)
            waiting += methods_above(cls, node)
            if name and name not in met:
                met.add(name)
                own = cls.find(name)
                waiting += [own] if own is not None else []
    return met


def methods_above(cls: Class, node: ast.AST) -> list[Value]:
    """Give what `super().forward` may be: the methods of that name of the classes that a class is built on."""
    above = node.value.func if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call) else None
    if not isinstance(above, ast.Name) or above.id != "super" or not isinstance(node, ast.Attribute):
        return []
    return [one.attrs[node.attr] for one in cls.lineage()[1:] if node.attr in one.attrs]


def own_methods(cls: Class) -> list[Value]:
    """Give the methods by which a class without a pass of its own is used: a sampler's, a trainer's, a helper's."""
    methods = [(name, value) for one in cls.lineage() for name, value in one.attrs.items()]
    return [value for name, value in methods if isinstance(value.data, Function) and not name.startswith("__")]


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
