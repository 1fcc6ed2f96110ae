"""Code and modules that are named by texts: `exec`, `eval`, `__import__`, `importlib`."""

import ast
import posixpath
from dataclasses import dataclass, field, replace

from schedmate.readers.code.python.builtins.builtin_functions import fails
from schedmate.readers.code.python.modules.imports import find_module, import_name
from schedmate.readers.code.python.modules.modules import execute_module, load_tree, module_at
from schedmate.readers.code.python.modules.named_files import path_in_repository
from schedmate.readers.code.python.modules.registries import note_walked
from schedmate.readers.code.python.modules.source import try_parse
from schedmate.readers.code.values.objects import ExternalResult, FileText
from schedmate.readers.code.values.run import Call, Run
from schedmate.readers.code.values.scopes import Module, Scope
from schedmate.readers.code.values.value import COMMAND, Config, External, Unknown, Value, is_constant, unknown
from schedmate.tools.repository import inside
from schedmate.tools.syntax_tree import literal_value

MOST_TEXTS = 12
"""Texts that run one another, one inside the other, that are followed."""
MOST_OF_ONE = 2


@dataclass
class TextsRunning:
    """The texts that are being followed, the innermost last."""

    texts: list[str] = field(default_factory=list)


def run_source(call: Call) -> Value | None:
    """Model `exec` and `eval`: text of the repository's files and known expressions are followed, nothing is run."""
    source = call.need(0)
    if isinstance(source.data, ExternalResult) and source.data.short == "compile" and source.data.args:
        source = source.data.args[0]
    if not isinstance(source.data, str):
        if call.name == "exec" and call.scope.vars is call.scope.module.vars:
            put_words_over(call)
        return unknown("source that is not known", source)
    running = call.run.about(TextsRunning).texts
    if len(running) >= MOST_TEXTS or running.count(source.data) >= MOST_OF_ONE:
        return unknown("a text that runs itself", source)
    running.append(source.data)
    try:
        return follow_source(call, source)
    finally:
        running.pop()


def follow_source(call: Call, source: Value) -> Value | None:
    """Follow a text that is run among the names that it is given, or of the place where it is run."""
    path = source.data.path if isinstance(source.data, FileText) else ""
    names = call.arg(1)
    home = names.data if names is not None and isinstance(names.data, dict) else call.scope.vars
    if path:
        tree = load_tree(call.run, path)
    else:
        tree, _ = try_parse(source.data.strip()[:20_000])
    if tree is None:
        return fails(call, "SyntaxError", source)
    module = Module(path or call.scope.module.name, path or call.scope.path, call.scope.module.folder, home)
    module.done, module.roots = True, call.scope.module.roots
    scope = Scope(module, home)
    if call.name == "eval" and len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
        expression, names_there = tree.body[0].value, Scope(module, home, call.scope)
        value: Value = call.run.evaluate(expression, names_there)
        if isinstance(value.data, Unknown) and isinstance(expression, ast.Name) and not names_there.find(expression.id):
            return fails(call, "NameError", source)
        return Value(value.data, source.src) if source.src and is_constant(value) else value
    call.run.execute(tree.body, scope)
    return Value(None)


def run_profiled(call: Call) -> Value | None:
    """Model `cProfile.run("main()")`: the text is carried out among the names of the main program."""
    main = call.run.main or call.scope.module
    place = replace(call, name="exec", scope=Scope(main, main.vars), args=call.args[:1], kwargs={})
    return run_source(place)


def put_words_over(call: Call) -> None:
    """Let the command's words stand over a module's settings, as nanoGPT's configurator does, where that is not here.

    Where they name a file of settings that is not here either, the others are open.
    """
    words = [word for word in call.run.arguments.data[1:] if isinstance(word.data, str)]
    files = [word for word in words if word.data.endswith(".py")]
    absent = not all(path_in_repository(call.run, word, call.scope) for word in files)
    for name, value in list(call.scope.vars.items()):
        told = next((word for word in words if word.data.startswith(f"--{name}=")), None)
        if told is not None:
            call.run.journal.put(call.scope.vars, name, Value(read_literal(told.data.partition("=")[2]), told.src))
        elif absent and is_constant(value) and not name.startswith("_"):
            call.run.journal.put(call.scope.vars, name, unknown("settings that are not here may change it", value))


def read_literal(text: str) -> object:
    """Read a word as a number, a truth or a text."""
    try:
        return literal_value(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def follow_import_call(call: Call) -> Value | None:
    """Model `__import__` and `importlib.import_module`."""
    name = call.constant(0, "name")
    if not isinstance(name, str) or not name.strip("."):
        note_walked(call.run, call.scope.module.folder)
        return None
    told = call.constant(4, "level", 0) if call.name == "__import__" else 0
    level = len(name) - len(name.lstrip(".")) or (told if type(told) is int and told < MOST_TEXTS else 0)
    if level > 0:
        folder = call.scope.module.folder
        for _ in range(level - 1):
            folder = folder.rpartition("/")[0] or "."
        module = module_at(call.run, inside(folder, name.lstrip(".").replace(".", "/")), name.lstrip("."))
        return Value(module, (call.spot,)) if module is not None else None
    value = import_name(call.run, name.strip("."), call.scope, call.spot.line)
    if isinstance(value.data, External) and names_member(call, name.strip(".")):
        return fails(call, "ImportError")
    if isinstance(value.data, Module) and "." in name and is_told(call.need(0, "name")):
        follow_with_packages(call.run, value.data)
    return value


def is_told(name: Value) -> bool:
    """Tell a name that the command says: of many modules that may be imported it is the one of this job."""
    return any(spot.path == COMMAND for spot in name.src)


def follow_with_packages(run: Run, module: Module) -> None:
    """Follow a module at once, after the packages around it, for what they do to settings that others hold."""
    parts = module.name.split(".")
    folder = module.folder if module.is_package else posixpath.splitext(module.path)[0]
    for depth in range(len(parts) - 1, 0, -1):
        above = module_at(run, "/".join(folder.split("/")[:-depth]) or ".", ".".join(parts[:-depth]))
        if above is not None and above.is_package:
            execute_module(run, above)
    execute_module(run, module)


def find_spec(call: Call) -> Value | None:
    """Model `importlib.util.find_spec`: what is found is true, what a package of the repository lacks is None."""
    name = call.constant(0, "name")
    if not isinstance(name, str) or not name or name.startswith("."):
        return None
    roots = call.scope.module.roots or call.run.roots
    if find_module(call.run, name, roots) is not None:
        return Value(Config({"name": Value(name)}), (call.spot,))
    return Value(None, (call.spot,)) if find_module(call.run, name.partition(".")[0], roots) is not None else None


def names_member(call: Call, name: str) -> bool:
    """Tell the dotted name of something inside a module, which is no module that can be imported.

    Of a library that is a class's name; one that counts on it tries, and catches what is raised.
    """
    above, _, last = name.rpartition(".")
    roots = call.scope.module.roots or call.run.roots
    is_class = bool(call.scope.tries) and last[:1].isupper()
    return bool(above) and (is_class or find_module(call.run, above, roots) is not None)
