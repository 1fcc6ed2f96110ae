"""argparse, optparse and configargparse: parsers as the program builds them."""

import posixpath
from dataclasses import replace
from functools import partial
from typing import Any

import re2

from schedmate.readers.code.commandline.own_actions import own_action
from schedmate.readers.code.commandline.parsing import FLAGS, Option, OptionSet, find_option, parse
from schedmate.readers.code.commandline.records import attributes_of
from schedmate.readers.code.commandline.words_in_files import with_files
from schedmate.readers.code.libraries.argument_words import YES, arguments_of
from schedmate.readers.code.python.modules.named_files import open_file
from schedmate.readers.code.values.leaving import ProgramRaised
from schedmate.readers.code.values.nested import wrap
from schedmate.readers.code.values.objects import Class, Instance, LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, by_names
from schedmate.readers.code.values.value import (
    External,
    Items,
    SourceLocation,
    Unknown,
    Value,
    each_of,
    is_constant,
    sequence_of,
    unknown,
)

LINE = re2.compile(r"^(?:--)?([A-Za-z_][\w.\-]*)\s*(?:[=:\s]\s*(.*?))?\s*$")
MOST_LINES = 2_000


def words_of_files(parser: OptionSet, words: list[Value], call: Call) -> list[Value]:
    """Give the words that stand for the configuration files which the command names or the parser starts from."""
    told, _ = parse(call.run, parser, words, call)
    paths = [*parser.config_files, *(told[dest] for dest in parser.config_options if dest in told)]
    found: list[Value] = []
    for path in paths:
        for item in each_of(path):
            if isinstance(item.data, str) and item.data:
                found += words_of_file(parser, item.data, call)
    return found


def words_of_file(parser: OptionSet, name: str, call: Call) -> list[Value]:
    """Write the options of one file as words of a command; lines that no option takes are left out."""
    path = posixpath.normpath(posixpath.join(call.run.workdir, name))
    lines = (call.run.read_text(path) or "").split("\n")[:MOST_LINES]
    found: list[Value] = []
    for number, line in enumerate(lines, 1):
        match = LINE.match(line.strip()) if line.strip()[:1] not in ("", "#", ";", "[") else None
        option = find_option(parser, f"--{match.group(1)}")[0] if match is not None else None
        if match is not None and option is not None:
            text = str(match.group(2) or "").strip().strip("\"'")
            found += [Value(word, (SourceLocation(path, number),)) for word in said(option, str(match.group(1)), text)]
    return found


def said(option: Option, name: str, text: str) -> list[str]:
    """Say an option on a command line: a switch by its name alone, a list by its items."""
    if option.action in FLAGS:
        return [f"--{name}"] if text.lower() in YES or not text else []
    if text.startswith("[") and text.endswith("]"):
        return [f"--{name}", *(part.strip().strip("\"'") for part in text[1:-1].split(",") if part.strip())]
    return [f"--{name}={text}"]


class CommandLineParser(OptionSet):
    """A parser that answers to the program's calls."""

    def get(self, name: str) -> Value | None:
        """Give a parser's methods."""
        if name == "_actions":
            return Value([Value(OptionView(option)) for option in self.options])
        hook = METHODS.get(name)
        return Value(LibraryMethod(hook, name, Value(self))) if hook is not None else None

    def worn_by(self, owner: Value) -> None:
        """Know the program's own parser, which may take lines of files apart in its way."""
        self.wearer = owner


def make_parser(call: Call, prefix: str = "-") -> Value | None:
    """Model `ArgumentParser(...)`; parents hand their options down. A loose one takes `-` for `_` in names."""
    parser = CommandLineParser(prefix=prefix, default=call.kwargs.get("argument_default"))
    parser.file_marks = str(call.constant(-1, "fromfile_prefix_chars") or "")
    for parent in sequence_of(call.kwargs.get("parents")):
        if isinstance(parent.data, CommandLineParser):
            parser.options += parent.data.options
            parser.defaults.update(parent.data.defaults)
    if (files := call.kwargs.get("default_config_files")) is not None:
        parser.config_files.append(files)
    return Value(parser, (call.spot,))


def add_argument(call: Call) -> Value | None:
    """Model `add_argument`."""
    names = [arg.data for arg in call.args if isinstance(arg.data, str)]
    if not names:
        call.own(CommandLineParser).is_open |= any(isinstance(arg.data, Unknown) for arg in call.args)
        return unknown("an option")
    long = [name for name in names if name.startswith("--")]
    positional = not names[0].startswith("-")
    dest = call.constant(-1, "dest") or (long[0] if long else names[0]).lstrip("-").replace("-", "_")
    action = call.kwargs.get("action")
    action_name = action_of(action)
    parser = call.own(CommandLineParser)
    default = call.kwargs.get("default") or parser.default
    if default is None:
        fallback: Any = {"store_true": False, "store_false": True}.get(action_name)
        default = Value(fallback, (call.spot,))
    kind, const, nargs = call.kwargs.get("type"), call.kwargs.get("const"), call.constant(-1, "nargs")
    option = Option(names, dest, default, kind, action_name, const, nargs, call.spot, positional)
    option.own_action = own_action(action) if action_name == "custom" else None
    if is_constant(default) and not default.src:
        option.default = Value(default.data, (call.spot,))
    parser.options = [old for old in parser.options if old.dest != dest or not set(old.names) & set(names)]
    parser.options.append(option)
    if (names_file := call.kwargs.get("is_config_file") or call.kwargs.get("is_config_file_arg")) is not None:
        parser.config_options += [dest] if names_file.data is True else []
    return Value(OptionView(option))


