"""Find the module that an import means: the repository's own before any other, a known library before a like name."""

import ast
import posixpath
from dataclasses import dataclass, field

import re2

from schedmate.knowledge.libraries import KNOWN_LIBRARIES
from schedmate.readers.code.python.modules.implicit_imports import beside
from schedmate.readers.code.python.modules.modules import LazyImport, execute_module, module_at, template_at
from schedmate.readers.code.python.modules.named_files import script_folder
from schedmate.readers.code.python.modules.other_roots import module_from_elsewhere
from schedmate.readers.code.python.modules.registries import note_walked
from schedmate.readers.code.values.leaving import ProgramRaised
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Module, Scope
from schedmate.readers.code.values.value import External, SourceLocation, Value, unknown
from schedmate.tools.repository import inside

LONGEST = 4_000
"""How long a module's text may be that is followed only for the folders that it adds."""


@dataclass
class ImportPath:
    """What `sys.path` is in a reading: a list that the program adds to, and the modules that were asked for it."""

    added: Value = field(default_factory=lambda: Value([]))
    asked: set[str] = field(default_factory=set)


def added_roots(run: Run) -> list[str]:
    """Give the folders of the repository that the program put on `sys.path`."""
    found = []
    for value in run.about(ImportPath).added.data:
        # What is worked out from `__file__` stands in the repository, anything else where the program was started.
        for base in (run.workdir, ".", *script_folder(run)) if isinstance(value.data, str) else ():
            path = posixpath.normpath(posixpath.join(base, value.data))
            if not path.startswith(("/", "..")) and run.repository.is_folder(path):
                found.append(path)
                break
    return found


def search_path(run: Run) -> Value:
    """Give `sys.path`, which begins with the folder of the script."""
    added = run.about(ImportPath).added
    if not added.data:
        added.data.extend(Value(folder) for folder in script_folder(run)[:1])
    return added


def follow_path_writers(run: Run) -> None:
    """Follow the modules that are imported so far and wait, as `import _init_paths`, whose text writes `sys.path`."""
    asked = run.about(ImportPath).asked
    for module in [one for one in run.modules.values() if one is not None and one.path and not one.done]:
        if module.path in asked:
            continue
        asked.add(module.path)
        text = run.repository.glimpse(module.path)
        if "sys.path." in text and len(text) < LONGEST:
            execute_module(run, module)


COMMON = frozenset(
    [
        "config", "data", "dataset", "datasets", "evaluate", "helper", "helpers", "layers", "loss", "losses", "main",
        "metrics", "model", "models", "modules", "network", "networks", "nn", "optim", "options", "plot", "setup",
        "test", "tools", "train", "trainer", "transforms", "types", "util", "utils", "version",
    ]
)  # fmt: skip
"""How files of many projects and libraries are called."""
KEPT_BACK = re2.compile(
    r"(?i)^(local|private|my|user|secret)s?_?(config|conf|cfg|setting|path|param|option|constant|credential)s?$"
)
"""How modules of settings are called that authors keep to themselves, and import where they are there."""
BUILT = ("version", "_pb2", "_ext", "_C", "_cuda", "_lib", "extension")
"""How modules are called that are made when a package is built."""


def import_name(run: Run, name: str, scope: Scope, line: int) -> Value:
    """Import a module by its dotted name."""
    roots = scope.module.roots or run.roots
    module = beside(run, name, scope.module, roots) or find_module(run, name, roots)
    if module is None and name == run.package:
        module = Module(name, "", ".")
    if module is not None:
        return Value(module, (SourceLocation(scope.path, line),))
    if scope.tries and KEPT_BACK.search(name) and "." not in name:
        raise ProgramRaised("ImportError")
    module = module_of_template(run, name, roots)
    if module is not None:
        return Value(module, (SourceLocation(scope.path, line),))
    run.imports.setdefault(name, SourceLocation(scope.path, line))
    return Value(External(name), (SourceLocation(scope.path, line),))


