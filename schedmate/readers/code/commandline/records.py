"""Options defined by records, the repository's dataclasses and the libraries' own, filled from words."""

import ast
from typing import TYPE_CHECKING, Any

from schedmate.readers.code.commandline.given import Given, split_words
from schedmate.readers.code.commandline.words import as_bool, guess, is_open, number, word_text
from schedmate.readers.code.libraries.defaults import record_defaults
from schedmate.readers.code.python.classes import fields_of, instantiate
from schedmate.readers.code.things import Class, Instance, Made
from schedmate.readers.code.values import Config, External, Spot, Unknown, Val, unknown

if TYPE_CHECKING:
    from schedmate.readers.code.python.run import Run


def known_names(record: Val) -> set[str]:
    """Name a record's fields."""
    if isinstance(record.data, Class):
        names = set(fields_of(record.data))
        for outside in record.data.outside():
            names |= set(record_defaults(outside))
        return names
    return set(record_defaults(record.data.name)) if isinstance(record.data, External) else set()


def attributes_of(value: Val) -> dict[Any, Val] | None:
    """Give what an object's attributes are kept in."""
    data = value.data
    if isinstance(data, (Instance, Made)):
        return data.attrs
    return data if isinstance(data, Config) else None


def fill_from_words(run: "Run", record: Val, words: list[Val], spot: Spot) -> Val:
    """Make a record and put in what the words say."""
    if isinstance(record.data, Instance):
        made = record
    elif isinstance(record.data, Class):
        made = instantiate(run, record, [], {}, spot)
        fill_library_defaults(made, record.data)
    elif isinstance(record.data, External):
        made = Val(Made(record.data.name, [], {}, spot, attrs=record_defaults(record.data.name, spot)), (spot,))
        run.record(record.data.name, [], made.data.attrs, spot, None, made)
    elif isinstance(record.data, Unknown) and record.data.parts:
        return fill_from_words(run, record.data.parts[0], words, spot)
    else:
        return unknown("a record that is not known", record)
    put_words(run, made, words)
    return made


def fill_library_defaults(made: Val, cls: Class) -> None:
    """Give a record that extends a library's record the library's known defaults."""
    for outside in cls.outside():
        for name, value in record_defaults(outside, cls.spot).items():
            made.data.attrs.setdefault(name, value)


def put_words(run: "Run", made: Val, words: list[Val]) -> None:
    """Put `--name value`, `--name=value`, `--flag`, `--no-flag` and `--group.name value` into a record."""
    for given in split_words(words)[0]:
        put_option(run, made, given)


def put_option(run: "Run", made: Val, given: Given) -> None:
    """Put one option into the record or into the record under it that it names."""
    *groups, key = given.name.split(".")
    target: Val | None = made
    for part in groups:
        attrs = attributes_of(target) if target is not None else None
        target = attrs.get(part) if attrs is not None else None
    attrs = attributes_of(target) if target is not None else None
    if attrs is None or target is None:
        return
    if key not in attrs and key.startswith("no_") and key[3:] in attrs:
        run.journal.put(attrs, key[3:], Val(False, given.src))
        return
    if key not in attrs and not isinstance(target.data, Made):
        nested = [item for item in attrs.values() if isinstance(item.data, Instance) and key in item.data.attrs]
        if len(nested) == 1 and not groups:
            put_option(run, nested[0], given)
        return
    value = read_value(given.value, annotation_of(target, key), attrs.get(key), given.src)
    run.journal.put(attrs, key, value)


def annotation_of(target: Val, key: str) -> str:
    """Give a field's annotation as text."""
    if not isinstance(target.data, Instance):
        return ""
    node = fields_of(target.data.cls).get(key)
    return ast.unparse(node) if node is not None else ""


def read_value(value: Val | None, annotation: str, before: Val | None, src: tuple[Spot, ...]) -> Val:
    """Read a word by the field's type; without one by what stood there before."""
    if value is None:
        return Val(True, src)
    text = word_text(value)
    if is_open(text):
        return Val(text, src) if "str" in annotation else unknown(f"{text} is not set here", Val(text, src))
    if annotation.startswith("bool") or (before is not None and isinstance(before.data, bool)):
        yes = as_bool(text)
        return Val(yes, src) if yes is not None else Val(text, src)
    if annotation.startswith("str"):
        return Val(text, src)
    if annotation.startswith(("int", "float", "Optional[int]", "Optional[float]")):
        known = number(text)
        return Val(known, src) if known is not None else unknown(f"{text!r} is no number")
    return Val(guess(text) if annotation or not isinstance(before.data if before else None, str) else text, src)
