"""Read `NAME=value`, `NAME+=value`, `NAME=(a b)` and `NAME[key]=value`."""

import re2

from schedmate.readers.code.shell.expansion import expand_one
from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.session import LONGEST
from schedmate.readers.code.shell.tokens import ShellToken, tokenize
from schedmate.readers.code.values.value import Value
from schedmate.readers.code.values.whole_numbers import whole_count
from schedmate.tools.late_patterns import late_re2

ASSIGNMENT = re2.compile(r"^([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?(\+?)=")
INDEXED = late_re2(r"^\[([^\]]{1,200})\]=")
MOST_ITEMS = 2_000


def read_assignment(one: ShellInterpreter, token: ShellToken, match: "re2._Match[str]") -> tuple[str, Value]:
    """Read an assignment; arrays become lists, those with words for indices mappings."""
    name, index, plus, raw = str(match.group(1)), match.group(2), match.group(3), token.text[match.end() :]
    before = one.names.variables.get(name)
    spot = one.spot(token)
    if raw.startswith("(") and raw.endswith(")"):
        return name, array(one, raw, token, before if plus else None)
    if before is None and adds_words(name, raw):
        one.names.variables[name] = Value("", (spot,))
    value = expand_one(raw, one.names, spot)
    if index:
        return name, with_item(before, unquoted(one, str(index)[1:-1], token), value)
    if plus and before is not None and isinstance(before.data, str):
        value = Value((before.data + str(value.data))[:LONGEST], (*before.src[:2], *value.src)[:4])
    return name, value


def adds_words(name: str, raw: str) -> bool:
    """Tell `ARGS="$ARGS --more"`: words are gathered under a name, and before the first of them there are none."""
    text = raw.strip("\"'")
    own = (f"${name}", f"${{{name}}}")
    begins = any(text.startswith(one) and text[len(one) : len(one) + 1].isspace() for one in own)
    return begins or any(text.endswith(one) and text[: -len(one)][-1:].isspace() for one in own)


def array(one: ShellInterpreter, raw: str, token: ShellToken, before: Value | None) -> Value:
    """Read `(a b)` or `([x]=a [y]=b)`, behind what stood there before where it is added to."""
    inner = [part for part in tokenize(raw[1:-1], token.line) if not part.is_operator]
    if inner and all(INDEXED.match(part.text) for part in inner):
        made = Value({}, (one.spot(token),))
        for part in inner:
            match = INDEXED.match(part.text)
            assert match is not None
            text = expand_one(part.text[match.end() :], one.names, one.spot(part))
            made = with_item(made, unquoted(one, str(match.group(1)), part), text)
        return made
    items = [word for part in inner for word in one.words_of(part)]
    if before is not None and isinstance(before.data, list):
        items = [*before.data, *items]
    return Value(items[:MOST_ITEMS], (one.spot(token),))


def with_item(before: Value | None, index: str, value: Value) -> Value:
    """Put an item into an array, in its place or under its name."""
    data = before.data if before is not None else None
    place = whole_count(index)
    if isinstance(data, list) and place is not None and place <= len(data) < MOST_ITEMS:
        return Value([*data[:place], value, *data[place + 1 :]], value.src)
    known = data if isinstance(data, dict) else {str(n): item for n, item in enumerate(data or [])}
    return Value({**known, index: value}, value.src)


def unquoted(one: ShellInterpreter, index: str, token: ShellToken) -> str:
    """Give an index as text."""
    return str(expand_one(index, one.names, one.spot(token)).data)