def action_of(action: Value | None) -> str:
    """Name an option's action."""
    if action is None:
        return "store"
    if isinstance(action.data, str):
        return action.data
    if isinstance(action.data, External) and action.data.name.endswith("BooleanOptionalAction"):
        return "boolean"
    if isinstance(action.data, Class) and "DictAction" in action.data.name:
        return "pairs"
    return "pairs" if isinstance(action.data, External) and "DictAction" in action.data.name else "custom"


class OptionView(LibraryObject):
    """What `add_argument` gives, and what a parser lists: by it programs look up how an option is converted."""

    def __init__(self, option: Option) -> None:
        self.option = option

    def get(self, name: str) -> Value | None:
        """Give what is known of the option."""
        option = self.option
        told = {"dest": Value(option.dest), "default": option.default, "type": option.kind or Value(None)}
        return told.get(name) or (wrap(option.names) if name == "option_strings" else None)


def set_defaults(call: Call) -> Value | None:
    """Model `set_defaults`."""
    call.own(CommandLineParser).defaults.update(call.kwargs)
    return Value(None)


def add_subparsers(call: Call) -> Value | None:
    """Model `add_subparsers`."""
    call.own(CommandLineParser).command_dest = call.constant(-1, "dest") or ""
    return call.owner


def add_parser(call: Call) -> Value | None:
    """Model a subcommand's `add_parser`."""
    name = call.constant(0, "name")
    made = make_parser(call)
    if isinstance(name, str) and made is not None:
        call.own(CommandLineParser).commands[name] = made.data
    return made


def add_records(call: Call) -> Value | None:
    """Model simple-parsing's `add_arguments(Record, dest=...)`."""
    record, dest = call.arg(0), call.constant(1, "dest")
    if record is not None and isinstance(dest, str):
        call.own(CommandLineParser).records.append((dest, record))
    return Value(None)


def parse_args(call: Call) -> Value | None:
    """Model `parse_args` and `parse_known_args`."""
    parser = call.own(CommandLineParser)
    given = call.arg(0, "args")
    words = list(given.data) if given is not None and isinstance(given.data, (list, tuple)) else None
    if words is None:
        words = arguments_of(call.run) if given is None or given.data is None else []
    if parser.config_options or parser.config_files:
        words = [*words_of_files(parser, words, call), *words]
    words = with_files(call, parser.file_marks, parser.wearer, words)
    given_space = call.arg(1, "namespace") if parser.prefix == "-" else None
    before = attributes_of(given_space) if given_space is not None else None
    held = stated_by_class(parser, given_space) if given_space is not None else {}
    held.update((before or {}).items())
    namespace, rest = parse(call.run, parser, words, call, held)
    value = Value(namespace, (call.spot,))
    if given_space is not None and before is not None:
        for name, item in namespace.items():
            call.run.journal.put(before, name, item)
        value = given_space
    call.run.offer(value)
    gives_rest = call.name.startswith("parse_known") or parser.prefix == "optparse"
    return Value((value, Value(rest))) if gives_rest else value


def stated_by_class(parser: CommandLineParser, space: Value) -> Items:
    """Give what a namespace of the program's own has by its class: a default does not stand over it."""
    cls = space.data.cls if isinstance(space.data, Instance) else None
    found = {option.dest: cls.find(option.dest) for option in parser.options} if cls is not None else {}
    return {name: value for name, value in found.items() if value is not None}


def get_default(call: Call) -> Value | None:
    """Model `get_default`."""
    name = call.constant(0)
    return next((option.default for option in call.own(CommandLineParser).options if option.dest == name), None)


def stop(call: Call) -> Value:
    """Model `parser.error`: the user's run does not come here."""
    raise ProgramRaised("usage")


def file_type(call: Call) -> Value:
    """Model `FileType(mode)`: the word is the path of a file that is opened."""
    mode = call.arg(0, "mode") or Value("r")

    def opened(inner: Call) -> Value | None:
        return open_file(replace(inner, args=[inner.need(0), mode], kwargs={}))

    return Value(LibraryMethod(opened, "FileType"))


HOOKS: dict[str, Hook] = {
    "argparse.FileType": file_type,
    "simple_parsing.ArgumentParser": partial(make_parser, prefix="loose"),
    "argparse.ArgumentParser": make_parser,
}
ENDINGS: dict[str, Hook] = {
    **by_names("ArgumentParser ArgParser GooeyParser HelpfulArgumentParser get_argument_parser", make_parser),
    "OptionParser": partial(make_parser, prefix="optparse"),
    "OptionGroup": lambda call: call.arg(0),
}
METHODS: dict[str, Hook] = {
    **by_names("add_argument add add_arg add_option", add_argument),
    **by_names("register print_help print_usage", lambda call: Value(None)),
    **by_names("add_argument_group add_mutually_exclusive_group add_option_group", lambda call: call.owner),
    "set_defaults": set_defaults,
    "add_subparsers": add_subparsers,
    "add_parser": add_parser,
    "add_arguments": add_records,
    **by_names("parse_args parse parse_known_args parse_intermixed_args parse_known_intermixed_args", parse_args),
    "get_default": get_default,
    "_get_optional_actions": lambda call: call.own(CommandLineParser).get("_actions"),
    **by_names("error exit", stop),
    "format_help": lambda call: Value(""),
}
