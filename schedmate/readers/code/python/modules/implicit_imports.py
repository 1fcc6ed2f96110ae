"""Imports of Python 2: in a package a plain name means the module beside the file before any other."""

import ast
import posixpath
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

from schedmate.knowledge.libraries import KNOWN_LIBRARIES, WITHOUT_TRAINING
from schedmate.readers.code.python.modules.modules import load_tree, module_at
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Module
from schedmate.tools.repository import inside

LIBRARIES = KNOWN_LIBRARIES | WITHOUT_TRAINING | sys.stdlib_module_names


@dataclass
class OlderFiles:
    """Which files of packages are Python 2's by what they import, as far as it was asked."""

    known: dict[str, bool] = field(default_factory=dict)


def beside(run: Run, name: str, module: Module, roots: tuple[str, ...]) -> Module | None:
    """Give the module beside a file that a plain import means, where the file only works so."""
    here = neighbour(run, name, module)
    return here if here is not None and needs_its_folder(run, module, roots) else None


def neighbour(run: Run, name: str, module: Module) -> Module | None:
    """Give the module of a name in the folder of a file that belongs to a package; never the file itself."""
    top = name.partition(".")[0]
    if not name or top in LIBRARIES or not run.repository.is_file(inside(module.folder, "__init__.py")):
        return None
    first = inside(module.folder, top)
    if not any(run.repository.is_file(file) for file in (f"{first}.py", f"{first}/__init__.py")):
        return None
    found = module_at(run, inside(module.folder, name.replace(".", "/")), name)
    return found if found is not None and found.path not in ("", module.path) else None


def needs_its_folder(run: Run, module: Module, roots: tuple[str, ...]) -> bool:
    """Tell a file that imports something which lies beside it and nowhere else that is looked into."""
    known = run.about(OlderFiles).known
    if module.path not in known:
        known[module.path] = module.folder not in roots and any(
            neighbour(run, name, module) is not None
            and (not is_on_path(run, name, roots) or name == own_name(run, module))
            for name in plain_imports(run, module)
        )
    return known[module.path]


def own_name(run: Run, module: Module) -> str:
    """Give a package's name where its own file takes all names of that name, which in Python 3 are those it has."""
    tree = load_tree(run, module.path) if posixpath.basename(module.path) == "__init__.py" else None
    own = posixpath.basename(module.folder)
    taken = [node for node in tree.body if isinstance(node, ast.ImportFrom)] if tree is not None else []
    return own if any((node.module, node.names[0].name) == (own, "*") for node in taken) else ""


def is_on_path(run: Run, name: str, roots: tuple[str, ...]) -> bool:
    """Tell whether a file or folder of a module's first name lies where imports are looked up."""
    top = name.partition(".")[0]
    return any(
        run.repository.is_file(posixpath.normpath(inside(root, f"{top}.py")))
        or run.repository.is_folder(posixpath.normpath(inside(root, top)))
        for root in roots
    )


def plain_imports(run: Run, module: Module) -> Iterator[str]:
    """Name what a file imports at its top without a dot before it; none where it asks for Python 3's way."""
    tree = load_tree(run, module.path) if module.path else None
    names: list[str] = []
    for node in tree.body if tree is not None else ():
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            if any(alias.name == "absolute_import" for alias in node.names):
                return
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.append(node.module or "")
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    yield from names
