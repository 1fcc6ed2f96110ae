"""Accelerators by the names that people and sites give them."""

from functools import cache
from typing import NamedTuple

import re2

from schedmate.knowledge.tables import table

MOST_TEXT = 500
"""Characters of a request that are looked at."""
NEAR = 30
"""Characters beside a name that are looked at."""


class Names(NamedTuple):
    """Patterns of accelerators' names: of all, of those that may be something else, of words and counts beside them."""

    known: "re2._Regexp[str]"
    unsure: "re2._Regexp[str]"
    before: "re2._Regexp[str]"
    count: "re2._Regexp[str]"
    behind: "re2._Regexp[str]"


@cache
def patterns() -> Names:
    """Build the patterns of names: as words, and grown together with what sites put around them."""
    known = table("accelerators")
    numbers = [number for row in known["numbers"].values() for number in row]
    names = "|".join([*known["names"], *numbers]).replace(" ", "[- ]?")
    before, behind = (f"(?:{'|'.join(known['words'][side])})?" for side in ("before", "behind"))
    beside = "|".join(known["words"]["beside"])
    return Names(
        re2.compile(rf"(?i)\b({before})((?:nvidia[- ]?)?(?:{names})){behind}\b"),
        re2.compile(rf"(?i)^(?:[0-9]+|{'|'.join(known['words']['unsure'])})$"),
        re2.compile(rf"(?i)(?:^|[^a-z])(?:{beside})[-:= ]$"),
        re2.compile(r"(?i)(?:^|[-= ])(?:1|2|4|8|16|32|64)x?[- ]$"),
        re2.compile(rf"(?i)^[- ](?:{beside})(?:$|[^a-z])"),
    )


def accelerators_in(text: str, asked: bool = True) -> list[str]:
    """Name the accelerators that a text names, each once, in order.

    Where none is asked for, names that may be something else need a word beside them: `gpu_3090`, no `seed_3090`.
    """
    words, known = text[:MOST_TEXT].replace("_", " "), patterns()
    found = (match for match in known.known.finditer(words) if asked or is_sure(match, words, known))
    return list(dict.fromkeys(full_name(str(match.group(2))) for match in found))


def is_sure(match: "re2._Match[str]", words: str, known: Names) -> bool:
    """Tell a name that is an accelerator's by itself or by what stands beside it."""
    if match.group(1) or not known.unsure.search(str(match.group(2))):
        return True
    before, behind = words[: match.start()][-NEAR:], words[match.end() :][:NEAR]
    counted = not str(match.group(2)).isdigit() and known.count.search(before)
    return bool(counted or known.before.search(before) or known.behind.search(behind))


def only_accelerator(text: str, asked: bool = True) -> str | None:
    """Name the accelerator that a text names, unless it names several."""
    found = accelerators_in(text, asked)
    return found[0] if len(found) == 1 else None


def is_accelerator(text: str) -> bool:
    """Tell a text that is an accelerator's name and nothing else."""
    return len(text) < NEAR and patterns().known.fullmatch(text) is not None


def full_name(text: str) -> str:
    """Write an accelerator's name as its maker does; `volta32gb` is a V100 of 32 GB, `2080ti` an RTX 2080 Ti."""
    name = " ".join(text.upper().removeprefix("NVIDIA").strip("-_ ").split())
    if name.startswith("VOLTA"):
        return f"V100 {name[5:].removesuffix('GB')}GB".replace(" GB", "")
    numbers = table("accelerators")["numbers"]
    made = (kind for kind, row in numbers.items() if any(name.startswith(number.partition("(")[0]) for number in row))
    kind = next(made, None)
    return f"{kind} {name}" if kind is not None else name
