"""How close two names are: `gpt2-124m` and `GPT-2`, `ILSVRC2012` and `imagenet`.

Names are compared by what they are written with and by what an embedder thinks of them, whichever is closer: letters
catch what no embedder has seen, an embedder catches what is written differently.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np

from schedmate.models.embedders.embedder import Embedder, Vectors

PARTS = re.compile(r"[a-z]+|[0-9]+")
LONGEST = 200
REMEMBERED = 50_000

DIGITS_COUNT = 0.4
"""A number in a name tells sizes and versions apart, not kinds."""
ANCHORS = (
    "resnet50",
    "bert-base",
    "tacotron2",
    "PPO",
    "COCO",
    "LibriSpeech",
    "wikitext",
    "machine translation",
    "MNIST",
)
"""Names that have nothing to do with each other: their mean cosine is what an embedder gives strangers."""


@lru_cache(REMEMBERED)
def plain(name: str) -> str:
    """Write a name without its owner (`meta-llama/Llama-3`), in small letters."""
    text = name[:LONGEST].strip().lower().rstrip("/")
    head, _, tail = text.rpartition("/")
    return tail if head.count("/") == 0 and len(tail) > 2 else text


def overlap(first: str, second: str) -> float:
    """Give the share of letters and digits that two names have in common, by their parts."""
    one, two = Counter(PARTS.findall(first)), Counter(PARTS.findall(second))
    shared, total = (sum(n * weight(part) for part, n in parts.items()) for parts in (one & two, one | two))
    return shared / total if total else 0.0


def weight(part: str) -> float:
    """Count a part by its length, a number less."""
    return DIGITS_COUNT if part[0].isdigit() else min(len(part), 6) / 3


class NameCloseness:
    """Compares names with one embedder, and remembers the vectors of those it met."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self.vectors: dict[str, Vectors] = {}
        self.known: dict[tuple[str, str], float] = {}

    @cached_property
    def strangers(self) -> float:
        """Measure the cosine of names that have nothing to do with each other; models differ widely in it."""
        vectors = self.embedder.embed(ANCHORS)
        cosines = vectors @ vectors.T
        return float(max(0.0, cosines[~np.eye(len(ANCHORS), dtype=bool)].mean()))

    def prepare(self, names: Sequence[str]) -> None:
        """Embed in one go what will be compared."""
        new = [name for name in dict.fromkeys(map(plain, names)) if name not in self.vectors]
        if len(self.vectors) + len(new) > REMEMBERED:
            self.vectors.clear()
            new = list(dict.fromkeys(map(plain, names)))
        if new:
            self.vectors.update(zip(new, self.embedder.embed(new), strict=True))

    def vector(self, name: str) -> Vectors:
        """Give a name's vector."""
        name = plain(name)
        if name not in self.vectors:
            self.prepare([name])
        return self.vectors[name]

    def closeness(self, first: str, second: str) -> float:
        """Say from 0 to 1 how close two names are."""
        one, two = plain(first), plain(second)
        if one == two:
            return 1.0
        pair = (one, two) if one < two else (two, one)
        if pair not in self.known:
            if len(self.known) > REMEMBERED:
                self.known.clear()
            self.known[pair] = self.measured(one, two)
        return self.known[pair]

    def measured(self, one: str, two: str) -> float:
        """Compare two plain names."""
        cosine = float(self.vector(one) @ self.vector(two))
        meant = (cosine - self.strangers) / max(1.0 - self.strangers, 0.05)
        return min(1.0, max(overlap(one, two), meant, 0.0))
