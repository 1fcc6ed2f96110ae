"""Colossal-AI: a booster that wraps model and optimizer, and is told the precision."""

from schedmate.readers.code.evidence.precision_words import keep_precision
from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.view import View


def tell_precision(view: View) -> None:
    """Take the booster's mixed precision."""
    for event in view.named("Booster"):
        keep_precision(view, event.kwargs.get("mixed_precision"))


RULES = (Rule(("precision", "casts"), Certainty.ENGINE + 85, "Colossal-AI", tell_precision),)
