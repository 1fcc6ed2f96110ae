"""Decorators that make a program's entry of a function: click's, Hydra's, draccus'."""

from dataclasses import replace

from schedmate.readers.code.commandline.click import COMMAND_MAKERS, PARAMETER_MAKERS, ClickCommand, option_of
from schedmate.readers.code.commandline.record_parsers import with_file
from schedmate.readers.code.commandline.records import fill_from_words
from schedmate.readers.code.configs.hydra import hydra_entry
from schedmate.readers.code.libraries.argument_words import arguments_of
from schedmate.readers.code.values.objects import ExternalResult, Function, LibraryObject
from schedmate.readers.code.values.run import Call, LibraryMethod, Run
from schedmate.readers.code.values.value import Value, unknown


def decorate(run: Run, decorator: ExternalResult, value: Value) -> Value:
    """Apply click's decorators; those of other libraries leave what they decorate."""
    name = decorator.callee
    if name.endswith(PARAMETER_MAKERS):
        option = option_of(decorator)
        if isinstance(value.data, ClickCommand):
            value.data.options.insert(0, option)
        elif isinstance(value.data, Function):
            known = value.data.marks.setdefault("click options", Value([]))
            known.data.insert(0, Value(option))
        return value
    if name.endswith(COMMAND_MAKERS) and isinstance(value.data, Function):
        marks = value.data.marks.get("click options")
        options = [mark.data for mark in marks.data] if marks is not None else []
        return Value(ClickCommand(value, options), value.src)
    if name.endswith("dora.argparse_main"):
        return parser_entry(decorator, value)
    if name.endswith(("hydra.main", "dora.hydra_main", "nemo.core.config.hydra_runner")):
        return hydra_entry(run, decorator, value)
    if name.endswith((".wrap", "pyrallis.wrap", "draccus.wrap")):
        return record_entry(value)
    if name == "argbind.bind" and isinstance(value.data, Function):
        return Value(without_defaults(value.data), value.src)
    return value


def without_defaults(function: Function) -> Function:
    """Give a function whose defaults are open, since argbind's files and words may say otherwise."""
    open_value = unknown("argbind's files may say otherwise")
    names = dict.fromkeys(function.kw_defaults, open_value)
    return replace(function, defaults=[open_value] * len(function.defaults), kw_defaults=names)


def parser_entry(decorator: ExternalResult, value: Value) -> Value:
    """Model `@dora.argparse_main(parser=...)`: the function is called with what the parser reads."""
    parser = decorator.kwargs.get("parser") or next(iter(decorator.args), None)
    parse = parser.data.get("parse_args") if parser is not None and isinstance(parser.data, LibraryObject) else None
    if parse is None:
        return value

    def enter(call: Call) -> Value:
        options: Value = call.run.call(parse, [], {}, call.spot, call.scope)
        return call.run.call(value, [options], {}, call.spot, call.scope)

    return Value(LibraryMethod(enter, "dora.argparse_main"), value.src)


def record_entry(value: Value) -> Value:
    """Model `@draccus.wrap()`: the first parameter's annotation is the record that the command line fills."""
    function = value.data
    node = function.node.args.args[0].annotation if isinstance(function, Function) and function.node.args.args else None
    if node is None:
        return value

    def enter(call: Call) -> Value:
        record = call.run.evaluate(node, function.scope)
        words, items = with_file(call.run, arguments_of(call.run), call)
        made = call.run.offer(fill_from_words(call.run, record, words, call.spot, items))
        return call.run.call(value, [made], {}, call.spot)

    return Value(LibraryMethod(enter, function.name), value.src)
