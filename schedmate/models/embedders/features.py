"""What the built-in embedder sees in a text: words, their parts and letters, and pairs of neighbours.

Numbers seldom carry meaning, so a number is `<num>` unless it stands in the vocabulary (`Xid 79`, `code 137`). Masked
log lines and raw ones thus come out nearly the same.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from zlib import crc32

MAX_CHARS = 2_000
MAX_TOKENS = 256
MAX_WORD_CHARS = 32
NUMBER = "<num>"
EMPTY = "<empty>"

TOKEN = re.compile(r"<[a-z]{2,8}>|[0-9]+(?:[.,][0-9]+)+|[^\W_]+|[%=|@!^~]")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\dA-Za-z_]+")


def split_tokens(text: str) -> list[str]:
    """Cut a text into words, numbers, masks and the few signs that mean something; case is kept."""
    return TOKEN.findall(text[:MAX_CHARS])[:MAX_TOKENS] or [EMPTY]


def letter_runs(word: str) -> list[str]:
    """Give a word's runs of three to five letters, its ends marked."""
    padded = f"^{word}$"
    sizes = range(3, min(5, len(padded)) + 1)
    return [padded[start : start + size] for size in sizes for start in range(len(padded) - size + 1)]


def split_compound(token: str) -> list[str]:
    """Give the words that a word is compounded of; a simple word has none."""
    found = PART.findall(token[:MAX_WORD_CHARS])
    return [NUMBER if part.isdigit() else part.lower() for part in found] if len(found) > 1 else []


@dataclass(frozen=True, slots=True)
class TokenRows:
    """Which rows of the table a token is made of; `whole` is None for a word outside the vocabulary."""

    whole: int | None
    parts: tuple[int, ...]
    letters: tuple[int, ...]


class Vocabulary:
    """Say where words, pairs and letter runs stand in the table: first words, then pairs, then letter runs."""

    def __init__(self, words: Sequence[str], pairs: Sequence[str], buckets: int) -> None:
        self.words = {word: row for row, word in enumerate(words)}
        self.pairs = {tuple(pair.split(" ")): len(words) + place for place, pair in enumerate(pairs)}
        self.letters_start = len(words) + len(pairs)
        self.buckets = buckets

    def plain(self, token: str) -> str:
        """Write a token as the vocabulary does: small letters, and `<num>` for a number that it does not hold."""
        word = token[:MAX_WORD_CHARS].lower()
        return NUMBER if word[0].isdigit() and not word[-1].isalpha() and word not in self.words else word

    def rows(self, token: str) -> TokenRows:
        """Take a token apart: itself, what it is compounded of (`OutOfMemoryError`, `resnet50`), its letters."""
        word = self.plain(token)
        parts = (self.words[part] for part in split_compound(token) if part in self.words)
        runs = letter_runs(word) if word[0].isalpha() or word[-1].isalpha() else []
        letters = (self.letters_start + crc32(run.encode()) % self.buckets for run in runs)
        return TokenRows(self.words.get(word), tuple(parts), tuple(letters))

    def pair_rows(self, plain: Sequence[str]) -> set[int]:
        """Give the rows of those neighbours that are known as a pair."""
        known = self.pairs
        return {known[pair] for pair in pairwise(plain) if pair in known}
