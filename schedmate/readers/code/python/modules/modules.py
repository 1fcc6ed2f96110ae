"""Find and follow the repository's modules, each only when something of it is used; libraries are names and no more."""

import ast
import posixpath
from dataclasses import dataclass, field

from schedmate.readers.code.python.modules.source import LARGEST_NOTEBOOK, LARGEST_SOURCE, parse_python
from schedmate.readers.code.python.modules.stand_ins import stand_in
from schedmate.readers.code.values.leaving import ProgramExited, ProgramRaised
from schedmate.readers.code.values.objects import Function, LibraryObject
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.run_state import Gap
from schedmate.readers.code.values.scopes import Module, Scope
from schedmate.readers.code.values.value import External, SourceLocation, Unknown, Value, sequence_of, unknown
from schedmate.tools.notebook import is_notebook, notebook_lines
from schedmate.tools.repository import inside

MOST_SOURCE = 880_000
"""How many characters of code are read for one program; what it loads as data stands beside that."""


@dataclass
class SourceRead:
    """How much code a reading has read."""

    characters: int = 0
    asked: set[tuple[str, str]] = field(default_factory=set)
    """Which modules are being asked for which of their names."""


class LazyImport(LibraryObject):
    """A name imported from a module of the repository; looked up when it is used."""

    def __init__(self, module: Module, name: str) -> None:
        self.module = module
        self.name = name
        self.busy = False


def resolve(run: Run, value: Value) -> Value:
    """Look up what an import left for later."""
    if isinstance(value.data, LazyImport):
        lazy = value.data
        if lazy.busy:
            return unknown(f"{lazy.name} is imported in a circle")
        lazy.busy = True
        try:
            return module_attribute(run, lazy.module, lazy.name)
        finally:
            lazy.busy = False
    if isinstance(value.data, External):
        return run.libraries.value_of(run, value.data.name) or value
    return value


def module_at(run: Run, place: str, name: str) -> Module | None:
    """Give the module at a place: a package goes before a file of its name, as Python has it, any other folder last."""
    if "/.." in place:
        place = posixpath.normpath(place)
    if place in run.modules:
        return run.modules[place]
    module: Module | None = None
    if "//" in place or place.endswith("/"):
        return None  # a name of no letters names no module, though a path with it leads to a file
    if run.repository.is_file(inside(place, "__init__.py")):
        module = Module(name, inside(place, "__init__.py"), place)
    elif place not in ("", ".") and run.repository.is_file(f"{place}.py"):
        module = Module(name, f"{place}.py", place.rpartition("/")[0] or ".")
    elif run.repository.is_folder(place):
        module = Module(name, "", place)
    run.modules[place] = module
    return module


def template_at(run: Run, place: str, name: str) -> Module | None:
    """Give the module whose template lies at a place; what is imported stands for it from then on."""
    path = stand_in(run.repository, f"{place}.py") if name else None
    if path is None:
        return None
    run.note(f"{place}.py is not here: {path} is read in its place")
    module = run.modules[place] = Module(name, path, place.rpartition("/")[0] or ".")
    return module


def module_attribute(run: Run, module: Module, name: str) -> Value:
    """Give a name of a module, following the module first; else a module below it."""
    execute_module(run, module)
    if name in module.vars and not is_own(module, name):
        return resolve(run, module.vars[name])
    if name == "__dict__":
        return Value(module.vars)
    if name == "__file__":
        return Value(module.path)
    if name == "__path__" and module.is_package:
        return Value([Value(module.folder)])
    if name == "__name__":
        return Value(module.name)
    if module.is_package:
        place, full = inside(module.folder, name), f"{module.name}.{name}"
        below = module_at(run, place, full) or template_at(run, place, full)
        if below is not None and (below.path or module.path == ""):
            return Value(below)
    made = made_when_asked(run, module, name)
    return made if made is not None else unknown(f"{module.name} has no {name} that was found")


MOST_LISTED = 2_000


