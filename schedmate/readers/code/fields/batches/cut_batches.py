"""Batches that a loop or a pipeline of devices cuts into pieces: `for i in range(0, len(batch), args.microbatch)`."""

import ast

from schedmate.knowledge.strategies import strategy_of_call
from schedmate.readers.code.evidence.data_loaders import training_loaders
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import Value

PIECE = "micro"
"""What is part of the names of pieces."""
PIPELINE = "pipeline parallel"
"""How a pipeline of devices is called in the table of strategies."""


def pieces_of_batch(view: View, piece: object) -> Value | None:
    """Give into how many pieces a loader's batch is cut, where a loop goes through it in pieces of this size."""
    if type(piece) is not int or piece < 1 or not any(map(goes_in_pieces, view.run.trees.values())):
        return None
    for event in training_loaders(view)[:1]:
        size = event.arg(1, "batch_size")
        if size is not None and type(size.data) is int and size.data > piece and size.data % piece == 0:
            return Value(size.data // piece, size.src or (event.spot,))
    return None


def goes_in_pieces(tree: ast.AST | None) -> bool:
    """Tell code with a range whose step is named after pieces."""
    calls = (one for one in ast.walk(tree) if isinstance(one, ast.Call)) if tree is not None else ()
    return any(
        isinstance(call.func, ast.Name)
        and call.func.id == "range"
        and len(call.args) == 3
        and PIECE in named(call.args[2])
        for call in calls
    )


def named(node: ast.expr) -> str:
    """Give the last part of a name."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name.lower()


def cuts_for_pipeline(view: View, value: Value) -> bool:
    """Tell into how many pieces a pipeline of devices cuts the batch that it is handed: they add nothing to it."""
    pipes = [event for event in view.events if strategy_of_call(event.name) == PIPELINE]
    return any(not set(told.src).isdisjoint(value.src) for event in pipes for told in event.kwargs.values())
