"""Options defined by records, the repository's dataclasses and the libraries' own, filled from words."""

import ast

from schedmate.readers.code.commandline.record_decoding import decode, read_value
from schedmate.readers.code.libraries.argument_words import GivenOption, split_words
from schedmate.readers.code.values.nested import record_defaults
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance, fields_of
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import (
    Attributes,
    Config,
    External,
    Items,
    SourceLocation,
    Unknown,
    Value,
    unknown,
)

SHORTEST = 4
"""Letters of a word that may stand for the one field which begins with it, as argparse has it."""


def known_names(record: Value) -> set[str]:
    """Name a record's fields."""
    if isinstance(record.data, Class):
        names = set(fields_of(record.data))
        for outside in record.data.outside():
            names |= set(record_defaults(outside))
        return names
    return set(record_defaults(record.data.name)) if isinstance(record.data, External) else set()


def attributes_of(value: Value) -> Items | Attributes | None:
    """Give what an object's attributes are kept in."""
    data = value.data
    if isinstance(data, (Instance, ExternalResult)):
        return data.attrs
    return data if isinstance(data, Config) else None


def fill_from_words(
    run: Run, record: Value, words: list[Value], spot: SourceLocation, items: Items | None = None, bare: bool = False
) -> Value:
    """Make a record of a file's items and put in what the words say, `name=value` among them where they are bare."""
    given = split_words(words, bare=bare)[0]
    if isinstance(record.data, Instance):
        made = record
    elif isinstance(record.data, Class):
        made, given = decode(run, record, items or {}, given, spot)
        for outside in record.data.outside():
            for name, value in record_defaults(outside, record.data.spot).items():
                made.data.attrs.setdefault(name, value)
        own, known = fields_of(record.data), known_names(record)
        made.data.attrs.update({key: item for key, item in (items or {}).items() if key in known and key not in own})
    elif isinstance(record.data, External):
        attrs = record_defaults(record.data.name, spot)
        attrs.update({str(key): item for key, item in (items or {}).items()})
        made = Value(ExternalResult(record.data.name, [], {}, spot, attrs=attrs), (spot,))
        run.record(record.data.name, [], made.data.attrs, spot, None, made)
    elif isinstance(record.data, Unknown) and record.data.parts:
        return fill_from_words(run, record.data.parts[0], words, spot, items)
    else:
        return unknown("a record that is not known", record)
    for one in given:
        put_option(run, made, one)
    return made


def put_option(run: Run, made: Value, given: GivenOption) -> None:
    """Put one option into the record or into the record under it that it names."""
    *groups, key = given.name.split(".")
    target: Value | None = made
    for part in groups:
        attrs = attributes_of(target) if target is not None else None
        target = attrs.get(part) if attrs is not None else None
    attrs = attributes_of(target) if target is not None else None
    if attrs is None or target is None:
        return
    if key not in attrs and key.startswith("no_") and key[3:] in attrs:
        run.journal.put(attrs, key[3:], Value(False, given.src))
        return
    if key not in attrs and not isinstance(target.data, ExternalResult):
        nested = [item for item in attrs.values() if isinstance(item.data, Instance) and key in item.data.attrs]
        longer = [name for name in map(str, attrs) if name.startswith(key)] if len(key) >= SHORTEST else []
        if len(nested) == 1 and not groups:
            put_option(run, nested[0], given)
        if nested or len(longer) != 1:
            return
        key = longer[0]
    value = read_value(given, annotation_of(target, key), attrs.get(key))
    run.journal.put(attrs, key, value)


def annotation_of(target: Value, key: str) -> str:
    """Give a field's annotation as text."""
    if not isinstance(target.data, Instance):
        return ""
    node = fields_of(target.data.cls).get(key)
    return ast.unparse(node) if node is not None else ""
