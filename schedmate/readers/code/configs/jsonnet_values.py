"""Jsonnet's tokens, and what its operators make of values."""

import re
from collections.abc import Callable, Hashable
from typing import Any

from schedmate.readers.code.values.value import (
    Config,
    Items,
    Unknown,
    Value,
    is_constant,
    join_spots,
    mapping_of,
    sequence_of,
    unknown,
)
from schedmate.tools.late_patterns import late

TOKEN = late(
    r"(?P<skip>\s+|//[^\n]*|#[^\n]*)"
    r"|(?P<text>@?\"(?:[^\"\\]|\\.)*\"|@?'(?:[^'\\]|\\.)*')"
    r"|(?P<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>:::|::|\+:|==|!=|<=|>=|&&|\|\||[-+*/%<>!{}\[\]().,;:=$])",
    re.S,
)
"""Each way begins with other signs and repeats over signs that do not end it: the time grows with the text alone."""
MOST_TOKENS = 60_000
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {  # Any: of what types both may be is Jsonnet's affair
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "%": lambda a, b: a % b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "&&": lambda a, b: bool(a and b),
    "||": lambda a, b: bool(a or b),
}


class JsonnetObject(Config):
    """An object, and which of its keys (`a+: ...`) add to what stands under them in the object that it is added to."""

    __slots__ = ("adding",)

    def __init__(self, items: Items | None = None) -> None:
        super().__init__(items)
        self.adding: set[str] = set()


class JsonnetError(Exception):
    """Say that the text is no Jsonnet, or none that is read here."""


def tokens_of(text: str) -> list[tuple[str, str, int]]:
    """Give the kind, the text and the line of each token."""
    found: list[tuple[str, str, int]] = []
    place, line = 0, 1
    while place < len(text):
        if text.startswith("/*", place):
            end = text.find("*/", place + 2)
            line += text.count("\n", place, end if end >= 0 else len(text))
            place = end + 2 if end >= 0 else len(text)
            continue
        match = TOKEN.match(text, place)
        if match is None or len(found) > MOST_TOKENS:
            raise JsonnetError
        kind, piece = match.lastgroup or "", match.group()
        if kind != "skip":
            found.append((kind, piece, line))
        line += piece.count("\n")
        place = match.end()
    return [*found, ("end", "", line)]


def operate(sign: str, left: Value, right: Value) -> Value:
    """Apply an operator; `+` also joins texts, lists and objects."""
    a, b = left.data, right.data
    if sign == "+" and isinstance(a, JsonnetObject) and isinstance(b, JsonnetObject):
        made = JsonnetObject({**a, **b})
        made.update({key: operate("+", a[key], b[key]) for key in b.adding if key in a})
        made.adding = a.adding | b.adding
        return Value(made, join_spots(left, right))
    if sign == "+" and isinstance(a, list) and isinstance(b, list):
        return Value([*a, *b], join_spots(left, right))
    if not (is_constant(left) and is_constant(right)):
        return unknown("made from what is not known", left, right)
    if sign == "+" and (isinstance(a, str) or isinstance(b, str)):
        return Value(f"{a}{b}"[:10_000], join_spots(left, right))
    try:
        return Value(a + b if sign == "+" else OPERATORS[sign](a, b), join_spots(left, right))
    except (TypeError, ZeroDivisionError, OverflowError, ValueError, KeyError):
        return unknown("made from what is not known", left, right)


def item_of(value: Value, key: Hashable) -> Value:
    """Give an object's or a list's item."""
    data = value.data
    if key in mapping_of(value):
        return mapping_of(value)[key]
    if isinstance(data, list) and type(key) is int and 0 <= key < len(data):
        return sequence_of(value)[key]
    return unknown("an item", *([value] if isinstance(data, Unknown) else []))


def unquoted(text: str) -> str:
    """Give a text without its quotes; only the plain escapes are read."""
    if text.startswith("@"):
        return text[2:-1]
    inner = text[1:-1]
    return inner if "\\" not in inner else inner.replace("\\n", "\n").replace("\\t", "\t").replace("\\", "")
