"""MindSpore: models that are told how many epochs they train, and steps that are called."""

from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.view import View

MODELS = ("mindspore.Model.train", "mindspore.train.Model.train", "mindspore.train.model.Model.train")


def read_model(view: View) -> None:
    """Take the epochs of `Model(net, loss, optimizer).train(epochs, data)`."""
    for event in view.events:
        if event.name in MODELS:
            view.number("epochs", event.arg(0, "epoch"))


RULES = (Rule("duration", Certainty.TOLD + 33, "MindSpore", read_model),)
