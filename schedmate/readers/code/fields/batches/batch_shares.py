"""Batches that are named after what one device sees, or worked out by how many there are."""

from schedmate.knowledge.option_names import option_names, squashed
from schedmate.readers.code.evidence.data_loaders import training_loaders
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import is_unknown

SHARES = ("perdevice", "perreplica", "percore", "perchip", "pergpu", "local", "micro")


def is_share(view: View) -> bool:
    """Tell a batch that is named after what one device sees."""
    value, names = view.get("batch_size"), option_names()["batch_size"]
    return any(
        given.data == value and any(part in squashed(names[place]) for part in SHARES)
        for place, given in view.options("batch_size")
    )


def loads_what_is_open(view: View) -> bool:
    """Tell a loader whose batch is worked out at run time, as by the number of devices."""
    sizes = [loader.arg(1, "batch_size") for loader in training_loaders(view)[:1]]
    return any(is_unknown(size) for size in sizes)
