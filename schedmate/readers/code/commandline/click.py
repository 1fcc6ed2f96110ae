"""click and typer: functions that decorators turn into commands, and groups of them."""

import contextlib
from collections import Counter
from dataclasses import dataclass, field, replace

from schedmate.knowledge.code_words import meanings, words
from schedmate.readers.code.commandline.argparse import CommandLineParser
from schedmate.readers.code.commandline.called_functions import call_from_words
from schedmate.readers.code.commandline.click_context import ClickContext, passed_on
from schedmate.readers.code.commandline.parsing import Option, parse
from schedmate.readers.code.libraries.argument_words import as_bool, word_text, words_given
from schedmate.readers.code.python.builtin_names import BUILTINS
from schedmate.readers.code.python.functions import parameters_of
from schedmate.readers.code.values.leaving import ProgramExited, ProgramRaised
from schedmate.readers.code.values.objects import BoundMethod, ExternalResult, Function, LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, Run, by_names, filed
from schedmate.readers.code.values.value import Config, External, Unknown, Value, join_spots, sequence_of, unknown

PARAMETER_MAKERS = ("click.option", "click.argument", "rich_click.option", "rich_click.argument")
COMMAND_MAKERS = words("configurations.click_commands")


@dataclass(eq=False)
class ClickCommand(LibraryObject):
    """A function that the command line calls; groups hold further commands."""

    function: Value
    options: list[Option] = field(default_factory=list)
    commands: dict[str, Value] = field(default_factory=dict)
    style: str = "click"
    needs_name: bool = False
    """its only command too is called by name, as cyclopts has it"""

    def get(self, name: str) -> Value | None:
        """Give what a command can be asked."""
        if name in ("__call__", "main"):
            return Value(LibraryMethod(lambda call: start(self, call), name))
        if name in ("command", "group", "callback", "default"):
            return Value(LibraryMethod(add_command, name, Value(self)))
        if name in ("add_command", "add_typer"):
            return Value(LibraryMethod(put_command, name, Value(self)))
        return None


def option_of(made: ExternalResult) -> Option:
    """Turn `click.option(...)` into an option."""
    names = [arg.data for arg in made.args if isinstance(arg.data, str)]
    dashed = [name for name in names if name.startswith("-")]
    bare = [name for name in names if not name.startswith("-")]
    long = [name for name in dashed if name.startswith("--")] or dashed
    first = (long or bare or ["?"])[0]
    switch = "/" in first
    positional = made.callee.endswith("argument")
    flag = made.kwargs.get("is_flag")
    is_flag = switch or (flag is not None and flag.data is True)
    dest = bare[0] if bare and not positional else first.partition("/")[0].lstrip("-").replace("-", "_")
    default = made.kwargs.get("default") or Value(False if is_flag else None, (made.spot,))
    several, kind = made.kwargs.get("multiple"), plain_type(made.kwargs.get("type")) or type_from(default)
    action = "boolean" if switch else "store_true" if is_flag else "append" if several and several.data else "store"
    nargs = "*" if positional and made.kwargs.get("nargs", Value(1)).data == -1 else None
    dest, plain_names = dest.lower() if positional else dest, [part for name in names for part in name.split("/")]
    option = Option(plain_names, dest, default, kind, action, nargs=nargs, spot=made.spot, positional=positional)
    option.own_callback = made.kwargs.get("callback")
    return option


PLAIN_TYPES = meanings("configurations.click_types")


def plain_type(kind: Value | None) -> Value | None:
    """Give the built-in type that one of click's own types converts to."""
    data = kind.data if kind is not None else None
    name = data.short if isinstance(data, ExternalResult) else ""
    name = data.name.rpartition(".")[2] if isinstance(data, External) else name
    known = PLAIN_TYPES.get(name, "bool" if isinstance(data, LibraryMethod) and data.name == "bool" else "")
    if known == "bool":
        return Value(LibraryMethod(lambda call: Value(as_bool(str(call.constant(0))), call.sources()), "click.BOOL"))
    return Value(LibraryMethod(BUILTINS[known], known)) if known else kind


def type_from(default: Value) -> Value | None:
    """Take the type from the default, as click does."""
    if isinstance(default.data, bool) or default.data is None:
        return None
    name = type(default.data).__name__
    return Value(LibraryMethod(BUILTINS[name], name)) if name in ("int", "float", "str") else None


def add_command(call: Call) -> Value | None:
    """Model `@group.command()`: what follows is filed under its name."""
    group = call.own(ClickCommand)
    name = call.constant(0, "name")

    def file_under(value: Value) -> Value:
        made = value
        if isinstance(value.data, Function):
            marks = value.data.marks.get("click options")
            made = Value(
                ClickCommand(value, [mark.data for mark in marks.data] if marks else [], style=group.style), value.src
            )
            group.commands[name or value.data.name.replace("_", "-")] = made
            if call.name in ("callback", "default"):
                group.commands.popitem()
                group.function = value
        return value if group.style == "typer" else made

    given = call.arg(0)
    return filed(call, given if given is not None and isinstance(given.data, Function) else None, file_under)


