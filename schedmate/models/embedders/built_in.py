"""The built-in embedder: no torch, no download, the same bits on every machine.

A text's vector is the sum of the vectors of its words, of its known pairs of neighbours and of its words' runs of
letters, looked up in a small table that `python -m evals embedder --rebuild` trains on texts the project writes
itself. The table holds whole numbers, whose sums do not depend on the order in which a processor adds them; only the
last step, to length 1, is in floating point, and there IEEE 754 leaves no choice either.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from schedmate.models.embedders.embedder import Vectors
from schedmate.models.embedders.features import EMPTY, MAX_TOKENS, NUMBER, Vocabulary, split_tokens

WEIGHTS = "built_in.npz"
BLOCK_TEXTS = 256
REMEMBERED_WORDS = 20_000

UNKNOWN_GAIN = 2
"""How much louder a word's letters speak when the word itself is not in the vocabulary."""


class BuiltInEmbedder:
    """Add up rows of a table; a word is put together once and remembered."""

    def __init__(self, name: str, vocabulary: Vocabulary, table: NDArray[np.int32]) -> None:
        self.name = name
        self.dimensions = int(table.shape[1])
        self.vocabulary = vocabulary
        self.table = table
        self.guard = Lock()
        self.places: dict[str, int] = {}
        self.plain: dict[str, str] = {}
        self.learned = 0
        # Words are put together behind the table; pages that no word has reached yet take no memory.
        self.sums = np.empty((len(table) + REMEMBERED_WORDS + BLOCK_TEXTS * MAX_TOKENS, self.dimensions), np.int32)
        self.sums[: len(table)] = table
        nothing = table[vocabulary.words[EMPTY]].astype(np.float64)
        self.nothing = (nothing / np.sqrt((nothing * nothing).sum())).astype(np.float32)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed block by block, so that memory does not grow with what the texts say."""
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), BLOCK_TEXTS):
            with self.guard:
                vectors[start : start + BLOCK_TEXTS] = self.embed_block(texts[start : start + BLOCK_TEXTS])
                if len(self.places) > REMEMBERED_WORDS:
                    self.forget()
        return vectors

    def embed_block(self, texts: Sequence[str]) -> Vectors:
        """Sum each text's rows in whole numbers, then bring the sums to length 1."""
        split = [split_tokens(text) for text in texts]
        self.learn(set().union(*split) - self.places.keys())
        sums = np.zeros((len(texts), self.dimensions), np.int64)
        for number, tokens in enumerate(split):
            rows = set(map(self.places.__getitem__, tokens))
            rows |= self.vocabulary.pair_rows(list(map(self.plain.__getitem__, tokens)))
            np.add.reduce(self.sums[list(rows)], axis=0, out=sums[number])
        squares = (sums * sums).sum(axis=1)
        vectors: Vectors = (sums / np.sqrt(np.maximum(squares, 1).astype(np.float64))[:, None]).astype(np.float32)
        vectors[squares == 0] = self.nothing
        return vectors

    def learn(self, tokens: Iterable[str]) -> None:
        """Put new words together, and remember which row each has and how neighbours know it."""
        for token in tokens:
            plain = self.plain[token] = self.vocabulary.plain(token)
            if plain == NUMBER:
                # All unknown numbers are one word, however many stand in a text.
                self.places[token] = self.vocabulary.words[NUMBER]
                continue
            self.places[token] = len(self.table) + self.learned
            self.sums[len(self.table) + self.learned] = self.word_sum(token)
            self.learned += 1

    def forget(self) -> None:
        """Drop all words that were put together; they are put together again when they come."""
        self.places.clear()
        self.plain.clear()
        self.learned = 0

    def word_sum(self, token: str) -> NDArray[np.int32]:
        """Add up what a word is made of: itself and its parts, and the mean of its letter runs."""
        rows = self.vocabulary.rows(token)
        known = [*rows.parts] if rows.whole is None else [rows.whole, *rows.parts]
        total: NDArray[np.int32] = self.table[known].sum(axis=0, dtype=np.int32)
        if rows.letters:
            gain = UNKNOWN_GAIN if rows.whole is None else 1
            total += gain * self.table[list(rows.letters)].sum(axis=0, dtype=np.int32) // len(rows.letters)
        return total


@cache
def open_built_in() -> BuiltInEmbedder:
    """Read the table that ships with the package, once a process."""
    with files(__package__).joinpath(WEIGHTS).open("rb") as file, np.load(file, allow_pickle=False) as stored:
        words, pairs = (str(stored[key].tobytes(), "utf-8").split("\n") for key in ("words", "pairs"))
        table = stored["rows"].astype(np.int32) * stored["scales"].astype(np.int32)[:, None]
        name = f"built-in-{stored['version'].tobytes().hex()}"
    vocabulary = Vocabulary(words, pairs, len(table) - len(words) - len(pairs))
    return BuiltInEmbedder(name, vocabulary, table)
