"""click, typer, fire and others that call a function with what the command line says."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from schedmate.readers.code.commandline.argparse import Option, Parser, parse
from schedmate.readers.code.commandline.words import arguments_of, guess, is_option, joined, number, word_text
from schedmate.readers.code.natives import Call, Hook, Native, NativeMethod
from schedmate.readers.code.python.functions import parameters_of
from schedmate.readers.code.things import Bound, Class, Function, Made
from schedmate.readers.code.values import Config, Spot, Unknown, Val, is_constant, unknown

if TYPE_CHECKING:
    from schedmate.readers.code.python.run import Run

COMMAND_MAKERS = (
    "click.command",
    "click.group",
    "rich_click.command",
    "rich_click.group",
    "typer.command",
    "typer.callback",
)
PARAMETER_MAKERS = ("click.option", "click.argument", "rich_click.option", "rich_click.argument")


@dataclass(eq=False)
class Command(Native):
    """A function that the command line calls; groups hold further commands."""

    function: Val
    options: list[Option] = field(default_factory=list)
    commands: dict[str, Val] = field(default_factory=dict)
    style: str = "click"

    def get(self, name: str) -> Val | None:
        """Give what a command can be asked."""
        if name in ("__call__", "main"):
            return Val(NativeMethod(run_command, name, Val(self)))
        if name in ("command", "group", "callback"):
            return Val(NativeMethod(add_command, name, Val(self)))
        if name in ("add_command", "add_typer"):
            return Val(NativeMethod(put_command, name, Val(self)))
        return self.function if name == "callback" else None


def decorate(run: "Run", decorator: Made, value: Val) -> Val:
    """Apply click's decorators; those of other libraries leave what they decorate."""
    name = decorator.callee
    if name.endswith(PARAMETER_MAKERS):
        option = option_of(decorator)
        if isinstance(value.data, Command):
            value.data.options.insert(0, option)
        elif isinstance(value.data, Function):
            known = value.data.marks.setdefault("click options", Val([]))
            known.data.insert(0, Val(option))
        return value
    if name.endswith(COMMAND_MAKERS) and isinstance(value.data, Function):
        marks = value.data.marks.get("click options")
        options = [mark.data for mark in marks.data] if marks is not None else []
        return Val(Command(value, options), value.src)
    if name.endswith("hydra.main") or name == "hydra.main":
        from schedmate.readers.code.configs.hydra import hydra_entry

        return hydra_entry(run, decorator, value)
    if name.endswith((".wrap", "pyrallis.wrap", "draccus.wrap")):
        return record_entry(run, value)
    return value


def record_entry(run: "Run", value: Val) -> Val:
    """Model `@draccus.wrap()`: the first parameter's annotation is the record that the command line fills."""
    from schedmate.readers.code.commandline.records import fill_from_words

    function = value.data
    node = function.node.args.args[0].annotation if isinstance(function, Function) and function.node.args.args else None
    if node is None:
        return value

    def enter(call: Call) -> Val:
        record = call.run.evaluate(node, function.scope)
        made = fill_from_words(call.run, record, arguments_of(call.run), call.spot)
        call.run.namespaces.append((made, "records"))
        result: Val = call.run.call(value, [made], {}, call.spot)
        return result

    return Val(NativeMethod(enter, function.name), value.src)


def option_of(made: Made) -> Option:
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
    default = made.kwargs.get("default") or Val(False if is_flag else None, (made.spot,))
    plain_names = [part for name in names for part in name.split("/")]
    several = made.kwargs.get("multiple")
    return Option(
        plain_names,
        dest.lower() if positional else dest,
        default,
        made.kwargs.get("type") or type_from(default),
        "boolean" if switch else "store_true" if is_flag else "append" if several and several.data else "store",
        spot=made.spot,
        positional=positional,
        nargs="*" if positional and made.kwargs.get("nargs", Val(1)).data == -1 else None,
    )


