"""Model families by name, layers by type, sizes that names fix; the tables are data."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

import re2

SIZE = re2.compile(r"(?i)(?:^|[-_/ .a-z])(?:(\d+)x)?(\d+(?:\.\d+)?)(b|m)(?:$|[-_/ .\]])")
SPLIT = re2.compile(r"[A-Z]+(?:[a-z0-9]+)?|[a-z0-9]+")


@lru_cache(maxsize=1)
def tables() -> dict[str, Any]:
    """Read the tables once."""
    return tomllib.loads(files(__package__).joinpath("models.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def families() -> list[tuple[str, str, str]]:
    """Give word, type and task of each family, longest word first."""
    rows = [(word, kind, task) for kind, words in tables()["families"].items() for word, task in words]
    return sorted(rows, key=lambda row: -len(row[0]))


def squash(name: str) -> str:
    """Keep letters and digits."""
    return "".join(character for character in name.lower() if character.isalnum())


@lru_cache(maxsize=4096)
def family_of(name: str) -> tuple[str, str] | None:
    """Give type and task of the family that a model's name tells; short words must stand by themselves."""
    whole = squash(name[-120:])
    parts = {squash(part) for part in SPLIT.findall(name[-120:])}
    for word, kind, task in families():
        if len(word) >= 5 and word in whole:
            return kind, task
        if len(word) < 5 and (word in parts or any(fits_short(word, part) for part in parts)):
            return kind, task
    return None


def fits_short(word: str, part: str) -> bool:
    """Tell `vit` in `vitb16` and `bert` in `bert2` without finding `git` in `digits`."""
    rest = part.removeprefix(word)
    if rest == part:
        return part.endswith(word) and len(word) >= 4
    return not rest[:1].isalpha() or rest[:2] in ("b1", "b3", "l1", "s1", "h1", "v2", "v3", "xl") or len(word) == 4


def layer_type(names: set[str]) -> str | None:
    """Give the type that a model's layers tell."""
    for kind, layers in tables()["layers"].items():
        if names.intersection(layers):
            return str(kind)
    return None


def size_of(name: str) -> str | None:
    """Give the size that a name fixes: written in it, or known of this exact name."""
    match = SIZE.search(name)
    if match is not None:
        number = str(match.group(2))
        times = f"{match.group(1)}x" if match.group(1) else ""
        return f"{times}{number}{str(match.group(3)).upper()}"
    known: str | None = tables()["sizes"].get(squash(name))
    return known
