"""Batches that are named after what one device sees."""

from schedmate.knowledge.option_names import option_names, squashed
from schedmate.readers.code.evidence.view import View

SHARES = ("perdevice", "perreplica", "percore", "perchip", "pergpu", "local", "micro")


def is_share(view: View) -> bool:
    """Tell a batch that is named after what one device sees."""
    value, names = view.get("batch_size"), option_names()["batch_size"]
    return any(
        given.data == value and any(part in squashed(names[place]) for part in SHARES)
        for place, given in view.options("batch_size")
    )