def type_from(default: Val) -> Val | None:
    """Take the type from the default, as click does."""
    if isinstance(default.data, bool) or default.data is None:
        return None
    name = type(default.data).__name__
    from schedmate.readers.code.python.builtin_names import BUILTINS

    return Val(NativeMethod(BUILTINS[name], name)) if name in ("int", "float", "str") else None


def add_command(call: Call) -> Val | None:
    """Model `@group.command()`: what follows is filed under its name."""
    assert call.owner is not None
    group: Command = call.owner.data
    name = call.constant(0, "name")

    def file_under(inner: Call) -> Val | None:
        value = inner.arg(0)
        if value is None:
            return None
        made = value
        if isinstance(value.data, Function):
            marks = value.data.marks.get("click options")
            made = Val(
                Command(value, [mark.data for mark in marks.data] if marks else [], style=group.style), value.src
            )
            group.commands[name or value.data.name.replace("_", "-")] = made
            if call.name == "callback":
                group.commands.popitem()
                group.function = value
        return value if group.style == "typer" else made

    if call.args and isinstance(call.args[0].data, Function):
        return file_under(call)
    return Val(NativeMethod(file_under, "command"))


def put_command(call: Call) -> Val | None:
    """Model `group.add_command(cmd)` and `app.add_typer(sub, name=...)`."""
    assert call.owner is not None
    value, name = call.arg(0), call.constant(1, "name")
    if value is not None and isinstance(value.data, Command):
        function = value.data.function.data
        call.owner.data.commands[name or getattr(function, "name", "").replace("_", "-")] = value
    return Val(None)


def run_command(call: Call) -> Val:
    """Call a command with the words of the command line."""
    assert call.owner is not None
    return enter(call.run, call.owner.data, arguments_of(call.run), call)


def enter(run: "Run", command: Command, words: list[Val], call: Call) -> Val:
    """Read the words and call the function, or the command below that they name."""
    if command.commands:
        if command.style == "typer" and len(command.commands) == 1 and isinstance(command.function.data, Unknown):
            only = next(iter(command.commands.values()))
            return enter(run, only.data, words, call)
        for place, word in enumerate(words):
            if word_text(word) in command.commands:
                below = command.commands[word_text(word)]
                if isinstance(command.function.data, Function):
                    call_with(run, command, words[:place], call)
                return enter(run, below.data, words[place + 1 :], call)
        return unknown("no command of the group is named")
    return call_with(run, command, words, call)


def call_with(run: "Run", command: Command, words: list[Val], call: Call) -> Val:
    """Call a command's function."""
    function = command.function.data
    if not isinstance(function, (Function, Bound)):
        return unknown("a command that is not known")
    if command.style == "typer":
        return call_from_words(run, command.function, words, call.spot)
    parser = Parser(options=command.options, prefix="loose")
    namespace, rest = parse(run, parser, words, call)
    run.namespaces.append((Val(namespace, (call.spot,)), "click"))
    context = Val(Made("click.Context", [], {}, call.spot, attrs={"args": Val(rest)}))
    kwargs = {str(key): value for key, value in namespace.items()}
    parameters = parameters_of(function) if isinstance(function, Function) else Config()
    first = next(iter(parameters), None)
    takes_context = first is not None and first not in kwargs and str(first) in ("ctx", "context")
    return run.call(command.function, [context] if takes_context else [], kwargs, call.spot)


