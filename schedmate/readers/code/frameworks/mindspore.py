"""MindSpore: the level of mixed precision that a program's settings name, as Model and its wrappers take it."""

from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.view import View

LEVELS = {"O0": "fp32", "O1": "fp16", "O2": "fp16", "O3": "fp16"}


def tell_precision(view: View) -> None:
    """Take the level among the program's settings."""
    if "mindspore" not in view.imports:
        return
    for mapping in view.namespaces:
        level = mapping.get("amp_level")
        if level is not None and isinstance(level.data, str) and level.data in LEVELS:
            view.keep("precision", LEVELS[level.data], level.src)


RULES = (Rule("precision", Certainty.SEEN + 4, "MindSpore", tell_precision),)
