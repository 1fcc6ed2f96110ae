"""Unsloth: its models bring the precision along in which the Hugging Face trainer then trains them, on one GPU."""

from schedmate.readers.code.evidence.precision_words import is_precision_open
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.frameworks.transformers import told
from schedmate.readers.code.launchers.settled_counts import started_in_ranks


def one_device(view: View) -> None:
    """Count one GPU, which is all that it trains on where no launcher starts several processes."""
    loaded = [event for event in view.named("from_pretrained") if event.name.startswith("unsloth.") and event.sure]
    if loaded and not started_in_ranks(view.launch):
        view.keep("num_gpus", 1, (loaded[0].spot,), "Unsloth trains on one GPU")


def default_precision(view: View) -> None:
    """Take bf16, which it chooses by itself on every card that has it, where nothing else is asked for."""
    loaded = [event for event in view.named("from_pretrained") if event.name.startswith("unsloth.")]
    for event in loaded[:1] if told(view) and is_precision_open(view) else ():
        dtype = event.kwargs.get("dtype")
        if dtype is None or dtype.data is None:
            view.keep("precision", "bf16", (event.spot,), "Unsloth trains in bf16 where the card has it")


RULES = (
    Rule(Subject.PROCESSES, "Unsloth", one_device),
    Rule(Subject.PRECISION, "Unsloth", default_precision),
)