def call_from_words(run: "Run", target: Val, words: list[Val], spot: Spot) -> Val:
    """Call a function as fire, typer and tyro do: its parameters are the options, its defaults the defaults."""
    function = target.data.function if isinstance(target.data, Bound) else target.data
    parameters = parameters_of(function)
    if isinstance(target.data, Bound) or (function.owner is not None and function.kind == "plain"):
        parameters.pop(next(iter(parameters), None), None)
    values: dict[str, Val] = {str(name): default_value(default) for name, default in parameters.items()}
    given: dict[str, Val] = {}
    free: list[Val] = []
    place = 0
    while place < len(words):
        word, text = words[place], word_text(words[place])
        place += 1
        if not is_option(text):
            free.append(word)
            continue
        name, equals, inline = text.lstrip("-").partition("=")
        name = name.replace("-", "_")
        if equals:
            given[name] = Val(guess(inline), joined(word, word))
        elif name.startswith("no_") and name[3:] in values:
            given[name[3:]] = Val(False, joined(word, None))
        elif place < len(words) and not is_option(word_text(words[place])) and not is_switch(values.get(name)):
            given[name] = Val(guess(word_text(words[place])), joined(word, words[place]))
            place += 1
        else:
            given[name] = Val(True, joined(word, None))
    for name in [name for name in values if name not in given]:
        if not free or (is_constant(values[name]) and isinstance(values[name].data, bool)):
            break
        word = free.pop(0)
        known = number(word_text(word))
        given[name] = Val(known if known is not None else word_text(word), word.src)
    namespace = Config({**values, **given}, "namespace")
    run.namespaces.append((Val(namespace, (spot,)), "function"))
    takes_more = function.node.args.kwarg is not None
    kwargs = {name: value for name, value in namespace.items() if name in values or takes_more}
    return run.call(target, [], kwargs, spot)


def is_switch(default: Val | None) -> bool:
    """Tell an option that takes no value: one whose default is a boolean."""
    return default is not None and isinstance(default.data, bool)


def default_value(default: Val) -> Val:
    """Look into `typer.Option(default, ...)`."""
    data = default.data
    if isinstance(data, Made) and data.short in ("Option", "Argument"):
        first = data.args[0] if data.args else data.kwargs.get("default")
        if first is not None and first.data is not None:
            return first
        return unknown("an option without a default")
    return default


def fire(call: Call) -> Val | None:
    """Model `fire.Fire(...)` on a function, a class or nothing."""
    words = arguments_of(call.run)
    target = call.arg(0, "component")
    if target is None or isinstance(target.data, dict):
        names = target.data if target is not None else call.scope.module.vars
        if not words:
            return None
        target, words = names.get(word_text(words[0])), words[1:]
        if target is None:
            return None
    if isinstance(target.data, Class):
        start = target.data.find("__init__")
        made = call.run.call(target, [], {}, call.spot, call.scope) if start else target
        if words and (method := target.data.find(word_text(words[0]))) and isinstance(method.data, Function):
            return call_from_words(call.run, Val(Bound(made, method.data)), words[1:], call.spot)
        return made if isinstance(made, Val) else None
    if isinstance(target.data, (Function, Bound)):
        return call_from_words(call.run, target, words, call.spot)
    if isinstance(target.data, (Command, Native)):
        return None
    return None


def make_typer(call: Call) -> Val | None:
    """Model `typer.Typer()`."""
    return Val(Command(unknown("no callback"), style="typer"), (call.spot,))


def run_typer(call: Call) -> Val | None:
    """Model `typer.run(main)`."""
    target = call.arg(0)
    if target is None or not isinstance(target.data, Function):
        return None
    return call_from_words(call.run, target, arguments_of(call.run), call.spot)


def call_main(call: Call) -> Val | None:
    """Model `app.run(main)` of absl, which calls `main` with the words that are left."""
    target = call.arg(0, "main") or call.scope.module.vars.get("main")
    if target is None:
        return None
    result: Val = call.run.call(target, [Val(list(call.run.argv[:1]))], {}, call.spot, call.scope)
    return result


HOOKS: dict[str, Hook] = {
    "fire.Fire": fire,
    "typer.Typer": make_typer,
    "typer.run": run_typer,
    "absl.app.run": call_main,
    "tensorflow.app.run": call_main,
    "tensorflow.compat.v1.app.run": call_main,
}
ENDINGS: dict[str, Hook] = {"jsonargparse.CLI": run_typer, "jsonargparse.auto_cli": run_typer, "defopt.run": run_typer}
