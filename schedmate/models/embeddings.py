"""Turn texts into vectors whose cosine says how alike they are: one interface, three kinds behind it."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from schedmate.settings import Settings

BUILT_IN = "built-in"

Vectors = NDArray[np.float32]


def sendable(text: str, most_chars: int) -> str:
    """Cut a text, and replace lone surrogates, which no tokenizer and no request can carry."""
    return text[:most_chars].encode("utf-8", "replace").decode("utf-8")


class Embedder(Protocol):
    """What every kind keeps to.

    `embed` gives one row per text, in order, each of length 1 (so that a dot product is the cosine), float32; no texts
    give no rows. A text is cut where the model's reach ends, never refused; an empty one has a vector too.
    `name` changes whenever the vectors do: whoever stores vectors stores it with them.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors: ...


def open_embedder(settings: Settings) -> Embedder:
    """Open the kind that SCHEDMATE_EMBEDDER names; the heavy ones are imported here and not before."""
    which = settings.embedder.strip()
    if which in ("", BUILT_IN):
        from schedmate.models.embedders.built_in import open_built_in

        return open_built_in()
    if which.startswith(("http://", "https://")):
        from schedmate.models.embedders.endpoint import EndpointEmbedder

        key = settings.llm_key.get_secret_value()
        return EndpointEmbedder(which, settings.embedder_model, key, settings.llm_timeout_s, settings.llm_attempts)
    from schedmate.models.embedders.transformer import TransformerEmbedder

    return TransformerEmbedder(which)
