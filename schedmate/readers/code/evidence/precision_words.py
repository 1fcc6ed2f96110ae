"""What names and numbers of a precision mean, and whether anything on the path speaks of half precision."""

from schedmate.knowledge.code_words import meanings
from schedmate.readers.code.evidence.labels import computes_with
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.value import External, SourceLocation, Value, ways_of

WORDS: dict[str, str] = meanings("precision.words")
"""Parts of names, in this order: `bfloat16` holds `float16`, too."""
NUMBERS: dict[str, str] = meanings("precision.numbers")


def precision_of(value: Value | None) -> str | None:
    """Read a precision off a value: a name, a number of bits, a dtype."""
    if value is None or isinstance(value.data, bool):
        return None
    data = value.data.name.rpartition(".")[2] if isinstance(value.data, External) else value.data
    text = str(data).lower().strip() if isinstance(data, (str, int)) else ""
    if text in NUMBERS:
        return NUMBERS[text]
    return next((name for word, name in WORDS.items() if word in text), None)


HALVES = frozenset({"torch.bfloat16", "torch.float16", "torch.half", "jax.numpy.bfloat16", "jax.numpy.float16"}) | {
    "mlx.core.float16",
    "mlx.core.bfloat16",
}

AS_SAVED = ("mlx.core.load", "mlx_lm.load", "load_weights")
"""Calls that give weights the type in which they were saved, whatever the framework computes in by itself."""


def keep_precision(view: View, value: Value | None, *spots: SourceLocation) -> None:
    """Propose the precision that a value names; where it has no place of its own, by these."""
    name = precision_of(value)
    if value is not None and name is not None:
        view.keep("precision", name, value.src or spots)


def keep_switch(view: View, value: Value | None, *spots: SourceLocation) -> None:
    """Propose what a switch of mixed precision says: on in float16, off in single precision."""
    if value is not None and isinstance(value.data, bool):
        view.keep("precision", "fp16" if value.data else "fp32", value.src or spots)


def is_precision_open(view: View) -> bool:
    """Tell a job of which nothing said so far in what precision it computes, and nothing unknown decides it."""
    return not view.knows("precision") and "precision" not in view.unsettled


def leaves_default(view: View) -> bool:
    """Tell a path that was seen whole and does nothing in half precision."""
    as_saved = any("keras" not in event.name for event in view.ending(*AS_SAVED))
    if view.named("MixedPrecision", "MixedPrecisionPolicy") or as_saved or handles_half(view):
        return False
    told_outside = computes_with(view, "Theano")  # its flags say how it computes
    return is_precision_open(view) and not (view.is_partial or told_outside) and not asks_lost_settings(view)


def asks_lost_settings(view: View) -> bool:
    """Tell a program that reads its precision from settings that were lost on the way."""
    read = [value.data for name in ("precision", "mixed_precision") for value in view.run.reads.get(name, ())]
    return any(isinstance(data, External) and data.name.startswith("?.") for data in read)


def handles_half(view: View) -> bool:
    """Tell a path on which something is done in half precision that is no cast of the whole model."""
    half = view.run.about(TrainingSigns).half_precision
    if half is not None and view.get("num_gpus") != 0 and not view.named("autocast"):
        return True
    return any(
        isinstance(way.data, External) and way.data.name in HALVES
        for event in view.events
        if event.short not in ("autocast", "custom_fwd")
        for value in [*event.args, *event.kwargs.values()]
        for way in ways_of(value)
    )
