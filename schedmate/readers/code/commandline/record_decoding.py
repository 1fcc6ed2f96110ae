"""Records made from a file's mapping and the words over it, field by field as their types say.

Made with all their values at once, so that what a record works out from them after it is made is right, too.
"""

import ast

from schedmate.readers.code.configs.choice_registries import chosen_class, table_of
from schedmate.readers.code.configs.merging import merge_into, put_path
from schedmate.readers.code.libraries.argument_words import GivenOption, as_bool, guess, is_open, number, word_text
from schedmate.readers.code.python.attributes import members_of
from schedmate.readers.code.python.classes import default_of, instantiate
from schedmate.readers.code.values.nested import copied
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance, fields_of
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import (
    Config,
    Items,
    SourceLocation,
    Unknown,
    Value,
    held,
    is_constant,
    mapping_of,
    unknown,
    ways_of,
)
from schedmate.tools.syntax_tree import parse_expression

CHOICE_KEYS = ("type", "_type_", "kind")
DEEPEST = 12


def decode(
    run: Run, cls: Value, items: Items, given: list[GivenOption], spot: SourceLocation, depth: int = 0
) -> tuple[Value, list[GivenOption]]:
    """Make a record of the items with the words over them; give it with the words that name none of its fields."""
    kwargs, left = decoded_fields(run, cls, items, given, spot, depth)
    return instantiate(run, cls, [], kwargs, spot), left


def decoded_fields(
    run: Run, cls: Value, items: Items, given: list[GivenOption], spot: SourceLocation, depth: int = 0
) -> tuple[dict[str, Value], list[GivenOption]]:
    """Give the fields of a record that the items or the words say, as the fields' types have it."""
    kwargs: dict[str, Value] = {}
    used: list[GivenOption] = []
    for name, annotation in fields_of(cls.data).items():
        own = [one for one in given if one.name == name]
        off = [one for one in given if one.name == f"no_{name}" and one.value is None]
        below = [one for one in given if one.name.startswith(f"{name}.")]
        names = (name, name.replace("_", "-"), other_name(cls.data, name))
        item = next((items[one] for one in names if one in items), None)
        used += [*own, *off, *below]
        if below or (item is not None and isinstance(item.data, dict) and depth < DEEPEST):
            inner = [one._replace(name=one.name[len(name) + 1 :]) for one in below]
            value = decode_nested(run, cls.data, name, annotation, item, inner, spot, depth)
        elif own:
            text = ast.unparse(annotation) if annotation is not None else ""
            value = read_value(own[-1], text, default_of(run, cls.data, name))
            value = as_member(classes_of(run, cls.data, name, annotation), value) if annotation is not None else value
        elif off:
            value = Value(False, off[-1].src)
        elif item is not None:
            value = typed(item, ast.unparse(annotation) if annotation is not None else "")
        elif (kind := required_record(run, cls.data, name, annotation)) is not None and depth < DEEPEST:
            value = decode(run, kind, {}, [], spot, depth + 1)[0]
        else:
            continue
        kwargs[name] = value
    return kwargs, [one for one in given if one not in used]


def other_name(cls: Class, name: str) -> str:
    """Give the name that a field itself says it has outside: `Field(0.1, alias="learningRate")`."""
    value = cls.find(name)
    if value is None or not isinstance(value.data, ExternalResult):
        return ""
    said = (text_of(value.data.kwargs.get(key)) for key in ("validation_alias", "alias", "env"))
    return next((text for text in said if text), "")


def text_of(value: Value | None) -> str:
    """Give a known text."""
    return value.data if value is not None and is_constant(value) and isinstance(value.data, str) else ""


def required_record(run: Run, owner: Class, name: str, annotation: ast.expr | None) -> Value | None:
    """Give the record that a field without a default is made of, with that record's own defaults."""
    if default_of(run, owner, name) is not None:
        return None
    kinds = [kind for kind in classes_of(run, owner, name, annotation) if kind.data.kind == "record"]
    return kinds[0] if len(kinds) == 1 and not owner.kind.startswith("enum") else None


def decode_nested(
    run: Run,
    owner: Class,
    name: str,
    annotation: ast.expr | None,
    item: Value | None,
    given: list[GivenOption],
    spot: SourceLocation,
    depth: int,
) -> Value:
    """Make the record under a field: of the class that a choice names, else the default's, else the annotation's."""
    items = dict(mapping_of(item))
    default = default_of(run, owner, name)
    kinds = classes_of(run, owner, name, annotation)
    made = held(default, Instance)
    if default is not None and made is not None and all(made.cls is not one.data for one in kinds):
        kinds.append(Value(made.cls, default.src))
    picked = next((one for one in reversed(given) if one.name in CHOICE_KEYS), None)
    choice = picked.value if picked is not None else next((items[key] for key in CHOICE_KEYS if key in items), None)
    target: Value | None = None
    if choice is not None and isinstance(choice.data, str):
        found = [one for kind in kinds if (one := chosen_class(run, kind.data, choice.data)) is not None]
        target = found[0] if found and isinstance(found[0].data, Class) else None
        if target is None and any(table_of(run, kind.data) is not None for kind in kinds):
            return unknown(f"{choice.data} is registered where it was not found", choice)
    if target is not None:
        given = [one for one in given if one.name not in CHOICE_KEYS]
        items = {key: value for key, value in items.items() if key not in CHOICE_KEYS}
    elif default is not None and made is not None:
        target = Value(made.cls, default.src)
        fields = fields_of(made.cls)
        items = {**{key: value for key, value in made.attrs.items() if key in fields}, **items}
    else:
        fitting = [kind for kind in kinds if set(items) <= set(fields_of(kind.data))]
        target = next(iter(fitting or kinds), None)
    if target is None:
        return put_below(default if default is not None else unknown(name), item, given)
    place = choice.src[0] if choice is not None and choice.src else spot
    return decode(run, target, items, given, place, depth + 1)[0]


