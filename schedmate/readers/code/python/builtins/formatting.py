"""Put values into texts by `%`, f-strings, `format` and `join`; a text with an open part keeps what is known of it."""

import ast
from collections.abc import Callable
from string import Formatter

import re2

from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.path_texts import OPEN_TEXT
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import (
    SourceLocation,
    Unknown,
    Value,
    is_constant,
    join_spots,
    known_start,
    unknown,
)

LONGEST = 100_000

SHORT_SPEC = re2.compile(r"^[<>^=+ 0,]{0,3}[0-9]{0,2}(?:\.[0-9]{1,2})?[a-zA-Z%]?$")
"""A format that cannot make a text huge."""
FIELD = re2.compile(r"%[-+ #0]{0,3}[0-9]{0,2}(?:\.[0-9]{1,2})?[a-zA-Z]")


def gapped(text: str, *values: Value) -> Value:
    """Give a text of which parts are open: not known, but not nothing either."""
    made = known_start(text.partition(OPEN_TEXT)[0], *values)
    made.data.text = text[:LONGEST]
    return made


def shown(value: Value) -> str:
    """Write a value into a text, or what stands for it where it is open."""
    if is_constant(value):
        return str(value.data)
    if isinstance(value.data, ExternalResult) and "text" in value.data.kwargs:
        return str(value.data.kwargs["text"].data)
    return (value.data.text if isinstance(value.data, Unknown) else "") or OPEN_TEXT


def is_known(value: Value) -> bool:
    """Tell a value that can be written as it will be."""
    return is_constant(value) or (isinstance(value.data, ExternalResult) and "text" in value.data.kwargs)


def from_formatted(run: Run, node: ast.JoinedStr, scope: Scope, evaluate: Callable[..., Value]) -> Value:
    """Follow an f-string; formats that could make it huge leave it open."""
    parts: list[str] = []
    values: list[Value] = []
    whole = True
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            value = evaluate(run, part.value, scope)
            values.append(value)
            text = formatted(value, part.format_spec, part.conversion)
            whole = whole and text is not None
            parts.append(shown(value) if text is None else text)
        elif isinstance(part, ast.Constant):
            parts.append(str(part.value))
    if not whole:
        return gapped("".join(parts), *values)
    return Value("".join(parts)[:LONGEST], (*join_spots(*values), SourceLocation(scope.path, node.lineno))[:4])


def formatted(value: Value, spec: ast.expr | None, conversion: int) -> str | None:
    """Format one value of an f-string; nothing where it is open or its format is."""
    if conversion in (ord("r"), ord("a")):
        return repr(value.data) if is_constant(value) and spec is None else None
    if not is_known(value):
        return None
    if spec is None:
        return shown(value)
    told = spec.values if isinstance(spec, ast.JoinedStr) else []
    text = str(told[0].value) if len(told) == 1 and isinstance(told[0], ast.Constant) else None
    if text is None or not SHORT_SPEC.match(text):
        return None
    try:
        return format(value.data, text)
    except (TypeError, ValueError):
        return None


def format_percent(left: Value, right: Value) -> Value:
    """Apply `%` to a text."""
    items = right.data if isinstance(right.data, tuple) else (right,)
    text = left.data
    if "%" not in text or len(text) > LONGEST or "*" in text or any(c * 4 in text for c in "0123456789"):
        return unknown("a text that is not known", left, right)
    if not all(isinstance(item, Value) for item in items) or isinstance(right.data, dict):
        return unknown("a text that is not known", left, right)
    try:
        if all(is_constant(item) for item in items):
            return Value(text % tuple(item.data for item in items), join_spots(left, right))
        return gapped(FIELD.sub("%s", text) % tuple(shown(item) for item in items), left, right)
    except (TypeError, ValueError, KeyError):
        return unknown("a text that is not known", left, right)


def are_plain_fields(text: str) -> bool:
    """Tell a template of `format` that only places its values: no attributes, no items, no widths that are huge."""
    try:
        fields = [(name, spec) for _, name, spec, _ in Formatter().parse(text) if name is not None]
    except ValueError:
        return False
    return all(
        not set(name).intersection(".[") and (not spec or SHORT_SPEC.match(spec) is not None) for name, spec in fields
    )


def format_open(owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """Give what is known of a text that `format` or `join` makes of values that are partly open."""
    text, values = owner.data, [*args, *kwargs.values()]
    if not isinstance(text, str) or len(text) > LONGEST:
        return None
    if name == "join" and len(args) == 1 and isinstance(args[0].data, (list, tuple)):
        return gapped(text.join(shown(item) for item in args[0].data if isinstance(item, Value)), owner, *args)
    if name != "format" or not are_plain_fields(text):
        return None
    try:
        made = text.format(*map(shown, args), **{key: shown(value) for key, value in kwargs.items()})
    except (TypeError, ValueError, LookupError):
        return None
    return gapped(made, owner, *values)
