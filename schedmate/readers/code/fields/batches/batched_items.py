"""Loaders that take one item at a time, where the data make each item a batch: the data are told how large it is."""

import ast

from schedmate.readers.code.evidence.view import meaning
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult, Function, Instance
from schedmate.readers.code.values.value import Value, held

DEEPEST, MOST_PARTS = 3, 40

BUCKET = "bucket_size"
"""What data that sort their samples by length call the batch which they make of neighbours."""


def batch_of_items(loader: Event, size: Value | None) -> Value | None:
    """Give how many samples are in an item that a loader takes one by one, by what made its data.

    The one must be written into the loader's own file: an option of one is the batch that somebody chose.
    """
    if size is None or size.data != 1 or any(spot.path != loader.spot.path for spot in size.src):
        return None
    level = [value for value in (loader.arg(0, "dataset"),) if value is not None]
    for _ in range(DEEPEST):
        for value in level:
            told = told_batch(value)
            if told is not None:
                return told
        level = [part for value in level for part in parts_of(value)][:MOST_PARTS]
    return None


def told_batch(data: Value) -> Value | None:
    """Give the batch that an object of data was told when it was made."""
    made = data.data
    if isinstance(made, ExternalResult):
        pairs = list(made.kwargs.items())
    elif isinstance(made, Instance):
        pairs = [*told_at_making(made), *made.attrs.items()]
    else:
        return None
    for name, value in pairs:
        means = (meaning(name) or ("",))[0] == "batch_size" or name == BUCKET
        if means and type(value.data) is int and value.data > 1:
            return value
    return None


def told_at_making(made: Instance) -> list[tuple[str, Value]]:
    """Give what an object of the repository was made with, by the names of the parameters."""
    maker = held(made.cls.find("__init__"), Function)
    if made.given is None or maker is None:
        return []
    names = [arg.arg for arg in maker.node.args.args[1:]]
    return [*zip(names, made.given[0], strict=False), *made.given[1].items()]


def parts_of(data: Value) -> list[Value]:
    """Give what an object of data wraps."""
    made = data.data
    if isinstance(made, Instance):
        return list(made.attrs.values())
    return [*made.args, *made.kwargs.values()] if isinstance(made, ExternalResult) else []


def takes_the_item(loader: Event) -> bool:
    """Tell a loader that hands on the one item as it is: `collate_fn=lambda items: items[0]`."""
    given = loader.kwargs.get("collate_fn")
    node = given.data.node if given is not None and isinstance(given.data, Function) else None
    body = node.body if isinstance(node, ast.Lambda) else None
    return isinstance(body, ast.Subscript) and isinstance(body.slice, ast.Constant) and body.slice.value == 0