def import_from(run: Run, node: ast.ImportFrom, scope: Scope) -> None:
    """Follow `from ... import ...`; relative ones start at the file's own folder."""
    spot = SourceLocation(scope.path, node.lineno)
    module = relative_module(run, node, scope) if node.level else None
    if module is None and node.level and node.module and scope.tries and not node.module.endswith(BUILT):
        raise ProgramRaised("ImportError")
    if not node.level:
        name, roots = node.module or "", scope.module.roots or run.roots
        module = beside(run, name, scope.module, roots) or find_module(run, name, roots)
        module = module or package_itself(run, name, node)
        if module is not None and not module.path and not any(offers(run, module, alias.name) for alias in node.names):
            module = None
        kept_back = KEPT_BACK.search(name) is not None and "." not in name
        if module is None and scope.tries and (kept_back or is_missing_part(run, name, scope)):
            raise ProgramRaised("ImportError")
        module = module or module_of_template(run, name, roots)
        if module is None:
            run.imports.setdefault(name, spot)
    for alias in node.names:
        bound = alias.asname or alias.name
        if alias.name == "*":
            import_all(run, node, module, scope)
            continue
        if module is not None:
            value = Value(LazyImport(module, alias.name), (spot,))
        elif node.level:
            value = unknown(f"{alias.name} is not in the repository")
        else:
            value = Value(External(f"{node.module}.{alias.name}"), (spot,))
        run.journal.put(scope.home_of(bound), bound, value)


def import_all(run: Run, node: ast.ImportFrom, module: Module | None, scope: Scope) -> None:
    """Follow `from ... import *`: of a library the names are not known, and looked up there when they are used."""
    if module is None:
        if not node.level:
            scope.module.stars.append((node.module or "", node.lineno))
        return
    execute_module(run, module)
    note_listed(run, module)
    for key, value in list(module.vars.items()):
        if not key.startswith("_") and not leads_back(value, scope.module):
            run.journal.put(scope.vars, key, value)
    scope.module.stars += [star for star in module.stars if star not in scope.module.stars]


def leads_back(value: Value, module: Module) -> bool:
    """Tell a name that a module below imports from the very package that now takes all its names."""
    return isinstance(value.data, LazyImport) and value.data.module is module


def note_listed(run: Run, package: Module) -> None:
    """Keep the modules of a package that lists them in `__all__`: importing `*` from it imports them."""
    if "__all__" in package.vars and package.path.endswith("__init__.py"):
        note_walked(run, package.folder)


def is_missing_part(run: Run, name: str, scope: Scope) -> bool:
    """Tell a module that a package of the repository would hold and does not: what its authors kept to themselves."""
    top, _, below = name.partition(".")
    package = find_module(run, top, scope.module.roots or run.roots) if below else None
    built = name.rpartition(".")[2].startswith("_") or name.endswith(BUILT)
    return package is not None and package.path.endswith("__init__.py") and not built


def offers(run: Run, module: Module, name: str) -> bool:
    """Tell whether a folder without `__init__.py` holds a module of that name; else a library is meant."""
    place = inside(module.folder, name)
    return name == "*" or run.repository.is_file(f"{place}.py") or run.repository.is_folder(place)


def relative_module(run: Run, node: ast.ImportFrom, scope: Scope) -> Module | None:
    """Find the module of a relative import."""
    folder = scope.module.folder
    for _ in range(node.level - 1):
        folder = folder.rpartition("/")[0] or "."
    name = node.module or ""
    place = inside(folder, name.replace(".", "/")) if name else folder
    return module_at(run, place, name or folder) or template_at(run, place, name)


def module_of_template(run: Run, name: str, roots: tuple[str, ...]) -> Module | None:
    """Find the template of a module of settings that the authors keep to themselves."""
    if name.partition(".")[0] in KNOWN_LIBRARIES:
        return None
    found = (template_at(run, inside(root, name.replace(".", "/")), name) for root in roots)
    return next((module for module in found if module is not None), None)