def put_below(before: Value, item: Value | None, given: list[GivenOption]) -> Value:
    """Merge a mapping and words into what is no record of the repository's: a mapping, or a library's record."""
    if isinstance(before.data, ExternalResult):
        before.data.attrs.update({str(key): value for key, value in mapping_of(item).items()})
        for one in given:
            before.data.attrs[one.name] = read_value(one, "", before.data.attrs.get(one.name))
        return before
    merged = copied(before) if isinstance(before.data, dict) else Value(Config(), item.src if item is not None else ())
    if item is not None and isinstance(item.data, dict):
        merge_into(merged.data, item.data)
    for one in given:
        put_path(merged, one.name, read_value(one, "", None))
    return merged


def classes_of(run: Run, owner: Class, name: str, annotation: ast.expr | None) -> list[Value]:
    """Give the repository's classes that an annotation names: unions and optionals name several."""
    home = next((one for one in owner.lineage() if holds_field(one, name)), owner)
    return classes_in(run, annotation, home.scope)


def classes_in(run: Run, annotation: ast.expr | None, scope: Scope) -> list[Value]:
    """Give the repository's classes that an annotation names where it stands."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = parsed(annotation.value)
    if annotation is None:
        return []
    found: list[Value] = []
    for node in ast.walk(annotation):
        if isinstance(node, (ast.Name, ast.Attribute)):
            value = run.evaluate(node, scope)
            found += [one for one in ways_of(value) if isinstance(one.data, Class)]
    return found


def as_member(kinds: list[Value], word: Value) -> Value:
    """Give the member of an enumeration that a word calls by its name; one called by its value is compared by that."""
    members = [one for kind in kinds for one in members_of(kind) or ()] if isinstance(word.data, str) else []
    called = [one for one in members if one.data.name == word.data]
    is_value = any(one.data.value.data == word.data for one in members)
    return Value(called[0].data, word.src) if len(called) == 1 and not is_value else word


def holds_field(cls: Class, name: str) -> bool:
    """Tell whether a class itself, not an ancestor, declares a field."""
    return any(
        isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and one.target.id == name
        for one in cls.node.body
    )


def parsed(text: str) -> ast.expr | None:
    """Read an annotation that is written as a text."""
    try:
        return parse_expression(text[:500])
    except (SyntaxError, ValueError, RecursionError):
        return None


def typed(item: Value, annotation: str) -> Value:
    """Read a file's value by the field's type: `1E-4` in quotes is a number where the field is one."""
    if isinstance(item.data, str) and annotation.startswith(("int", "float", "Optional[int]", "Optional[float]")):
        known = number(item.data)
        return Value(known, item.src) if known is not None else item
    return item


LISTS = ("list[", "sequence[")
"""How annotations of fields begin that take several words."""


def read_value(given: GivenOption, annotation: str, before: Value | None) -> Value:
    """Read an option by the field's type: a list takes the words behind the first too."""
    value = read_word(given.value, annotation, before, given.src)
    is_list = annotation.lower().removeprefix("optional[").startswith(LISTS)
    if not is_list or isinstance(value.data, (list, tuple, Unknown)):
        return value
    return Value([value, *(Value(guess(word_text(one)), one.src) for one in given.more)], given.src)


def read_word(value: Value | None, annotation: str, before: Value | None, src: tuple[SourceLocation, ...]) -> Value:
    """Read a word by the field's type; without one by what stood there before."""
    if value is None:
        return Value(True, src)
    text = word_text(value)
    if is_open(text):
        return Value(text, src) if "str" in annotation else unknown(f"{text} is not set here", Value(text, src))
    if annotation.startswith("bool") or (before is not None and isinstance(before.data, bool)):
        yes = as_bool(text)
        return Value(yes, src) if yes is not None else Value(text, src)
    if annotation.startswith("str"):
        return Value(text, src)
    if annotation.startswith(("int", "float", "Optional[int]", "Optional[float]")):
        known = number(text)
        return Value(known, src) if known is not None else unknown(f"{text!r} is no number")
    return Value(guess(text) if annotation or not isinstance(before.data if before else None, str) else text, src)
