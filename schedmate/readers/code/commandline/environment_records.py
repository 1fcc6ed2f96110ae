"""pydantic's settings: records whose fields the environment fills, and the command line where the class says so."""

import ast

import re2

from schedmate.readers.code.commandline.record_decoding import classes_of, decoded_fields, other_name, text_of
from schedmate.readers.code.configs import gin
from schedmate.readers.code.libraries.argument_words import arguments_of, guess, split_words
from schedmate.readers.code.values.objects import Class, ExternalResult, Function, fields_of
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import Items, Value, mapping_of

DEEPEST = 6

CHECKED = {"BaseModel", "BaseSettings"}
"""The ancestors of records that read what they are made of as their fields' types say."""
MAPS = re2.compile(r"\b(dict|Dict|Mapping|MutableMapping|list|List|Sequence)\[")


def bound_arguments(
    run: Run, callee: Function | Class, args: list[Value], kwargs: dict[str, Value]
) -> dict[str, Value]:
    """Add the arguments that gin's files or the environment give and the caller does not."""
    bound = gin.bound_arguments(run, callee, args, kwargs)
    if not isinstance(callee, Class):
        return bound
    ancestors = {name.rpartition(".")[2] for name in callee.outside()}
    outside = from_outside(run, callee) if "BaseSettings" in ancestors else {}
    return {**outside, **bound, **(read_in(run, callee, bound) if ancestors & CHECKED else {})}


def read_in(run: Run, cls: Class, given: dict[str, Value]) -> dict[str, Value]:
    """Make records of the mappings that are given where a field's type is one, as pydantic does."""
    fields = fields_of(cls)
    mapped: Items = {
        key: item
        for key, item in given.items()
        if isinstance(item.data, dict)
        and (kind := fields.get(key)) is not None
        # A field that is itself a mapping holds records, and is none.
        and not MAPS.search(ast.unparse(kind))
        and classes_of(run, cls, key, kind)
    }
    return decoded_fields(run, Value(cls, (cls.spot,)), mapped, [], cls.spot)[0] if mapped else {}


def from_outside(run: Run, cls: Class) -> dict[str, Value]:
    """Give the fields of settings that the process is given from outside."""
    told = options_of(cls)
    items = items_of(run, cls, told)
    reads = told.get("cli_parse_args")
    given = split_words(arguments_of(run))[0] if reads is not None and reads.data is True else []
    return decoded_fields(run, Value(cls, (cls.spot,)), items, given, cls.spot)[0]


def options_of(cls: Class) -> Items:
    """Give what a class of settings says of itself: in its head, in `model_config`, or in a class `Config`."""
    found: Items = {}
    for one in reversed(cls.lineage()):
        inner, stated = one.attrs.get("Config"), one.attrs.get("model_config")
        if inner is not None and isinstance(inner.data, Class):
            found.update(inner.data.attrs)
        if stated is not None:
            found.update(stated.data.kwargs if isinstance(stated.data, ExternalResult) else mapping_of(stated))
        for keyword in one.node.keywords:
            if keyword.arg and isinstance(keyword.value, ast.Constant):
                found[keyword.arg] = Value(keyword.value.value, (one.spot,))
    return found


def items_of(run: Run, cls: Class, told: Items) -> Items:
    """Give what the variables of the environment say of the fields, those of records in them behind the delimiter."""
    prefix, delimiter = (text_of(told.get(name)) for name in ("env_prefix", "env_nested_delimiter"))
    variables = {name.lower(): value for name, value in run.environ.items()}
    items: Items = {}
    for name in fields_of(cls):
        own = variables.get(f"{prefix}{name}".lower())
        other = other_name(cls, name)
        own = variables.get(other.lower(), own) if other else own
        if own is not None and isinstance(own.data, str) and "$" not in own.data:
            items[name] = Value(guess(own.data), own.src)
        start = f"{prefix}{name}{delimiter}".lower()
        for variable, value in variables.items() if delimiter else ():
            if variable.startswith(start) and isinstance(value.data, str) and "$" not in value.data:
                put_deep(items, [name, *variable[len(start) :].split(delimiter.lower())], value)
    return items


def put_deep(items: Items, path: list[str], value: Value) -> None:
    """Put a value below the records that lead to it."""
    for part in path[:-1][:DEEPEST]:
        below = items.get(part)
        if below is None or not isinstance(below.data, dict):
            below = items[part] = Value({}, value.src)
        items = below.data
    items[path[-1]] = Value(guess(str(value.data)), value.src)
