"""MindSpore: models that are told how many epochs they train, and in which level of mixed precision."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View

MODELS = ("mindspore.Model.train", "mindspore.train.Model.train", "mindspore.train.model.Model.train")


def read_model(view: View) -> None:
    """Take the epochs of `Model(net, loss, optimizer).train(epochs, data)`."""
    for event in view.events:
        if event.name in MODELS:
            view.number("epochs", event.arg(0, "epoch"))


LEVELS = {"O0": "fp32", "O1": "fp16", "O2": "fp16", "O3": "fp16", "auto": "fp16"}
"""In what MindSpore's levels of mixed precision compute."""
LEVELLED = ("Model", "build_train_network", "auto_mixed_precision")


def read_level(view: View) -> None:
    """Take the level that a model, or what builds its training, is told."""
    for event in view.of("mindspore", *LEVELLED):
        level = event.kwargs.get("amp_level") or event.kwargs.get("level")
        if event.short == "auto_mixed_precision" and level is None:
            level = event.arg(1, "amp_level")
        name = LEVELS.get(str(level.data)) if level is not None else None
        if level is not None and name is not None and event.sure:
            view.keep("precision", name, level.src or (event.spot,))


RULES = (
    Rule(Subject.DURATION, "MindSpore", read_model),
    Rule(Subject.PRECISION, "MindSpore's levels", read_level),
)
