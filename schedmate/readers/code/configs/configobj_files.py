"""ConfigObj's files: sections within sections, values that a file of specifications gives types and defaults."""

import re2

from schedmate.readers.code.configs.files import LARGEST_CONFIG, note_missing
from schedmate.readers.code.libraries.argument_words import as_bool, number
from schedmate.readers.code.python.modules.named_files import path_in_repository
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import (
    Config,
    Items,
    SourceLocation,
    Value,
    is_constant,
    mapping_of,
    sequence_of,
    unknown,
)

HEAD = re2.compile(r"^(\[+)\s*([^\[\]]+?)\s*\]+\s*(?:#.*)?$")
OPTION = re2.compile(r"""^(?:"([^"]+)"|'([^']+)'|([^=#\[\]]+?))\s*=\s*(.*)$""")
QUOTED = re2.compile(r"""^(?:"([^"]*)"|'([^']*)')\s*(?:#.*)?$""")
CHECK = re2.compile(r"^([a-z_]+)\s*(?:\((.*)\))?$")
DEFAULT = re2.compile(r"""default\s*=\s*("[^"]*"|'[^']*'|[^,()]+)""")
SHARED = re2.compile(r"%\(([\w.-]+)\)s")
MOST_LINES, DEEPEST, LONGEST = 20_000, 20, 4_000

MANY = "__many__"
"""What a specification calls options and sections of any name."""


def read_sections(text: str, path: str, shares: bool = True) -> Value:
    """Read sections by the number of their brackets; what a value shares with another is put in."""
    whole = Value(Config(kind="section"), (SourceLocation(path, 1),))
    around: list[Items] = [whole.data]
    for line_number, line in enumerate(text.split("\n")[:MOST_LINES], 1):
        spot = (SourceLocation(path, line_number),)
        stripped = line.strip()[:LONGEST]
        head, option = HEAD.match(stripped), OPTION.match(stripped)
        if head is not None and len(head.group(1)) <= min(len(around), DEEPEST):
            around = around[: len(head.group(1))]
            section = around[-1].setdefault(str(head.group(2)), Value(Config(kind="section"), spot))
            around.append(section.data if isinstance(section.data, dict) else Config())
        elif option is not None:
            name = str(option.group(1) or option.group(2) or option.group(3))
            read = read_value(str(option.group(4))) if shares else str(option.group(4))
            around[-1][name] = Value(read if isinstance(read, list) else filled(read, around), spot)
    return whole


def read_value(text: str) -> str | list[Value]:
    """Read a value without its marks; commas make a list."""
    quoted = QUOTED.match(text)
    if quoted is not None:
        return str(quoted.group(1) if quoted.group(1) is not None else quoted.group(2))
    plain = text.partition("#")[0].strip()
    parts = [part.strip().strip("\"'") for part in plain.split(",")]
    return [Value(part) for part in parts if part] if len(parts) > 1 else plain


def filled(text: str, around: list[Items]) -> str:
    """Put in what other values are called for by name, of the same section before those around it."""

    def found(match: "re2._Match[str]") -> str:
        name = match.group(1)
        known = next((items[name] for items in reversed(around) if name in items), None)
        return str(known.data) if known is not None and is_constant(known) else str(match.group(0))

    return str(SHARED.sub(found, text))[:LONGEST] if "%(" in text else text


def make_sections(call: Call) -> Value | None:
    """Model `ConfigObj(file, configspec=...)`; the specification's types and defaults are those of a file that fits."""
    given = call.arg(0, "infile")
    plain = call.constant(-1, "list_values", True) is not False
    made = given if isinstance(given.data if given is not None else None, dict) else load(call, given, shares=plain)
    if made is None:
        note_missing(call.run, given)
        return unknown("the contents of a file that is not in the repository", *([given] if given is not None else []))
    told = call.kwargs.get("configspec")
    spec = told if told is None or isinstance(told.data, dict) else load(call, told, shares=False)
    if spec is not None:
        fit(mapping_of(made), mapping_of(spec))
    elif told is not None:
        return unknown("settings by a specification that is not in the repository", made)
    return call.run.offer(made, call.name)


def load(call: Call, named: Value | None, shares: bool = True) -> Value | None:
    """Read the file that is named; None where it is not here."""
    path = path_in_repository(call.run, named, call.scope)
    text = call.run.read_text(path, LARGEST_CONFIG) if path is not None else None
    return read_sections(text, path, shares) if text is not None and path is not None else None


def fit(items: Items, spec: Items) -> None:
    """Give values the types that a specification states, and the defaults of those that are not there."""
    for name, check in spec.items():
        if name == MANY:
            continue
        if isinstance(check.data, dict):
            section = items.setdefault(name, Value(Config(kind="section"), check.src))
            fit(mapping_of(section), check.data)
            continue
        text = ", ".join(str(part.data) for part in sequence_of(check)) or str(check.data)
        stated = CHECK.match(text)
        if stated is not None:
            default = DEFAULT.search(str(stated.group(2) or ""))
            usual = Value(str(default.group(1)).strip().strip("\"'"), check.src) if default is not None else None
            value = items.get(name) or usual
            if value is not None:
                items[name] = typed(value, str(stated.group(1)))


def typed(value: Value, kind: str) -> Value:
    """Read a text as the kind that is stated."""
    text = value.data
    if not isinstance(text, str) or kind == "string":
        return value
    if text == "None":
        return Value(None, value.src)
    known: object = as_bool(text) if kind == "boolean" else number(text) if kind in ("integer", "float") else text
    if known is None:
        return unknown(f"{text!r} is no {kind}", value)
    return Value(float(known) if kind == "float" and isinstance(known, int) else known, value.src)


def as_kind(call: Call) -> Value | None:
    """Model a section's `as_int(name)`, `as_float(name)` and `as_bool(name)`."""
    found = mapping_of(call.owner).get(call.constant(0))
    kind = {"as_int": "integer", "as_float": "float", "as_bool": "boolean"}[call.name.rpartition(".")[2]]
    return typed(found, kind) if found is not None else unknown(f"option {call.constant(0)} is not set")


SECTION_METHODS: dict[str, Hook] = {
    **by_names("as_int as_float as_bool", as_kind),
    "validate": lambda call: Value(True, (call.spot,)),
}
HOOKS: dict[str, Hook] = by_names("configobj.ConfigObj ConfigObj", make_sections)
