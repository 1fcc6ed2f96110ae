"""typer and others that call a function with what the command line says."""

import ast
from typing import cast

import re2

from schedmate.readers.code.commandline.record_decoding import as_member, classes_in
from schedmate.readers.code.configs.files import load_named
from schedmate.readers.code.libraries.argument_words import arguments_of, guess, number, split_words, word_text
from schedmate.readers.code.python.calls import nowhere
from schedmate.readers.code.python.functions import parameters_of
from schedmate.readers.code.values.objects import BoundMethod, Class, ExternalResult, Function
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, Run, by_names
from schedmate.readers.code.values.value import Config, SourceLocation, Value, held, mapping_of, unknown

LIST_TYPE = re2.compile(r"^(?:Optional\[|typing\.)*(?:List|list|Sequence)\[")


def call_from_words(run: Run, target: Value, words: list[Value], spot: SourceLocation) -> Value:
    """Call a function as fire, typer and tyro do: its parameters are the options, its defaults the defaults."""
    function = function_of(target)
    parameters = parameters_of(function)
    if isinstance(target.data, BoundMethod) or (function.owner is not None and function.kind == "plain"):
        parameters.pop(next(iter(parameters), None), None)
    values: dict[str, Value] = {str(name): default_value(default) for name, default in parameters.items()}
    aliases = aliases_of(function, parameters)
    named, free = split_words(words, lambda name: is_switch(values.get(aliases.get(name, name))))
    given: dict[str, Value] = {}
    gathered = gathering(function)
    for one in named:
        one = one._replace(name=aliases.get(one.name, one.name))
        if one.value is not None and one.name in gathered and is_told_apart(parameters.get(one.name)):
            before = given.get(one.name, Value([]))
            text = word_text(one.value)
            item = Value(text if gathered[one.name] else guess(text), one.src)
            given[one.name] = Value([*before.data, item], (*before.src, *one.src)[:4])
        elif one.value is not None:
            given[one.name] = Value(guess(word_text(one.value)), one.src)
        elif one.name.startswith("no_") and one.name[3:] in values:
            given[one.name[3:]] = Value(False, one.src)
        else:
            given[one.name] = Value(True, one.src)
    values.update(from_named_file(run, given, values))
    several = function.node.args.vararg is not None  # what is behind it is told by name only
    by_name = {one.arg for one in function.node.args.kwonlyargs} if several else frozenset[str]()
    for name in [name for name in values if name not in given and name not in by_name]:
        if not free or is_switch(values[name]):
            break
        word = free.pop(0)
        known = number(word_text(word))
        given[name] = Value(known if known is not None else word_text(word), word.src)
    annotations = {one.arg: one.annotation for one in arguments_in(function)}
    given = {
        name: as_member(classes_in(run, annotations[name], function.scope), value) if annotations.get(name) else value
        for name, value in given.items()
    }
    filled = {**values, **given}
    namespace = Config(filled, "namespace")
    run.offer(Value(namespace, (spot,)))
    takes_more = function.node.args.kwarg is not None
    kwargs = {name: value for name, value in filled.items() if name in values or takes_more}
    args: list[Value] = []
    if several and free:
        plain = (*function.node.args.posonlyargs, *function.node.args.args)
        args = [*(kwargs.pop(one.arg) for one in plain if one.arg in kwargs), *free]
    return run.call(target, args, kwargs, spot)


def function_of(target: Value) -> Function:
    """Give the function that is called: a method's, or the one that makes an object of a class."""
    if isinstance(target.data, Class):
        return cast(Function, target.data.find("__init__").data)  # type: ignore[union-attr]  # whoever calls has looked
    return cast(Function, target.data.function if isinstance(target.data, BoundMethod) else target.data)


