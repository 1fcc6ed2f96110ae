"""Levels of mixed precision, which apex and MindSpore take; apex hands model and optimizer back."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value

LEVELS = ("O1", "O2", "O3")


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
        if level is not None and level.data in LEVELS and event.sure:
            view.keep("precision", "fp16", level.src)


def tell_level(view: View) -> None:
    """Take the level among the settings of a program in MindSpore."""
    for mapping in view.namespaces if "mindspore" in view.imports else ():
        level = mapping.get("amp_level")
        if level is not None and level.data in ("O0", *LEVELS):
            view.keep("precision", "fp32" if level.data == "O0" else "fp16", level.src)


HOOKS: dict[str, Hook] = {"apex.amp.initialize": initialize_apex}
RULES = (
    Rule((Subject.PRECISION, Subject.CASTS), "apex", tell_precision),
    Rule(Subject.PRECISION, "MindSpore", tell_level),
)
