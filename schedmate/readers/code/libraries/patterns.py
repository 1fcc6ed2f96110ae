"""Patterns and getters of the standard library, on texts that are known: programs find their classes by such names."""

from dataclasses import replace
from itertools import islice
from typing import Any

import re2

from schedmate.readers.code.python.attributes import get_attribute
from schedmate.readers.code.values.nested import wrap
from schedmate.readers.code.values.objects import ExternalResult, Function
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, by_names
from schedmate.readers.code.values.value import External, Value, held, is_constant, join_spots, unknown

QUIET = re2.Options()
QUIET.log_errors = False

LONGEST = 2_000
"""A pattern or text beyond this is nobody's option."""


def short_text(value: Value | None) -> str | None:
    """Give a text that is short enough to be an option's; of longer ones nothing is worked out."""
    text = held(value, str)
    return text if text is not None and len(text) <= LONGEST else None


def pattern_of(value: Value | None) -> Any:  # Any: re2 has no types
    """Compile a pattern, written out or made by `re.compile`; None where it cannot be had in linear time."""
    made = held(value, ExternalResult)
    letter = ""
    if made is not None and made.callee == "re.compile" and made.args:
        flags = made.args[1] if len(made.args) > 1 else made.kwargs.get("flags")
        letter, value = letter_of(flags), made.args[0]
    text = short_text(value)
    if text is not None and letter:
        text = f"(?{letter}){text}"
    try:
        return re2.compile(text, QUIET) if text is not None else None
    except re2.error:
        return None


LETTERS = {"I": "i", "IGNORECASE": "i", "M": "m", "MULTILINE": "m", "S": "s", "DOTALL": "s"}

UNKNOWN_FLAGS = "?"
"""A letter that no pattern may have, so that one with other flags is none that can be had."""
PARTIAL = ("count", "maxsplit", "pos", "endpos", "flags")


def letter_of(flags: Value | None) -> str:
    """Give how a pattern itself says what a flag says."""
    if flags is None or flags.data == 0:
        return ""
    name = flags.data.name if isinstance(flags.data, External) else ""
    return LETTERS.get(name.removeprefix("re."), UNKNOWN_FLAGS)


def asks_for_more(call: Call, plain: int) -> bool:
    """Tell a call for a part of the text only, for so many matches and no more, or with flags of its own."""
    return len(call.args) > plain or any(name in call.kwargs for name in PARTIAL)


def substitute(call: Call) -> Value | None:
    """Model `re.sub` with a plain replacement, or where nothing is to be replaced."""
    pattern, new, text = pattern_of(call.arg(0, "pattern")), short_text(call.arg(1, "repl")), call.arg(2, "string")
    known = short_text(text) if not asks_for_more(call, 3) else None
    if pattern is not None and known is not None and not pattern.search(known):
        return text
    maker = call.arg(1, "repl")
    if pattern is not None and known is not None and text is not None and maker is not None and new is None:
        return made_anew(call, known, text, maker)
    if pattern is None or new is None or known is None or text is None:
        return None
    try:
        made = Value(pattern.sub(new, known), text.src)
    except re2.error:
        return None
    return made if short_text(made) is not None else None


MOST_MATCHES = 20


def made_anew(call: Call, known: str, text: Value, maker: Value) -> Value | None:
    """Put what a function of the program makes of each match in its place, where that is known."""
    pattern = pattern_of(call.arg(0, "pattern"))
    matches = list(islice(pattern.finditer(known), MOST_MATCHES + 1)) if pattern is not None else []
    if not matches or not isinstance(maker.data, Function) or len(matches) > MOST_MATCHES:
        return None
    parts, place = [text], 0
    pieces = []
    for match in matches:
        made = call.run.call(maker, [match_value(match, text, call)], {}, call.spot, call.scope)
        told = short_text(made)
        if told is None:
            return unknown("depends on what is put into it", made)
        pieces += [known[place : match.start()], told]
        parts.append(made)
        place = match.end()
    return Value("".join((*pieces, known[place:])), join_spots(*parts))


def find_match(call: Call) -> Value | None:
    """Model `re.match` and its like: nothing, or a match whose groups are known; `re.split` and its like: texts."""
    pattern, text = pattern_of(call.arg(0, "pattern")), call.arg(1, "string")
    known = short_text(text) if not asks_for_more(call, 2) else None
    if pattern is None or known is None or text is None:
        return None
    found = getattr(pattern, call.name.rpartition(".")[2])(known)
    return wrap(found, text.src) if found is None or isinstance(found, list) else match_value(found, text, call)


def match_value(match: Any, text: Value, call: Call) -> Value:  # Any: re2 has no types
    """Give a match as the program sees it."""

    def group(inner: Call) -> Value:
        names = [arg.data for arg in inner.args if is_constant(arg)] or [0]
        if len(names) != max(len(inner.args), 1):
            return unknown("a group that is not known")
        try:
            found = [Value(match.group(name), text.src) for name in names]
        except (LookupError, TypeError, re2.error):
            return unknown("no such group")
        return found[0] if len(found) == 1 else Value(tuple(found), text.src)

    methods = {
        "group": Value(LibraryMethod(group, "group")),
        "groups": Value(LibraryMethod(lambda inner: wrap(match.groups(), text.src), "groups")),
        "groupdict": Value(LibraryMethod(lambda inner: wrap(match.groupdict(), text.src), "groupdict")),
        "__getitem__": Value(LibraryMethod(group, "__getitem__")),
    }
    return Value(ExternalResult("re.Match", [], {}, call.spot, attrs=methods), text.src)


def attribute_getter(call: Call) -> Value | None:
    """Model `operator.attrgetter("a.b")`: what it gives reads the attribute of what it gets."""
    path = short_text(call.arg(0))

    def read(inner: Call) -> Value | None:
        value = inner.arg(0)
        for part in path.split(".") if path else []:
            value = get_attribute(inner.run, value, part, inner.scope) if value is not None else None
        return value

    return Value(LibraryMethod(read, "attrgetter")) if path else None


def item_getter(call: Call) -> Value | None:
    """Model `operator.itemgetter(key)`."""
    key = call.arg(0)

    def read(inner: Call) -> Value | None:
        owner = inner.arg(0)
        data = owner.data if owner is not None else None
        if key is None or not is_constant(key):
            return None
        if isinstance(data, dict):
            found: Value | None = data.get(key.data)
            return found
        inside = isinstance(data, (list, tuple)) and isinstance(key.data, int) and -len(data) <= key.data < len(data)
        item: Value | None = data[key.data] if inside and data is not None else None
        return item

    return Value(LibraryMethod(read, "itemgetter")) if len(call.args) == 1 else None


def compiled(hook: Hook) -> Hook:
    """Model a method of a compiled pattern by the function of the same name, which is handed the pattern first."""

    def method(call: Call) -> Value | None:
        return hook(replace(call, args=[call.owner, *call.args])) if call.owner is not None else None

    return method


METHODS = "match search fullmatch split findall"
HOOKS: dict[str, Hook] = {
    "re.sub": substitute,
    "re.compile.sub": compiled(substitute),
    **by_names(" ".join(f"re.compile.{name}" for name in METHODS.split()), compiled(find_match)),
    **by_names(" ".join(f"re.{name}" for name in METHODS.split()), find_match),
    "operator.attrgetter": attribute_getter,
    "operator.itemgetter": item_getter,
}
