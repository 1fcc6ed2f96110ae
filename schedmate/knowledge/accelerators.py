"""Accelerators by the names that people and sites give them."""

from functools import cache

import re2

from schedmate.knowledge.tables import table

MOST_TEXT = 500
"""Characters of a request that are looked at."""


@cache
def pattern() -> "re2._Regexp[str]":
    """Build the pattern of all names: as words, and grown together with what sites put around them."""
    known = table("accelerators")
    numbers = [number for row in known["numbers"].values() for number in row]
    names = "|".join([*known["names"], *numbers]).replace(" ", "[- ]?")
    before, behind = (f"(?:{'|'.join(known['words'][side])})?" for side in ("before", "behind"))
    return re2.compile(rf"(?i)\b{before}((?:nvidia[- ]?)?(?:{names})){behind}\b")


def accelerators_in(text: str) -> list[str]:
    """Name the accelerators that a text names, each once, in order."""
    words = text[:MOST_TEXT].replace("_", " ")
    return list(dict.fromkeys(full_name(str(match.group(1))) for match in pattern().finditer(words)))


def only_accelerator(text: str) -> str | None:
    """Name the accelerator that a text names, unless it names several."""
    found = accelerators_in(text)
    return found[0] if len(found) == 1 else None


def full_name(text: str) -> str:
    """Write an accelerator's name as its maker does; `volta32gb` is a V100 of 32 GB, `2080ti` an RTX 2080 Ti."""
    name = " ".join(text.upper().removeprefix("NVIDIA").strip("-_ ").split())
    if name.startswith("VOLTA"):
        return f"V100 {name[5:].removesuffix('GB')}GB".replace(" GB", "")
    numbers = table("accelerators")["numbers"]
    made = (kind for kind, row in numbers.items() if any(name.startswith(number.partition("(")[0]) for number in row))
    kind = next(made, None)
    return f"{kind} {name}" if kind is not None else name
