"""Leave out the type parameters of Python 3.12, which an older one cannot parse; lines keep their numbers."""

import re2

PARAMETERS = re2.compile(r"(?m)^[ \t]*(?:class|(?:async[ \t]+)?def|type)[ \t]+\w+[ \t]*\[")
ALIAS = re2.compile(r"(?m)^([ \t]*)type[ \t]+(\w+[\s\\]*=)")

MOST_CHARS = 4000
"""A list of parameters of types is shorter."""


def without_type_parameters(text: str) -> str:
    """Blank what stands in brackets behind the name of a class, a function or a type, and `type` before a name."""
    kept, place = [], 0
    for found in PARAMETERS.finditer(text):
        if found.start() < place:
            continue
        start, end = found.end() - 1, end_of_brackets(text, found.end() - 1)
        if end is None:
            continue
        kept += [text[place:start], blank(text[start:end])]
        place = end
    return str(ALIAS.sub(r"\1\2", "".join((*kept, text[place:]))))


def blank(inside: str) -> str:
    """Give as many lines, each of which goes on in the next: behind a name no line may end."""
    return " \\\n" * inside.count("\n")


def end_of_brackets(text: str, start: int) -> int | None:
    """Find where brackets are closed again, past texts and comments."""
    depth, quote, place = 0, "", start
    while place < min(len(text), start + MOST_CHARS):
        sign = text[place]
        if quote:
            place += sign == "\\"
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign == "#":
            place = text.find("\n", place)
            if place < 0:
                return None
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if not depth:
                return place + 1
        place += 1
    return None
