"""Packages that lie in another folder of the repository, which its users put on `PYTHONPATH` or install."""

import sys

import re2

from schedmate.knowledge.libraries import KNOWN_LIBRARIES, WITHOUT_TRAINING
from schedmate.readers.code.python.modules.modules import module_at
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Module
from schedmate.tools.repository import inside

ASIDE = frozenset(
    [
        "test", "tests", "doc", "docs", "example", "examples", "template", "templates", "third_party", "thirdparty",
        "vendor", "vendors", "vendored", "external", "externals", "submodules", "deps", "dependencies", "baselines",
    ]
)  # fmt: skip
"""Folders whose packages are on nobody's path, or another project's."""
SOURCES = frozenset({"src", "lib", "python", "source", "sources"})
"""How folders are called that hold a project's own packages."""

MADE_BY = ("setup.py", "pyproject.toml", "setup.cfg")
LISTS = ("requirements.txt", "environment.yml", "environment.yaml", "conda_env.yml")


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
    installed = any(run.repository.is_file(inside(root, name)) for name in MADE_BY)
    if not installed and not SOURCES.intersection(root.split("/")):
        return None  # nothing says that it is on the path
    return module_at(run, inside(root, place), name)


def is_package(run: Run, folder: str) -> bool:
    """Tell a folder whose modules are named after it, and stand on no path by themselves."""
    return folder != "." and run.repository.is_file(inside(folder, "__init__.py"))


def is_required(run: Run, top: str) -> bool:
    """Tell a library that the project asks for."""
    text = "\n".join(run.repository.glimpse(name) for name in LISTS).lower().replace("-", "_")
    return bool(re2.search(rf"(?m)^[\s_]*{re2.escape(top.lower())}\b", text))
