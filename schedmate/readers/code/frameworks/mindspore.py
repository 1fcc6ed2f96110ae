"""MindSpore: models that are told how many epochs they train, and in which level of mixed precision."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import product

MODELS = ("mindspore.Model.train", "mindspore.train.Model.train", "mindspore.train.model.Model.train")


def read_model(view: View) -> None:
    """Take the epochs of `Model(net, loss, optimizer).train(epochs, data)`; sunk in pieces, each is so many steps."""
    for event in view.events:
        if event.name not in MODELS:
            continue
        epochs, sinks, size = event.arg(0, "epoch"), event.arg(3, "dataset_sink_mode"), event.arg(4, "sink_size")
        if size is None or size.data == -1 or sinks is None or sinks.data is False:
            view.number("epochs", epochs)
            continue
        if sinks.data is True:
            view.number("total_steps", product(epochs, size), "rounds of so many steps as are sunk at once")
        view.rule_out("epochs")


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
    for event in view.of("mindspore", "set_context"):
        switch = event.kwargs.get("enable_auto_mixed_precision")
        if switch is not None and switch.data is True and event.sure:
            view.keep("precision", "fp16", (event.spot,), "MindSpore's automatic mixed precision")


RULES = (
    Rule(Subject.DURATION, "MindSpore", read_model),
    Rule(Subject.PRECISION, "MindSpore's levels", read_level),
)
