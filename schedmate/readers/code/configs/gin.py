"""gin: bindings of parameters by the names of functions, kept for the calls that they reach and for the fields."""

import posixpath
from dataclasses import dataclass, field
from typing import Any

from schedmate.readers.code.configs.instantiation import find_object
from schedmate.readers.code.libraries.argument_words import joined, word_text
from schedmate.readers.code.python.calls import nowhere
from schedmate.readers.code.python.modules.imports import find_module
from schedmate.readers.code.python.modules.named_files import path_in_repository
from schedmate.readers.code.python.modules.registries import complete_table, remember_table
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.nested import wrap
from schedmate.readers.code.values.objects import Class, ExternalResult, Function, fields_of
from schedmate.readers.code.values.run import Call, Hook, Run, by_names, filed
from schedmate.readers.code.values.value import Config, External, SourceLocation, Value, each_of, unknown
from schedmate.tools.syntax_tree import literal_value

DEEPEST = 8
DEEPEST_CALLS = 30
MOST_LINES = 20_000
LONGEST_VALUE = 20_000


class GinReference(External):
    """A function or class that a binding names; called where it is written with brackets."""

    __slots__ = ("called", "scope")

    def __init__(self, name: str, called: bool, scope: str = "") -> None:
        super().__init__(name)
        self.called = called
        self.scope = scope


@dataclass
class GinFacts:
    """What a reading knows of gin: bindings, what files call their imports, scopes entered, what is configurable."""

    is_used: bool = False
    bindings: dict[str, Value] = field(default_factory=dict)
    written: dict[str, Value] = field(default_factory=dict)
    """The bindings as they are written: macros are looked up when they are used, whatever file set them last."""
    folders: list[str] = field(default_factory=list)
    """Where files are looked up beside the usual places."""
    names: dict[str, str] = field(default_factory=dict)
    scopes: list[str] = field(default_factory=list)
    configurables: dict[str, Value] | None = None
    other_names: dict[int, str] = field(default_factory=dict)
    """what is bound under another name than its own"""


def parse_gin(call: Call) -> Value | None:
    """Model gin's parsing of files and of single bindings; later bindings win, macros are put in at the end."""
    facts = call.run.about(GinFacts)
    bindings = facts.written
    for value in each_of(call.arg(0, "config_files") or call.arg(0, "config_file")):
        path = path_in_repository(call.run, value, call.scope) or found_in_folders(call, value)
        if path is not None:
            read_file(call, path, bindings, 0)
    for item in each_of(call.arg(1, "bindings")) if "bindings" in call.name else []:
        if isinstance(item.data, str):
            read_text(call, "", item.data, bindings, DEEPEST, item.src)
    for word in call.run.argv[1:]:
        text = word_text(word)
        if text.startswith("--gin.") and "=" in text:
            read_text(call, "", text[6:].replace('\\"', '"'), bindings, DEEPEST, joined(word, word))
    facts.is_used, known = True, facts.bindings
    for name, value in bindings.items():
        settled = with_macro(value, bindings)
        scope, _, plain = name.rpartition("/")
        short = ".".join(plain.split(".")[-2:])
        known[name] = known[f"{scope}/{short}" if scope else short] = settled
    by_parameter = {name.rpartition("/")[2].rpartition(".")[2]: value for name, value in known.items()}
    call.run.offer(Value(Config(by_parameter)))
    return Value(None)


def add_folder(call: Call) -> Value | None:
    """Model `gin.add_config_file_search_path`."""
    folder = call.arg(0)
    text = folder.data.kwargs.get("text", folder) if folder and isinstance(folder.data, ExternalResult) else folder
    if text is not None and isinstance(text.data, str):
        call.run.about(GinFacts).folders.append(text.data)
    return None


def found_in_folders(call: Call, value: Value) -> str | None:
    """Find a file below the folders that the program has gin look in."""
    folders = call.run.about(GinFacts).folders if isinstance(value.data, str) else []
    return call.run.find_file(value.data, *folders) if folders else None


def with_macro(value: Value, bindings: dict[str, Value], depth: int = 0) -> Value:
    """Put in what a macro `%NAME` stands for."""
    if not isinstance(value.data, str) or not value.data.startswith("%"):
        return value
    found = bindings.get(value.data[1:])
    if found is None or depth > DEEPEST:
        return unknown(f"macro {value.data}")
    return with_macro(found, bindings, depth + 1)