def made_when_asked(run: Run, module: Module, name: str) -> Value | None:
    """Give what a module gives only when it is asked: by its own `__getattr__`, or a table of its parts."""
    dynamic = module.vars.get("__getattr__")
    if name.startswith("__") or (module.path, name) in (asked := run.about(SourceRead).asked):
        return None
    if dynamic is not None and isinstance(dynamic.data, Function):
        asked.add((module.path, name))
        try:
            found = run.call(dynamic, [Value(name)])
        except ProgramRaised:
            return None
        finally:
            asked.discard((module.path, name))
        return None if isinstance(found.data, Unknown) else found
    below = listed_part(run, module, name)
    if below is None:
        return None
    asked.add((module.path, name))
    try:
        return module_attribute(run, below, name)
    finally:
        asked.discard((module.path, name))


def listed_part(run: Run, module: Module, name: str) -> Module | None:
    """Give the part of a package that its table says holds a name."""
    parts = module.vars.get("_import_structure") if module.is_package else None
    for part, names in list(parts.data.items())[:MOST_LISTED] if parts is not None and is_table(parts) else ():
        held = sequence_of(names)[:MOST_LISTED]
        if isinstance(part, str) and any(one.data == name for one in held):
            is_name = all(piece.isidentifier() for piece in part.split("."))
            place = inside(module.folder, part.replace(".", "/"))
            return module_at(run, place, f"{module.name}.{part}") if is_name else None
    return None


def is_table(value: Value) -> bool:
    """Tell a mapping."""
    return isinstance(value.data, dict)


def is_own(module: Module, name: str) -> bool:
    """Tell `from . import name` in a package: the name means the module below, not itself."""
    data = module.vars[name].data
    return isinstance(data, LazyImport) and data.name == name and data.module is module


def package_of(run: Run, module: Module) -> str:
    """Name the package in which a module stands, or that it is: the way to its folder from where imports begin."""
    folder = module.folder if module.is_package else posixpath.dirname(module.path) or "."
    roots = [root for root in (*module.roots, *run.roots) if root != "." and f"{folder}/".startswith(f"{root}/")]
    below = posixpath.relpath(folder, max(roots, key=len, default="."))
    return "" if below == "." else below.replace("/", ".")


def execute_module(run: Run, module: Module) -> None:
    """Follow a module from top to bottom, once; what it does is sure whatever branch asked for it."""
    if module.done or not module.path:
        module.done = True
        return
    module.done = True
    tree = load_tree(run, module.path)
    if tree is None:
        return
    scope = Scope(module, module.vars)
    run.main = module if module.is_main else run.main
    saved = run.journal.entries, run.unsure, run.loops, run.again, run.growing, run.tries
    run.journal.entries, run.unsure, run.loops, run.again, run.growing, run.tries = None, 0, [], 0, 0, 0
    module.vars.setdefault("__name__", Value("__main__" if module.is_main else module.name))
    module.vars.setdefault("__package__", Value(package_of(run, module)))
    module.vars.setdefault("__doc__", Value(ast.get_docstring(tree), (SourceLocation(module.path, 1),)))
    module.vars.setdefault("__file__", Value(module.path, (SourceLocation(module.path, 1),)))
    try:
        run.execute(tree.body, scope)
    except ProgramExited:
        if module.is_main:
            raise
    except ProgramRaised:
        pass
    finally:
        run.journal.entries, run.unsure, run.loops, run.again, run.growing, run.tries = saved


def code_length(text: str, path: str) -> int:
    """Count the characters of a file's code: what a notebook's cells printed is none."""
    return sum(len(code) for _, code in notebook_lines(text)) if is_notebook(path) else len(text)


def load_tree(run: Run, path: str) -> ast.Module | None:
    """Read and parse a file once; what is wrong with it is noted."""
    if path not in run.trees:
        read = run.about(SourceRead)
        if read.characters > MOST_SOURCE:
            run.note("the program reaches more code than is read: what lies further out was left", Gap.PATH)
            run.trees[path] = None
            return None
        text = run.read_text(path, LARGEST_NOTEBOOK if is_notebook(path) else LARGEST_SOURCE * 2, Gap.PATH)
        read.characters += code_length(text or "", path)
        run.trees[path], wrong = parse_python(text, path) if text is not None else (None, "")
        run.note(wrong, Gap.PATH)
    return run.trees[path]
