"""Rounds that only warm a network up before its step is recorded as a CUDA graph: they are not how long it trains."""

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event

RECORDERS = ("torch.cuda.CUDAGraph", "torch.cuda.graph", "torch.cuda.make_graphed_callables")


def precedes_recording(view: View, event: Event) -> bool:
    """Tell a step in a loop that ends before the function that it stands in records a graph."""
    if not event.loops:
        return False
    return any(
        made.name in RECORDERS
        and made.functions == event.functions
        and made.spot.path == event.spot.path
        and made.spot.line > event.spot.line
        and event.loops[-1] not in made.loops
        for made in view.events
    )