def put_command(call: Call) -> Value | None:
    """Model `group.add_command(cmd)` and `app.add_typer(sub, name=...)`."""
    value, name = call.arg(0), call.constant(1, "name")
    if value is not None and isinstance(value.data, ClickCommand):
        function = value.data.function.data
        call.own(ClickCommand).commands[name or getattr(function, "name", "").replace("_", "-")] = value
    return Value(None)


def start(command: ClickCommand, call: Call) -> Value:
    """Start a program's command line; typer's only command needs no name."""
    context, given = Value(ClickContext(), (call.spot,)), call.arg(0, "args")
    words = words_given(call.run, given)
    context.data.attrs["obj"] = call.kwargs.get("obj") or Value(None)
    alone = command.style == "typer" and not command.needs_name and len(command.commands) == 1
    alone = alone and isinstance(command.function.data, Unknown)
    only = next(iter(command.commands.values())).data if alone else command
    return enter(call.run, only if not only.commands else command, words, replace(call, owner=context))


def enter(run: Run, command: ClickCommand, words: list[Value], call: Call) -> Value:
    """Read the words and call the function, or the command below that they name; the call's owner is the context."""
    if command.commands:
        for place, word in enumerate(words):
            if word_text(word) in command.commands:
                below = command.commands[word_text(word)]
                if isinstance(command.function.data, Function):
                    call_with(run, command, words[:place], call)
                return enter(run, below.data, words[place + 1 :], call)
        if not isinstance(command.function.data, Function):
            run.observer.breaks_off(run, call.spot)  # it only tells how it is used
            return unknown("no command of the group is named")
    return call_with(run, command, words, call)


def call_with(run: Run, command: ClickCommand, words: list[Value], call: Call) -> Value:
    """Call a command's function."""
    function = command.function.data
    if not isinstance(function, (Function, BoundMethod)):
        return unknown("a command that is not known")
    if command.style == "typer":
        return call_from_words(run, command.function, words, call.spot)
    parser = CommandLineParser(options=command.options, prefix="loose")
    namespace, rest = parse(run, parser, words, call)
    hand_on_unknown(command, namespace, words, rest)
    context = call.owner or Value(ClickContext())
    let_callbacks_decide(run, command.options, namespace, context, call)
    run.offer(Value(namespace, (call.spot,)))
    context.data.attrs["args"], context.data.attrs["params"] = Value(rest), Value(dict(namespace))
    kwargs = {str(key): value for key, value in namespace.items()}
    parameters = parameters_of(function) if isinstance(function, Function) else Config()
    first = next(iter(parameters), None)
    takes_context = first is not None and first not in kwargs and str(first) in ("ctx", "context")
    return run.call(command.function, passed_on(function, context, takes_context), kwargs, call.spot)


def hand_on_unknown(command: ClickCommand, namespace: Config, words: list[Value], rest: list[Value]) -> None:
    """Give the argument that takes all words the options too that the command does not know, in their order.

    click refuses them unless it is told to ignore them, as wrappers of other programs tell it.
    """
    option = next((one for one in command.options if one.positional and one.nargs == "*"), None)
    if option is None or not rest:
        return
    waiting = Counter(word_text(word) for word in (*sequence_of(namespace.get(option.dest)), *rest))
    found: list[Value] = []
    for word in reversed(words):  # of equal words an option that is known mostly takes the first
        if waiting[word_text(word)] > 0:
            waiting[word_text(word)] -= 1
            found.append(word)
    namespace[option.dest] = Value(found[::-1], rest[0].src)
    rest.clear()


def let_callbacks_decide(run: Run, options: list[Option], namespace: Config, context: Value, call: Call) -> None:
    """Hand each value to its option's callback, defaults too, as click does: what it returns is the value."""
    for option in options:
        asked, value = option.own_callback, namespace.get(option.dest)
        if asked is None or value is None or not isinstance(asked.data, (Function, BoundMethod)):
            continue
        with contextlib.suppress(ProgramRaised, ProgramExited):
            made = run.call(asked, [context, Value(None), value], {}, option.spot, call.scope)
            namespace[option.dest] = Value(made.data, join_spots(value, made))


def make_app(call: Call) -> Value:
    """Model `typer.Typer()` and `cyclopts.App()`."""
    needs_name = call.name.startswith("cyclopts")
    return Value(ClickCommand(unknown("no callback"), style="typer", needs_name=needs_name), (call.spot,))


HOOKS: dict[str, Hook] = by_names("typer.Typer cyclopts.App", make_app)
