"""In what precision training computes."""

from schedmate.readers.code.evidence.precision_words import (
    handles_half,
    is_precision_open,
    leaves_default,
    precision_of,
)
from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.casts import from_casts
from schedmate.readers.code.fields.trained_network import looks_like_model
from schedmate.readers.code.frameworks.lightning import trainers
from schedmate.readers.code.frameworks.transformers import trainer_arguments
from schedmate.readers.code.values.value import COMMAND, is_unknown


def from_path(view: View) -> None:
    """Take what the path casts to; where that hangs on what is not known, no default says more."""
    if from_casts(view):
        view.unsettled.add("precision")


def from_options(view: View) -> None:
    """Take the option; in plain PyTorch one that only the code sets is not seen to reach a cast."""
    if not is_precision_open(view):
        return
    plain = view.program.complete and not view.once(trainers) and view.once(trainer_arguments) is None
    plain = plain and view.get("framework") == "PyTorch" and not view.named("MixedPrecision", "MixedPrecisionPolicy")
    for _, value in view.options("precision"):
        in_code = not value.src or value.src[0].path.endswith(".py") or value.src[0].path == COMMAND
        if is_unknown(value) or not value.data or (plain and in_code):
            continue
        name = precision_of(value)
        if name is not None:
            view.keep("precision", name, value.src)
            return


def from_switches(view: View) -> None:
    """Take a switch of half precision that the command or a configuration turns on, where the path heeds one."""
    for name, kind in (("bf16_switch", "bf16"), ("fp16_switch", "fp16")):
        for _, value in view.options(name):
            chosen = bool(value.src) and not value.src[0].path.endswith(".py")
            if value.data is not True or not chosen:
                continue
            if view.is_partial or handles_half(view) or "precision" in view.unsettled:
                view.keep("precision", kind, value.src)


def default_of_use(view: View) -> None:
    """Take single precision, in which the repository's own network is used where nothing on the path says otherwise."""
    own = [value for value in view.run.instances if looks_like_model(value)]
    if own and view.program.complete and leaves_default(view) and view.get("framework") == "PyTorch":
        spots = (own[0].data.spot,)
        view.keep("precision", "fp32", spots, "no cast on the path: the framework's single precision")


def from_default(view: View) -> None:
    """Take single precision, in which frameworks compute where nothing on the followed path says otherwise."""
    training = [event for event in view.training if event.sure] or view.training
    if not leaves_default(view) or not training or view.once(trainer_arguments) is not None:
        return
    if view.program.complete and view.get("framework") and not view.trains_out_of_sight:
        view.keep("precision", "fp32", (training[0].spot,), "no cast on the path: the framework's single precision")


RULES = (
    Rule(("precision", "casts"), Certainty.SEEN, "casts on the path", from_path),
    Rule(("precision", "casts"), Certainty.OPTION + 20, "switches", from_switches),
    Rule("casts", Certainty.LIBRARY, "the framework's default", default_of_use),
    Rule("precision", Certainty.LIBRARY + 30, "options", from_options),
    Rule("precision", Certainty.LIBRARY + 10, "the framework's default", from_default),
)