def read_file(call: Call, path: str, bindings: dict[str, Value], depth: int) -> None:
    """Read a gin file and what it includes."""
    read_text(call, path, call.run.repository.readable_text(path) or "", bindings, depth, ())


def read_text(
    call: Call, path: str, text: str, bindings: dict[str, Value], depth: int, src: tuple[SourceLocation, ...]
) -> None:
    """Read bindings, single or in blocks, and the files that are included."""
    block, pending, start = "", "", 0
    for number, raw in enumerate(text.split("\n")[:MOST_LINES], 1):
        line = without_comment(raw)
        if pending:
            pending += " " + line.strip()
        elif line.startswith("include ") and depth < DEEPEST:
            name = line[8:].strip().strip("'\"")
            below = call.run.find_file(name, ".", call.run.workdir, posixpath.dirname(path))
            below = below or found_in_folders(call, Value(name))
            if below is not None:
                read_file(call, below, bindings, depth + 1)
            continue
        elif line.startswith(("import ", "from ")):
            note_import(call, line.split())
            continue
        elif not line.strip():
            continue
        elif line.rstrip().endswith(":") and not line.startswith((" ", "\t")) and "=" not in line:
            block = line.strip()[:-1]
            continue
        else:
            block = block if line.startswith((" ", "\t")) else ""
            pending, start = line.strip(), number
        if unfinished(pending) and len(pending) < LONGEST_VALUE:
            continue
        name, equals, value = pending.partition("=")
        if equals:
            full = f"{block}.{name.strip()}" if block else name.strip()
            bindings[full] = value_of(value.strip(), src or (SourceLocation(path, start),))
        pending = ""


def note_import(call: Call, words: list[str]) -> None:
    """Keep what a file's `from a.b import c` and `import a.b as c` make its names stand for."""
    names = call.run.about(GinFacts).names
    if len(words) >= 4 and words[0] == "from" and words[2] == "import":
        names[words[-1]] = f"{words[1]}.{words[3]}"
    elif words[0] == "import" and len(words) == 4:
        names[words[3]] = words[1]
    if len(words) > 1:  # its configurables are there from then on, whatever the program itself imports
        find_module(call.run, words[1], tuple(dict.fromkeys((*call.run.roots, call.run.workdir))))


def bound_arguments(
    run: Run, callee: Function | Class, args: list[Value], kwargs: dict[str, Value]
) -> dict[str, Value]:
    """Add the arguments of a function, or the fields of a record, that are bound and the caller does not give."""
    facts = run.about(GinFacts)
    if not facts.is_used:
        return kwargs
    made: Function | Class = callee
    if isinstance(callee, Class):
        names = list(fields_of(callee))
    else:
        made = callee.owner if callee.owner is not None and callee.name == "__init__" else callee
        names = [arg.arg for arg in [*callee.node.args.args, *callee.node.args.kwonlyargs]]
    given = {*names[: len(args)], *kwargs}
    owner = facts.other_names.get(id(made), made.name)
    bound = {name: bound_value(run, f"{owner}.{name}", facts.scopes) for name in names if name not in given}
    return {**kwargs, **{name: made_of(run, value) for name, value in bound.items() if value is not None}}


def bound_value(run: Run, name: str, scopes: list[str]) -> Value | None:
    """Find a binding: one of the innermost scope first, then one that names no scope."""
    known = run.about(GinFacts).bindings
    for scope in reversed(scopes):
        if f"{scope}/{name}" in known:
            return known[f"{scope}/{name}"]
    return known.get(name)


def made_of(run: Run, value: Value) -> Value:
    """Make what `@name()` stands for, and find what `@name` does."""
    if not isinstance(value.data, GinReference):
        return value
    found = registered(run, value.data.name)
    if found is None:
        head, _, rest = value.data.name.partition(".")
        head = run.about(GinFacts).names.get(head, head)
        found = find_object(run, Value(f"{head}.{rest}" if rest else head, value.src), nowhere())
    if not value.data.called:
        return found
    spot = value.src[0] if value.src else SourceLocation("", 1)
    if isinstance(found.data, External):
        return made_outside(run, found, value.data.name, spot)
    if isinstance(found.data, (Function, Class)) and len(run.functions) < DEEPEST_CALLS:
        scopes = run.about(GinFacts).scopes
        scopes.append(value.data.scope)
        try:
            return run.call(found, [], {}, spot, nowhere())
        finally:
            scopes.pop()
    signs = run.about(TrainingSigns)
    signs.perhaps = signs.perhaps or spot
    return unknown(f"what {value.data.name}() gives", value)


