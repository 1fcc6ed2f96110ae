"""What every embedder keeps to, and what all of them use."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from schedmate.tools.plain_text import encodable

Vectors = NDArray[np.float32]


def sendable(text: str, most_chars: int) -> str:
    """Cut a text, and replace lone surrogates, which no tokenizer and no request can carry."""
    return encodable(text[:most_chars])


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
