"""The option that says who may answer, the same for every command that can ask a model."""

from enum import StrEnum


class EngineChoice(StrEnum):
    """Who may answer."""

    auto = "auto"
    built_in = "built-in"
    model = "model"


class ExtractEngine(StrEnum):
    """Who may read source code; paper: a model alone, with the paper's two tools."""

    auto = "auto"
    built_in = "built-in"
    model = "model"
    paper = "paper"
