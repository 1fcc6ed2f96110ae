"""In what precision training computes."""

from schedmate.readers.code.evidence.precision_words import precision_of
from schedmate.readers.code.evidence.rules import Certainty, Rule
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.casts import from_casts
from schedmate.readers.code.frameworks.transformers import trainer_arguments
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.value import COMMAND, External, is_unknown

HALVES = frozenset({"torch.bfloat16", "torch.float16", "torch.half", "jax.numpy.bfloat16", "jax.numpy.float16"})


def from_path(view: View) -> None:
    """Take what the path casts to; where that hangs on what is not known, no default says more."""
    if from_casts(view):
        view.unsettled.add("precision")


def handles_half(view: View) -> bool:
    """Tell a path on which something is done in half precision that is no cast of the whole model."""
    if (
        view.run.about(TrainingSigns).half_precision is not None
        and view.get("num_gpus") != 0
        and not view.named("autocast")
    ):
        return True
    return any(
        isinstance(value.data, External) and value.data.name in HALVES
        for event in view.events
        if event.short not in ("autocast", "custom_fwd")
        for value in [*event.args, *event.kwargs.values()]
    )


def from_default(view: View) -> None:
    """Single precision is what frameworks compute in when nothing on the followed path says otherwise."""
    if "precision" in view.values or "precision" in view.unsettled:
        return
    plain = view.program.complete and not view.lightning and trainer_arguments(view) is None
    plain = plain and view.get("framework") == "PyTorch" and not view.named("MixedPrecision", "MixedPrecisionPolicy")
    asked = [value for _, value in view.options("precision") if not is_unknown(value) and value.data]
    if plain:
        asked = [
            value
            for value in asked
            if value.src and not value.src[0].path.endswith(".py") and value.src[0].path != COMMAND
        ]
    for value in asked:
        name = precision_of(value)
        if name is not None:
            view.keep("precision", name, value.src)
            return
    if from_plain_arguments(view) or view.named("MixedPrecision", "MixedPrecisionPolicy") or handles_half(view):
        return
    if view.is_partial:
        return
    training = [event for event in view.training if event.sure] or view.training
    if view.program.complete and training and view.get("framework") and trainer_arguments(view) is None:
        view.keep("precision", "fp32", (training[0].spot,), "no cast on the path: the framework's single precision")
    elif view.lightning:
        event = view.lightning[0]
        if "precision" not in event.kwargs and "**" not in event.kwargs:
            view.keep("precision", "fp32", (event.spot,), "default of lightning.Trainer: precision = 32-true")


def from_plain_arguments(view: View) -> bool:
    """Take single precision where the Hugging Face trainer is asked for no other."""
    arguments = trainer_arguments(view)
    if arguments is None:
        return False
    asked = [arguments.attrs.get(name) for name in ("bf16", "fp16")]
    if all(value is not None and value.data is False for value in asked):
        view.keep("precision", "fp32", (arguments.spot,), "neither bf16 nor fp16 is asked for")
    return True


RULES = (
    Rule("precision", Certainty.SEEN, "casts on the path", from_path),
    Rule("casts", Certainty.SEEN, "casts on the path", from_path),
    Rule("precision", Certainty.LIBRARY, "the framework's default", from_default),
)
