"""Classes of data that take each sample by its place from what they hold, which was not drawn at random."""

import ast
from collections.abc import Iterator

from schedmate.readers.code.signs.observer import last_name
from schedmate.readers.code.values.objects import Class

RANDOM = frozenset({"rand", "randn", "randint", "random", "normal", "uniform", "rand_like", "randn_like"})


def takes_from_elsewhere(cls: Class) -> bool:
    """Tell a class whose `__getitem__` looks up its index in an attribute that nothing random was put into."""
    methods = [node for one in cls.lineage() for node in one.node.body if isinstance(node, ast.FunctionDef)]
    held = {name for method in methods if method.name == "__getitem__" for name in looked_up(method)}
    put: dict[str, list[ast.expr]] = {}
    for method in methods:
        for node in ast.walk(method):
            for target in node.targets if isinstance(node, ast.Assign) else ():
                if isinstance(target, ast.Attribute) and isinstance(node, ast.Assign):
                    put.setdefault(target.attr, []).append(node.value)
    return any(name in put and not any(map(draws, put[name])) for name in held)


def looked_up(method: ast.FunctionDef) -> Iterator[str]:
    """Name the attributes in which a method looks up its index: `self.users[index]`."""
    index = method.args.args[1].arg if len(method.args.args) > 1 else ""
    for node in ast.walk(method):
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Attribute):
            continue
        if isinstance(node.slice, ast.Name) and node.slice.id == index:
            yield node.value.attr


def draws(node: ast.expr) -> bool:
    """Tell an expression in which something is drawn at random."""
    return any(isinstance(one, ast.Call) and last_name(one.func) in RANDOM for one in ast.walk(node))
