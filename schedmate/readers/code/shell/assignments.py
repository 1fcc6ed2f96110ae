"""Read `NAME=value`, `NAME+=value` and `NAME=(a b)`."""

from typing import TYPE_CHECKING

import re2

from schedmate.readers.code.shell.expansion import expand_one
from schedmate.readers.code.shell.tokens import Token, tokenize
from schedmate.readers.code.values import Val

if TYPE_CHECKING:
    from schedmate.readers.code.shell.interpreter import Interpreter

ASSIGNMENT = re2.compile(r"^([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?(\+?)=")


def read_assignment(one: "Interpreter", token: Token, match: "re2._Match[str]") -> tuple[str, Val]:
    """Read `NAME=value`, `NAME+=value` and `NAME=(a b)`."""
    name, plus, raw = str(match.group(1)), match.group(3), token.text[match.end() :]
    before = one.names.variables.get(name)
    value: Val
    if raw.startswith("(") and raw.endswith(")"):
        inner = [t for t in tokenize(raw[1:-1], token.line) if not t.is_operator]
        items = [word for part in inner for word in one.words_of(part)]
        if plus and before is not None and isinstance(before.data, list):
            items = [*before.data, *items]
        value = Val(items, (one.spot(token),))
    else:
        value = expand_one(raw, one.names, one.spot(token))
        if plus and before is not None and isinstance(before.data, str):
            value = Val(before.data + value.data, (*before.src[:2], *value.src)[:4])
    return name, value
