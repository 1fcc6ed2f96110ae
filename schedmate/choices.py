"""The words that a caller chooses among: who answers, how a first cause is looked for, how far recovery goes."""

from typing import Literal, get_args

from schedmate.errors import InputError

EngineChoice = Literal["auto", "built-in", "model"]
"""Who may answer: built-in never asks a model, model always does, auto only where something is open."""
ReaderChoice = Literal["auto", "built-in", "model", "paper"]
"""The same where the paper has a way of its own, in which a model reads alone."""
Locator = Literal["hybrid", "paper"]
"""How the first cause is looked for: with all that is known, or by the paper's Algorithm 1."""
RecoveryMode = Literal["observe", "suggest", "act"]
"""How far recovery goes: log only, wait for a person before each step that can do harm, do it."""


def checked(name: str, word: object, choices: object) -> None:
    """Refuse a word that is none of these: mistyped, `built-in` must not have a model asked, nor `suggest` act."""
    if word not in get_args(choices):
        raise InputError(f"there is no {name} {repr(word)[:80]}", f"it is one of {', '.join(get_args(choices))}")
