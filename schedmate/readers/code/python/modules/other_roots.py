"""Packages that lie in another folder of the repository, which its users put on `PYTHONPATH` or install."""

import sys

import re2

from schedmate.knowledge.libraries import KNOWN_LIBRARIES, WITHOUT_TRAINING
from schedmate.readers.code.python.modules.modules import module_at
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Module
from schedmate.tools.repository import inside

ASIDE = frozenset({"test", "tests", "doc", "docs", "example", "examples", "template", "templates"})
"""Folders whose packages are on nobody's path."""


def module_from_elsewhere(run: Run, name: str) -> Module | None:
    """Find a module in the only folder here that holds it as part of a package; no library's, no listed requirement."""
    top = name.partition(".")[0]
    if top in KNOWN_LIBRARIES | WITHOUT_TRAINING | sys.stdlib_module_names or not top.isidentifier():
        return None
    place = name.replace(".", "/")
    files = [f"{place}/__init__.py", *([f"{place}.py"] if "." in name else [])]
    roots = {root for file in files if (root := run.repository.find_only(file)) is not None}
    root = roots.pop() if len(roots) == 1 else None
    if root is None or ASIDE.intersection(root.split("/")) or is_package(run, root) or is_required(run, top):
        return None
    return module_at(run, inside(root, place), name)


def is_package(run: Run, folder: str) -> bool:
    """Tell a folder whose modules are named after it, and stand on no path by themselves."""
    return folder != "." and run.repository.is_file(inside(folder, "__init__.py"))


def is_required(run: Run, top: str) -> bool:
    """Tell a library that the project asks for."""
    text = run.repository.glimpse("requirements.txt").lower().replace("-", "_")
    return bool(re2.search(rf"(?m)^{re2.escape(top.lower())}\b", text))
