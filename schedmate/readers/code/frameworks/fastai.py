"""fastai: learners whose fit calls are told epochs."""

from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.training_calls import FASTAI_CALLS
from schedmate.readers.code.evidence.view import View


def tell_duration(view: View) -> None:
    """Take the epochs."""
    for event in view.named(*FASTAI_CALLS):
        view.number("epochs", event.arg(0, "n_epoch", "epochs"))


RULES = (Rule("duration", Certainty.TOLD + 60, "fastai", tell_duration),)
