"""Whether anything on the path says or hints that training does not compute in the library's default precision."""

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.value import External

HALVES = frozenset({"torch.bfloat16", "torch.float16", "torch.half", "jax.numpy.bfloat16", "jax.numpy.float16"})


def is_precision_open(view: View) -> bool:
    """Tell a job of which nothing said so far in what precision it computes, and nothing unknown decides it."""
    return "precision" not in view.values and "precision" not in view.unsettled


def leaves_default(view: View) -> bool:
    """Tell a path that was seen whole and does nothing in half precision."""
    if view.named("MixedPrecision", "MixedPrecisionPolicy") or handles_half(view):
        return False
    return is_precision_open(view) and not view.is_partial


def handles_half(view: View) -> bool:
    """Tell a path on which something is done in half precision that is no cast of the whole model."""
    half = view.run.about(TrainingSigns).half_precision
    if half is not None and view.get("num_gpus") != 0 and not view.named("autocast"):
        return True
    return any(
        isinstance(value.data, External) and value.data.name in HALVES
        for event in view.events
        if event.short not in ("autocast", "custom_fwd")
        for value in [*event.args, *event.kwargs.values()]
    )
