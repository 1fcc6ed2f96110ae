"""NVIDIA's apex: hands model and optimizer back, told how much of the work is done in half precision."""

from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value

HALF = ("O1", "O2", "O3")


def initialize_apex(call: Call) -> Value | None:
    """Model `amp.initialize(model, optimizer)`: the same objects come back, the model alone where it came alone."""
    models, optimizers = call.arg(0, "models"), call.arg(1, "optimizers")
    if models is None or optimizers is None or optimizers.data is None:
        return models
    return Value((models, optimizers), (call.spot,))


def tell_precision(view: View) -> None:
    """Take the level that it is told."""
    for event in view.ending("amp.initialize"):
        level = event.kwargs.get("opt_level")
        if level is not None and level.data in HALF and event.sure:
            view.keep("precision", "fp16", level.src)


HOOKS: dict[str, Hook] = {"apex.amp.initialize": initialize_apex}
RULES = (Rule(("precision", "casts"), Certainty.SEEN + 5, "apex", tell_precision),)
