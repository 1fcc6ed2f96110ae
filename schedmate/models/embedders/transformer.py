"""Vectors from a sentence-transformers model: a directory of weights, or a hub id as BAAI/bge-m3."""

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from schedmate.errors import MissingExtra, ModelFailed
from schedmate.models.embedders.embedder import Vectors, sendable

BATCH_TEXTS = 64

MAX_CHARS = 40_000
"""More than the longest reach in use (8,192 tokens) can hold; tokenizing a whole log would only take time."""


class TransformerEmbedder:
    """Load the model at the first text, because importing the library alone takes seconds."""

    def __init__(self, model: str) -> None:
        self.model = str(Path(model).expanduser()) if model.startswith(("/", ".", "~")) else model
        self.loaded: Any = None

    @property
    def name(self) -> str:
        """Name the model; a directory by its last part and by what lies in it, wherever it lies itself."""
        folder = Path(self.model)
        if not folder.is_dir():
            return f"sentence-transformers:{self.model}"
        sizes = sorted((path.name, path.stat().st_size) for path in folder.rglob("*") if path.is_file())
        return f"sentence-transformers:{folder.name}-{crc32(repr(sizes).encode()):08x}"

    @property
    def dimensions(self) -> int:
        """Give the vectors' length as the model states it."""
        return int(self.load().get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed in batches; the model cuts what is longer than its reach."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        vectors: Vectors = self.load().encode(
            [sendable(text, MAX_CHARS) for text in texts],
            batch_size=BATCH_TEXTS,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return vectors.astype(np.float32)

    def load(self) -> Any:
        """Load once; what is not there says where to get it."""
        if self.loaded is None:
            self.loaded = load_model(self.model)
        return self.loaded


def load_model(model: str) -> Any:
    """Import the library and open the weights; a model that cannot be had is a known failure."""
    local = os.path.isabs(model) or model.startswith(".")
    if local and not os.path.isdir(model):
        raise ModelFailed(f"there is no embedding model at {model}", "see SCHEDMATE_EMBEDDER", reason="unreachable")
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtra(f"the embedding model {model}", "st") from error
    logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
    try:
        return SentenceTransformer(model)
    except Exception as error:  # The hub, the tokenizers and torch each raise their own kinds.
        first = str(error).strip().partition("\n")[0][:300]
        hint = (
            "the directory must hold a sentence-transformers model"
            if local
            else "without a way to the hub, name a directory that holds the weights, or set SCHEDMATE_EMBEDDER=built-in"
        )
        raise ModelFailed(
            f"the embedding model {model} cannot be loaded: {first}", hint, reason="unreachable"
        ) from error
