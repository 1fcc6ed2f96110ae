"""Frames of libraries around any encoder, which are named after the one that they are told: `SentenceTransformer`."""

from schedmate.knowledge.code_words import words
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value, each_of

FRAMES = frozenset(words("networks.encoder_frames")) | {"SparseEncoder"}
LIBRARY = "sentence_transformers."
TOLD = ("model_name_or_path", "model_name")


def framed_encoder(made: ExternalResult) -> Value | None:
    """Give the text by which a frame is told its encoder: its own, or that of the first of its modules."""
    if not made.callee.startswith(LIBRARY) or made.short not in FRAMES:
        return None
    told = told_text(made)
    modules = each_of(made.kwargs["modules"]) if told is None and "modules" in made.kwargs else []
    inner = next((one.data for one in modules if isinstance(one.data, ExternalResult)), None)
    is_encoder = inner is not None and inner.short == "Transformer" and inner.callee.startswith(LIBRARY)
    return told_text(inner) if is_encoder and inner is not None else told


def told_network(made: ExternalResult) -> Value | None:
    """Give the text by which a library is told which network to make: a frame's encoder, what PyTorch's hub loads."""
    if made.callee == "torch.hub.load" and len(made.args) > 1 and isinstance(made.args[1].data, str):
        return made.args[1]
    return framed_encoder(made)


def told_text(made: ExternalResult) -> Value | None:
    """Give the text that a call is told first, or by the name that the library has for it."""
    given = [*made.args[:1], *(made.kwargs[name] for name in TOLD if name in made.kwargs)]
    return next((one for one in given if isinstance(one.data, str)), None)
