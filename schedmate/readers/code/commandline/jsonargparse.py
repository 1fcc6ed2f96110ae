"""jsonargparse: options that stand below each other, classes and functions as groups of options, files of settings."""

from dataclasses import dataclass, field
from typing import cast

from schedmate.readers.code.commandline.argparse import CommandLineParser, add_argument
from schedmate.readers.code.commandline.parsing import parse
from schedmate.readers.code.commandline.record_decoding import read_value
from schedmate.readers.code.commandline.record_parsers import with_file
from schedmate.readers.code.commandline.records import fill_from_words, put_option
from schedmate.readers.code.configs.merging import merge_into, put_path
from schedmate.readers.code.libraries.argument_words import GivenOption, split_words, words_given
from schedmate.readers.code.python.functions import parameters_of
from schedmate.readers.code.values.objects import Class, Function, Instance
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, by_names
from schedmate.readers.code.values.value import Config, Items, Value, find_in, held, mapping_of, unknown


@dataclass(eq=False)
class GroupingParser(CommandLineParser):
    """A parser that takes the arguments of classes and functions as options below a name."""

    parts: list[tuple[str, Value]] = field(default_factory=list)

    def get(self, name: str) -> Value | None:
        """Give its own methods before argparse's."""
        hook = METHODS.get(name)
        return Value(LibraryMethod(hook, name, Value(self))) if hook is not None else super().get(name)


def make_parser(call: Call) -> Value | None:
    """Model `jsonargparse.ArgumentParser()`."""
    return Value(GroupingParser(), (call.spot,))


def add_option(call: Call) -> Value | None:
    """Model `add_argument`, whose type may be a class with options of its own."""
    kind, name = call.kwargs.get("type"), call.constant(0)
    if kind is not None and isinstance(kind.data, Class) and kind.data.kind != "enum" and isinstance(name, str):
        default = call.kwargs.get("default")
        target = default if default is not None and isinstance(default.data, Instance) else kind
        call.own(GroupingParser).parts.append((name.lstrip("-").replace("-", "_"), target))
        return Value(None)
    return add_argument(call)


def add_part(call: Call) -> Value | None:
    """Model `add_class_arguments(cls, "name")` and its kin."""
    target, name = call.need(0), call.constant(1, "nested_key") or ""
    call.own(GroupingParser).parts.append((str(name), target))
    return Value([])


def parse_words(call: Call) -> Value | None:
    """Model `parse_args`: defaults, files, words; what stands below a name is put together there."""
    parser, given = call.own(GroupingParser), call.arg(0, "args")
    words = words_given(call.run, given)
    words, items = with_file(call.run, words, call)
    return put_together(call, parser, words, items)


def parse_mapping(call: Call) -> Value | None:
    """Model `parse_object(mapping)` and `parse_path(file)`."""
    given = call.need(0)
    if isinstance(given.data, dict):
        return put_together(call, call.own(GroupingParser), [], given.data)
    words, items = with_file(call.run, [Value("--config"), given], call)
    return put_together(call, call.own(GroupingParser), [], items) if not words else None


def put_together(call: Call, parser: GroupingParser, words: list[Value], items: Items) -> Value:
    """Make the namespace."""
    whole = Value(items)
    told = {option.dest: items.get(option.dest) or find_in(whole, option.dest) for option in parser.options}
    plain: Items = {name: value for name, value in told.items() if value is not None}
    flat, _ = parse(call.run, parser, words, call, plain)
    made = Value(Config(kind="namespace"), (call.spot,))
    merge_into(made.data, {key: value for key, value in items.items() if isinstance(value.data, dict)})
    for name, value in flat.items():
        put_path(made, str(name), value)
    options = split_words(words)[0]
    for name, target in parser.parts:
        start = f"{name}." if name else ""
        below = [one._replace(name=one.name[len(start) :]) for one in options if one.name.startswith(start)]
        part = filled(call, target, mapping_of(items.get(name)) if name else items, below)
        made.data.update(mapping_of(part) if not name else {name: part})
    return call.run.offer(made)


def filled(call: Call, target: Value, items: Items, below: list[GivenOption]) -> Value:
    """Fill a record, or the arguments of a class or function that is none."""
    usual = held(target, Instance)
    if usual is not None:
        target, items = Value(usual.cls, target.src), {**cast("Items", usual.attrs), **items}
    if isinstance(target.data, Class) and target.data.kind == "record":
        made = fill_from_words(call.run, target, [], call.spot, items)
        for one in below:
            put_option(call.run, made, one)
        return made
    start = target.data.find("__init__") if isinstance(target.data, Class) else target
    function = held(start, Function)
    known = {name: one for name, one in parameters_of(function).items() if name != "self"} if function else {}
    made = Value(Config({**known, **items}), (call.spot,))
    for one in below:
        if function is None or one.name.partition(".")[0] in made.data:
            put_path(made, one.name, read_value(one, "", None))
    return made


def make_objects(call: Call) -> Value | None:
    """Model `instantiate_classes(options)`: the parts that are classes are made of their options."""
    options = call.need(0, kind=dict)
    made = Config(dict(options.data), "namespace")
    for name, target in call.own(GroupingParser).parts:
        part = made.get(name)
        if isinstance(target.data, Class) and part is not None and isinstance(part.data, dict):
            kwargs = {str(key): value for key, value in part.data.items()}
            made[name] = call.run.call(target, [], kwargs, call.spot, call.scope)
    return Value(made, options.src)


METHODS: dict[str, Hook] = {
    "add_argument": add_option,
    **by_names("add_class_arguments add_function_arguments add_dataclass_arguments add_method_arguments", add_part),
    **by_names("parse_args parse", parse_words),
    **by_names("parse_object parse_path", parse_mapping),
    **by_names("instantiate_classes instantiate", make_objects),
    **by_names("link_arguments save", lambda call: Value(None)),
    "add_subclass_arguments": lambda call: unknown("classes that are named as they are parsed"),
}
HOOKS: dict[str, Hook] = by_names(
    "jsonargparse.ArgumentParser jsonargparse.core.ArgumentParser lightning.pytorch.cli.LightningArgumentParser",
    make_parser,
)
