"""Unsloth: its models bring the precision along in which the Hugging Face trainer then trains them."""

from schedmate.readers.code.evidence.precision_words import is_precision_open
from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.frameworks.transformers import told


def default_precision(view: View) -> None:
    """Take bf16, which it chooses by itself on every card that has it, where nothing else is asked for."""
    loaded = [event for event in view.named("from_pretrained") if event.name.startswith("unsloth.")]
    for event in loaded[:1] if told(view) and is_precision_open(view) else ():
        dtype = event.kwargs.get("dtype")
        if dtype is None or dtype.data is None:
            view.keep("precision", "bf16", (event.spot,), "Unsloth trains in bf16 where the card has it")


RULES = (Rule("precision", Certainty.LIBRARY + 21, "Unsloth", default_precision),)
