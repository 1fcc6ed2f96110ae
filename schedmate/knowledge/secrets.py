"""How secrets look and what they are called; the table is data."""

from functools import lru_cache
from typing import Any, Literal

import re2

from schedmate.knowledge.tables import table

Sureness = Literal["", "likely", "sure", "header"]


@lru_cache(maxsize=1)
def tokens() -> Any:
    """Compile the marks of issuers into one pattern."""
    return re2.compile(r"\b(?:" + "|".join(table("secrets")["tokens"].values()) + ")")


@lru_cache(maxsize=1)
def anything() -> Any:
    """Compile all that shows a secret without its name; the engine says of most lines at once that they hold none."""
    return re2.compile("|".join((tokens().pattern, *(place.pattern for place in places()))))


@lru_cache(maxsize=1)
def places() -> tuple[Any, ...]:
    """Compile what stands before a secret without a name."""
    return tuple(re2.compile(pattern) for pattern in table("secrets")["after"].values())


@lru_cache(maxsize=4096)
def sureness_of(name: str) -> Sureness:
    """Judge by its name whether a setting holds a secret: `AWS_SECRET_ACCESS_KEY`, `dbPassword`, `--api-key`."""
    names = table("secrets")["names"]
    words = [word.lower() for word in split_name(name)]
    while words and words[-1].isdigit():
        words.pop()
    if not words:
        return ""
    joined = "".join(words)
    if joined in names["headers"]:
        return "header"
    if any(joined.endswith(end) for end in names["sure"] if len(end) > 3 or words[-1] == end or joined.endswith("pwd")):
        return "sure"
    if words[-1] not in names["likely"]:
        return ""
    ordinary = names["ordinary_passes" if words[-1] == "pass" else "ordinary"]
    if len(words) > 1 and words[-2] in ordinary:
        return ""
    return "sure" if words[-1] == "pass" and len(words) > 1 else "likely"


def split_name(name: str) -> list[str]:
    """Split at signs and where capitals begin a word."""
    parts: list[str] = []
    for piece in "".join(letter if letter.isalnum() else " " for letter in name).split():
        start = 0
        for at in range(1, len(piece)):
            if piece[at].isupper() and piece[at - 1].islower():
                parts.append(piece[start:at])
                start = at
        parts.append(piece[start:])
    return parts


def is_nothing(value: str, name: str) -> bool:
    """Tell words that stand where a secret would, and are none; a usage text repeats the name."""
    word = value.lower().strip(".:;,!]")
    nothing = table("secrets")["names"]["nothing"]
    return word in nothing or word.replace("-", "_") == name.lower().lstrip("-").replace("-", "_")
