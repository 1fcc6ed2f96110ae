"""Expand `${name...}` with its defaults, cuts and replacements."""

from collections.abc import Callable
from fnmatch import fnmatchcase

import re2

from schedmate.readers.code.shell.session import ShellVariables, WordPiece
from schedmate.readers.code.values.value import Value
from schedmate.readers.code.values.whole_numbers import whole

Expand = Callable[[str], Value]
"""Expands the word behind an operator; handed in, since words and parameters contain each other."""

PARAMETER = re2.compile(r"^(#?)([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])(\[[^\]]*\])?((?s:.*))$")
SUBSTRING = re2.compile(r"^: ?(-?\d{1,6})(?::(-?\d{1,6}))?$")

REPLACED = re2.compile(r"(/?(?:\\.|[^\\/])*)/((?s:.*))$")
"""What is replaced and by what: a slash that stands first or behind a backslash is none between them."""
LONGEST_TRIMMED = 2_000


def braced(inner: str, names: ShellVariables, expand: Expand) -> WordPiece | None:
    """Expand `${name...}` with its defaults, cuts and replacements."""
    match = PARAMETER.match(inner)
    if match is None or (inner.startswith("!") and len(inner) > 1):
        return pointed_at(inner, names)
    length, name, index, rest = (str(group or "") for group in match.groups())
    value = names.find(name)
    if length and not rest:
        is_sized = value is not None and isinstance(value.data, (dict, list, str))
        return WordPiece(str(len(value.data))) if value is not None and is_sized else None
    value = item_of(value, index[1:-1], names, expand) if value is not None and name not in "@*" else value
    if not rest:
        return piece_of(value, f"${{{inner}}}")
    return with_operator(name, value, rest, names, expand) or WordPiece(f"${{{inner}}}")


def pointed_at(inner: str, names: ShellVariables) -> WordPiece | None:
    """Expand `${!name}`, the variable that a variable names."""
    pointer = names.find(inner[1:]) if inner.startswith("!") else None
    found = names.find(str(pointer.data)) if pointer is not None else None
    return piece_of(found, f"${{{inner}}}")


def item_of(value: Value, index: str, names: ShellVariables, expand: Expand) -> Value | None:
    """Take one or all items of an array; an array without an index means its first item."""
    if isinstance(value.data, dict):
        known = names.find(index.lstrip("$").strip("{}")) if index.startswith("$") else None
        items = list(value.data.values())
        found: Value | None = value.data.get(str(known.data) if known is not None else index.strip("'\""))
        return Value(items, value.src) if index in ("@", "*") else found
    if not isinstance(value.data, list) or index in ("@", "*"):
        return value
    if not index:
        return value.data[0] if value.data and not isinstance(value.data[0], list) else Value("")
    known = names.find(index.lstrip("$").strip("{}"))
    place = str(known.data) if known is not None and not index.lstrip("-").isdigit() else index
    if known is None and not index.lstrip("-").isdigit():
        place = str(expand(index if index.startswith("$((") else f"$(({index}))").data)  # `${A[i + 1]}` is computed
    at = whole(place)
    if at is not None and -len(value.data) <= at < len(value.data):
        item: Value = value.data[at]
        return item
    return None if "$" in index else Value("")


def with_operator(name: str, value: Value | None, rest: str, names: ShellVariables, expand: Expand) -> WordPiece | None:
    """Apply an operator to a variable; None where it cannot be applied to what is known."""
    is_set = value is not None and value.data not in ("", [])
    for mark in (":-", ":=", "-", "="):
        if rest.startswith(mark):
            if is_set or (value is not None and mark in "-="):
                return piece_of(value)
            made = expand(rest[len(mark) :])
            if "=" in mark:
                names.variables[name] = made
            return WordPiece(str(made.data), made.src)
    if rest.startswith((":+", "+")):
        if not is_set:
            return WordPiece("")
        made = expand(rest.lstrip(":+"))
        return WordPiece(str(made.data), made.src)
    if rest.startswith((":?", "?")):
        return piece_of(value, f"${{{name}}}")
    if value is not None and isinstance(value.data, list):
        return sliced(name, value, with_numbers(rest, expand))
    if value is None or not isinstance(value.data, str):
        return None
    text = changed(value.data, rest, expand)
    return WordPiece(text, value.src) if text is not None else None


def with_numbers(rest: str, expand: Expand) -> str:
    """Put in what `:$n` counts from, or to."""
    return str(expand(rest).data) if rest.startswith(":") and "$" in rest else rest


def sliced(name: str, value: Value, rest: str) -> WordPiece | None:
    """Take some items: `${@:2}` counts from one, `${A[@]:1:2}` from zero."""
    match = SUBSTRING.match(rest)
    if match is None:
        return None
    first = int(match.group(1)) - (name == "@" and int(match.group(1)) > 0)
    items = value.data[first:]
    return WordPiece("", value.src, items=items[: int(match.group(2))] if match.group(2) else items)


def changed(text: str, rest: str, expand: Expand) -> str | None:
    """Cut, replace or convert a text: `%`, `#`, `/`, `:2:3`, `,,` and `^^`."""
    if rest[0] in "%#":
        return trimmed(text, rest, expand)
    if rest in (",,", ",", "^^", "^"):
        return text.lower() if "," in rest else text.upper()
    if rest[0] == "/":
        start = 1 + rest.startswith("//")
        replaced = REPLACED.match(rest[start:])
        old, new = replaced.groups() if replaced is not None else (rest[start:], "")
        return put_for(text, str(expand(old).data), str(expand(new).data), -1 if rest.startswith("//") else 1)
    match = SUBSTRING.match(with_numbers(rest, expand))
    if match is None:
        return None
    part = text[int(match.group(1)) :]
    return part[: int(match.group(2))] if match.group(2) else part


def put_for(text: str, old: str, new: str, times: int) -> str | None:
    """Replace a plain text in another one: anywhere, or with `#` at its beginning and `%` at its end."""
    if not old or set(old) & set("*?[") or "${" in old or "$(" in old:
        return None
    if old[0] in "#%" and times == 1 and len(old) > 1:
        at_start = old[0] == "#"
        fits = text.startswith(old[1:]) if at_start else text.endswith(old[1:])
        rest = text.removeprefix(old[1:]) if at_start else text.removesuffix(old[1:])
        return text if not fits else new + rest if at_start else rest + new
    return text.replace(old, new, times)


def trimmed(text: str, rest: str, expand: Expand) -> str:
    """Cut a pattern off the beginning or the end, the shortest fit or with a doubled mark the longest."""
    mark, longest = rest[0], rest[:2] == rest[0] * 2
    pattern = str(expand(rest.lstrip(mark)).data)[:200]
    if pattern.count("*") > 3 or len(text) > LONGEST_TRIMMED:
        return text
    places = range(len(text) + 1) if (mark == "#") != longest else range(len(text), -1, -1)
    for place in places:
        part = text[:place] if mark == "#" else text[place:]
        if fnmatchcase(part, pattern):
            return text[place:] if mark == "#" else text[:place]
    return text


def piece_of(value: Value | None, unset: str = "") -> WordPiece | None:
    """Make a piece of a value; a variable that is not set stays as written."""
    if value is None:
        return WordPiece(unset) if unset else WordPiece("")
    if isinstance(value.data, list):
        return WordPiece("", value.src, items=list(value.data))
    return WordPiece(str(value.data), value.src)
