"""Optimizers that a repository writes itself: classes with a step, functions over parameters and gradients."""

import ast
from functools import lru_cache

from schedmate.knowledge.code_words import words
from schedmate.knowledge.optimizers import canonical, named_after, of_function
from schedmate.readers.code.values.objects import BoundMethod, Function, Instance
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import SourceLocation, Value

STEPS = frozenset(words("training.steps"))

DESCENDS = frozenset({"gradients", "grad", "assign", "assign_sub", "assign_add", "sub_", "add_"})
"""What a function that applies gradients asks of a library: for them, or for a variable to be changed."""


ASKS = frozenset({"gradients", "grad"})


def note_own_step(
    run: Run, method: BoundMethod, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation
) -> None:
    """Keep that an object of a class that is named after an optimizer takes a step."""
    made = method.owner.data
    if method.function.name in STEPS and isinstance(made, Instance) and named_after(made.cls.name) is not None:
        run.record(f"{made.cls.name}.{method.function.name}", args, kwargs, spot, method.owner, Value(None))


def note_own_function(
    run: Run, function: Function, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation
) -> None:
    """Keep that a function that is named after an optimizer, as `adam(params, grads, lr)`, applies gradients."""
    if of_function(function.name) is None or len(args) + len(kwargs) < 2 or not descends(function.node):
        return
    spec = function.node.args
    names = [one.arg for one in [*spec.posonlyargs, *spec.args]]
    if canonical(function.name) is None and not is_handed_gradients(function.node, names):
        return
    defaults = zip(names[len(names) - len(function.defaults) :], function.defaults, strict=True)
    given = {**dict(defaults), **dict(zip(names, args, strict=False)), **kwargs}
    run.record(f"{function.name}.apply_gradients", [], given, spot, Value(function), Value(None))


@lru_cache(maxsize=256)
def asks_for_gradients(node: ast.AST) -> bool:
    """Tell a body that asks for gradients of what it is handed, in a library of graphs."""
    return any(isinstance(one, ast.Attribute) and one.attr in ASKS for one in ast.walk(node))


def is_handed_gradients(node: ast.AST, names: list[str]) -> bool:
    """Tell one update from a whole training: its parameters are gradients, or a loss that it asks for them of."""
    if any("epoch" in name or "iter" in name for name in names):
        return False
    slopes = any("grad" in name for name in names)
    return slopes or (any("loss" in name or "cost" in name for name in names) and asks_for_gradients(node))


@lru_cache(maxsize=256)
def descends(node: ast.AST) -> bool:
    """Tell a body that works with gradients or changes variables."""
    return any(isinstance(one, ast.Attribute) and one.attr in DESCENDS for one in ast.walk(node))