def from_named_file(run: Run, given: dict[str, Value], values: dict[str, Value]) -> dict[str, Value]:
    """Take defaults from the file that `--config` names where the function itself has no such parameter."""
    named = given.get("config")
    if "config" in values or named is None or not isinstance(named.data, str):
        return {}
    loaded = load_named(run, named, nowhere()) if named.data.endswith((".yaml", ".yml", ".json", ".toml")) else None
    return {str(name): value for name, value in mapping_of(loaded).items() if name in values}


def aliases_of(function: Function, parameters: Config) -> dict[str, str]:
    """Give the other names of parameters: those that `typer.Option(..., "--name", "-n")` lists."""
    found: dict[str, str] = {}
    for name, default in parameters.items():
        if isinstance(default.data, ExternalResult) and default.data.short == "Option":
            found.update({other.data: str(name) for other in default.data.args if isinstance(other.data, str)})
    for argument in arguments_in(function):
        if argument.annotation is None or "Annotated" not in ast.unparse(argument.annotation)[:40]:
            continue
        for node in ast.walk(argument.annotation):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.setdefault(node.value, argument.arg)
    return {
        part.lstrip("-").replace("-", "_"): name
        for names, name in found.items()
        for part in names.split("/")
        if part.startswith("-")
    }


def arguments_in(function: Function) -> list[ast.arg]:
    """Give the parameters of a function as they are written."""
    return [*function.node.args.posonlyargs, *function.node.args.args, *function.node.args.kwonlyargs]


def gathering(function: Function) -> dict[str, bool]:
    """Give the parameters that are typed as lists, and whether of texts."""
    typed = {one.arg: ast.unparse(one.annotation) for one in arguments_in(function) if one.annotation is not None}
    return {name: "str" in text for name, text in typed.items() if LIST_TYPE.search(text)}


def is_told_apart(default: Value | None) -> bool:
    """Tell an option of typer's, which is given again for each of several values."""
    data = held(default, ExternalResult)
    return data is not None and data.short == "Option"


def is_switch(default: Value | None) -> bool:
    """Tell an option that takes no value: one whose default is a boolean."""
    return default is not None and isinstance(default.data, bool)


def default_value(default: Value) -> Value:
    """Look into `typer.Option(default, ...)`."""
    data = default.data
    if isinstance(data, ExternalResult) and data.short in ("Option", "Argument"):
        first = data.args[0] if data.args else data.kwargs.get("default")
        if first is not None and first.data is not None:
            return first
        return unknown("an option without a default")
    return default


def run_typer(call: Call) -> Value | None:
    """Model `typer.run(main)`."""
    return call_from_words(call.run, call.need(0, kind=Function), arguments_of(call.run), call.spot)


def call_main(call: Call) -> Value | None:
    """Model `app.run(main)` of absl, which calls `main` with the words that are left."""
    target = call.arg(0, "main") or call.scope.module.vars.get("main")
    if target is None:
        return None
    left = split_words(call.run.argv[1:])[1]
    return call.run.call(target, [Value([*call.run.argv[:1], *left])], {}, call.spot, call.scope)


def call_parse(call: Call) -> Value | None:
    """Model fastcore's `@call_parse`, which calls the function of the program that is run as it is defined."""
    target = call.arg(0)
    if target is None:
        return Value(LibraryMethod(call_parse, "call_parse"))
    if isinstance(target.data, Function) and call.scope.module.is_main:
        call_from_words(call.run, target, arguments_of(call.run), call.spot)
    return target


HOOKS: dict[str, Hook] = {
    **by_names("fastcore.script.call_parse fastcore.all.call_parse", call_parse),
    **by_names("jsonargparse.cli.CLI jsonargparse.cli.auto_cli typer.run", run_typer),
    **by_names("absl.app.run mlxu.run tensorflow.app.run tensorflow.compat.v1.app.run", call_main),
    "tensorflow.python.platform.app.run": call_main,
}
ENDINGS: dict[str, Hook] = {"jsonargparse.CLI": run_typer, "jsonargparse.auto_cli": run_typer, "defopt.run": run_typer}