def made_outside(run: Run, found: Value, name: str, spot: SourceLocation) -> Value:
    """Make a library's object with the arguments that are bound to it under the name that the file calls it by."""
    bound = {}
    for key, value in run.about(GinFacts).bindings.items():
        owner, _, parameter = key.rpartition(".")
        if owner in (name, found.data.name):
            bound[parameter] = made_of(run, value)
    return run.call(found, [], bound, spot, nowhere())


def configurables(run: Run) -> dict[str, Value]:
    """Give what was made configurable so far, by name."""
    facts = run.about(GinFacts)
    if facts.configurables is None:
        facts.configurables = {}
        remember_table(run, Value(facts.configurables))
    return facts.configurables


def registered(run: Run, name: str) -> Value | None:
    """Find a configurable by the name that it registered; modules that wait are searched for it."""
    known, short = configurables(run), name.rpartition(".")[2]
    if short not in known and "." not in name:
        complete_table(run, known, short)
    return known.get(short) if "." not in name else None


def make_configurable(call: Call) -> Value | None:
    """Model `@gin.configurable`, plain and with a name, and `gin.external_configurable(f, name=...)`."""
    given = call.arg(0)
    decorates = given is None or isinstance(given.data, str)
    name = given.data if decorates and given is not None else call.constant(1, "name")

    def put(value: Value) -> Value:
        if isinstance(value.data, (Function, Class, External)):
            own = value.data.name.rpartition(".")[2]
            configurables(call.run)[(name or own).rpartition(".")[2]] = value
            if name:
                call.run.about(GinFacts).other_names[id(value.data)] = name.rpartition(".")[2]
        return value

    return filed(call, None if decorates else given, put)


def bind_parameter(call: Call) -> Value | None:
    """Model `gin.bind_parameter("train.steps", 5)`."""
    value = call.need(1, "value") if not call.run.unsure else unknown("bound or not")
    facts, key = call.run.about(GinFacts), call.text(0, "binding_key")
    facts.bindings[key] = facts.written[key] = value
    return Value(None)


def query_parameter(call: Call) -> Value | None:
    """Model `gin.query_parameter("train.steps")`."""
    return call.run.about(GinFacts).bindings.get(call.text(0, "binding_key"))


def without_comment(line: str) -> str:
    """Cut a comment off, unless its mark stands inside quotes."""
    quote = ""
    for place, character in enumerate(line):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "#":
            return line[:place]
    return line


def unfinished(text: str) -> bool:
    """Tell a value whose brackets are not closed yet, or that goes on behind a backslash or the equals sign."""
    opened = sum(text.count(mark) for mark in "([{") - sum(text.count(mark) for mark in ")]}")
    return opened > 0 or text.endswith(("\\", "="))


def value_of(text: str, src: tuple[SourceLocation, ...]) -> Value:
    """Read a value: a literal, a macro, or `@scope/module.name()`, which names a function or class."""
    if text.startswith("@"):
        scope, _, name = text[1:].removesuffix("()").rpartition("/")
        return Value(GinReference(name, text.endswith("()"), scope), src)
    if text.startswith("%"):
        return Value("%" + text[1:].rpartition("/")[2], src) if not text.startswith("%gin.") else unknown("required")
    try:
        data: Any = literal_value(text.replace("\\ ", " "))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return unknown("a value that is not written out")
    return wrap(data, src)


HOOKS: dict[str, Hook] = {
    **by_names("gin.parse_config_file gin.parse_config_files_and_bindings gin.parse_config", parse_gin),
    **by_names("gin.configurable gin.register gin.external_configurable", make_configurable),
    "gin.bind_parameter": bind_parameter,
    "gin.add_config_file_search_path": add_folder,
    "gin.query_parameter": query_parameter,
}
