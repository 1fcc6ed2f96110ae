"""JAX in double precision: a switch for all numbers that are told no type, or a block in which it is on."""

import ast

from schedmate.readers.code.evidence.precision_words import precision_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.python.modules.source import parse_python
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.value import External

SMALLER = ("fp32", "fp16", "bf16")


def from_double_numbers(view: View) -> None:
    """Take JAX's switch, or its block around the training; what is told a type of its own keeps that."""
    for event in [event for event in view.of("jax.", "update", "enable_x64") if event.sure and turns_on(event)]:
        inside = [True] if event.short == "update" else trained_inside(view, event)
        if not any(inside):
            continue
        if not all(inside) or any(one.sure and tells_smaller_type(one) for one in view.events):
            view.unsettled.add("precision")
        else:
            view.keep("precision", "fp64", (event.spot,), "JAX makes its numbers double")


def turns_on(event: Event) -> bool:
    """Tell `jax.config.update("jax_enable_x64", True)` and `enable_x64()`."""
    if event.short == "update":
        return [one.data for one in event.args[:2]] == ["jax_enable_x64", True]
    return not event.args or event.args[-1].data is True


def tells_smaller_type(event: Event) -> bool:
    """Tell a call that is told another type than the double one."""
    types = [value for name, value in event.kwargs.items() if name.endswith("dtype")]
    types += [value for value in event.args if isinstance(value.data, External)]
    return any(precision_of(value) in SMALLER for value in types)


def trained_inside(view: View, event: Event) -> list[bool]:
    """Tell of each training call whether it stands in a block, `with enable_x64():`, or in a function called there."""
    tree, _ = parse_python(view.run.repository.readable_text(event.spot.path) or "", event.spot.path)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.With) and any(one.context_expr.lineno == event.spot.line for one in node.items):
            lines, called = range(node.body[0].lineno, (node.end_lineno or 0) + 1), called_in(node.body)
            return [
                (one.spot.path == event.spot.path and one.spot.line in lines) or not called.isdisjoint(one.functions)
                for one in view.training
            ]
    return []


def called_in(body: list[ast.stmt]) -> set[str]:
    """Give the names of the functions that some statements call."""
    calls = [node.func for part in body for node in ast.walk(part) if isinstance(node, ast.Call)]
    return {
        one.id if isinstance(one, ast.Name) else one.attr for one in calls if isinstance(one, (ast.Name, ast.Attribute))
    }