def find_module(run: Run, name: str, roots: tuple[str, ...]) -> Module | None:
    """Find a module of the repository; a known library wins over a folder that merely has its name.

    A folder of plain files gives way to a module that lies further down the path, as Python has it.
    """
    plain_folder: Module | None = None
    top = name.partition(".")[0]
    if top not in KNOWN_LIBRARIES and not any(module_at(run, inside(root, top), top) for root in roots):
        follow_path_writers(run)
    added = added_roots(run)
    for outer in (*roots, *added):
        root = home_of_package(run, outer, top)
        place = inside(root, name.replace(".", "/"))
        first = inside(root, top)
        files = (f"{first}.py", f"{first}/__init__.py")
        # What stands on a path that the program adds is meant; a module of a package has a library's name by chance.
        strange = outer != roots[0] and not (outer in added and any(run.repository.is_file(file) for file in files))
        strange = strange and not is_own_part(run, place, name)
        if top in KNOWN_LIBRARIES and (strange or is_library_itself(run, root, top)):
            continue
        if top in KNOWN_LIBRARIES and "." not in name and not any(run.repository.is_file(file) for file in files):
            continue
        module = module_at(run, place, name)
        if module is not None and module.path:
            return module
        plain_folder = plain_folder or module
    if plain_folder is not None:
        return plain_folder
    return module_of_itself(run, name, top) or module_of_monorepo(run, name) or module_from_elsewhere(run, name)


def is_own_part(run: Run, place: str, name: str) -> bool:
    """Tell a part of a package that lies here file for file: `datasets.rooms` is no library's whose files are these."""
    return "." in name and any(run.repository.is_file(file) for file in (f"{place}.py", inside(place, "__init__.py")))


def home_of_package(run: Run, root: str, top: str) -> str:
    """Give the folder that a package lies in: one of its own name around it, from which it is installed, is none."""
    around = inside(root, top)
    is_here = any(run.repository.is_file(file) for file in (f"{around}.py", inside(around, "__init__.py")))
    return around if not is_here and run.repository.is_file(inside(around, f"{top}/__init__.py")) else root


def module_of_itself(run: Run, name: str, top: str) -> Module | None:
    """Find a module by the name of the package that the whole repository is: its parent's folder is outside."""
    below = name.partition(".")[2].replace(".", "/")
    is_it = top == run.package or run.repository.is_file("__init__.py") or is_bare_package(run, top, below)
    if not below or top in KNOWN_LIBRARIES or not is_it:
        return None
    found = module_at(run, below, name)
    return found if found is not None and found.path else None


def is_bare_package(run: Run, top: str, below: str) -> bool:
    """Tell the name of a repository that is its own package without an `__init__.py`: its files lie at the top.

    Whatever is installed by that name is none of the project's requirements; files that are called as in every project
    say less than the folder's own name.
    """
    text = run.repository.glimpse("requirements.txt").lower()
    lies_here = run.repository.is_file(f"{below}.py") and not run.repository.is_folder(top)
    lies_here = lies_here and (below not in COMMON or run.repository.root.name.lower().endswith(top.lower()))
    return lies_here and top.isidentifier() and not re2.search(rf"(?m)^{top.lower()}\b", text.replace("-", "_"))


def package_itself(run: Run, name: str, node: ast.ImportFrom) -> Module | None:
    """Give the whole repository as the package that it is imported as, without following what makes it one."""
    is_it = "." not in name and name not in KNOWN_LIBRARIES and run.repository.is_file("__init__.py")
    if not is_it and "." not in name and name not in KNOWN_LIBRARIES:
        is_it = all(is_bare_package(run, name, alias.name) for alias in node.names)
    return Module(name, "", ".") if is_it or name == run.package else None


def module_of_monorepo(run: Run, name: str) -> Module | None:
    """Find a module named by its path in the monorepo that the project was copied from: `lab.vision.proj.tools.x`."""
    parts = name.split(".")
    if len(parts) < 4 or parts[0] in KNOWN_LIBRARIES:
        return None
    for count in range(len(parts) - 2, 0, -1):
        tail = "/".join(parts[count:])
        if run.repository.is_folder(parts[count - 1]) and run.repository.is_file(f"{tail}.py"):
            return module_at(run, tail, ".".join(parts[count:]))
    return None


def is_library_itself(run: Run, root: str, top: str) -> bool:
    """Tell the source tree of a known library, which is better read by what is known of it than by its code."""
    for name in ("pyproject.toml", "setup.py", "setup.cfg"):
        flat = run.repository.glimpse(inside(root, name)).replace(" ", "").replace("'", '"')
        if f'name="{top}"' in flat or f"name={top}\n" in flat:
            return run.repository.is_folder(inside(root, top))
    return False
