"""With what a program computes that is not here: by what its folder says is to be installed."""

import ast
import posixpath
from collections.abc import Callable, Iterator

import re2

from schedmate.readers.code.configs.plain_toml import plain_toml
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.python.modules.source import parse_python
from schedmate.readers.code.values.value import SourceLocation
from schedmate.tools.repository import Repository, inside

INSTALLED = re2.compile(
    r"^(torch|tensorflow|tensorflow-gpu|jax|mxnet(?:-cu\d+)?|paddlepaddle(?:-gpu)?|mindspore)(?:[=<>~!\[\s;@].*)?$"
)
PACKAGES = {
    "torch": "PyTorch",
    "tensorflow": "TensorFlow",
    "jax": "JAX",
    "mxnet": "MXNet",
    "paddle": "PaddlePaddle",
    "mindspore": "MindSpore",
}
LONGEST_LIST = 400
INSTALLS = re2.compile(
    r"\b(?:pip3?|conda|mamba|micromamba|poetry|uv|pipenv)\s+(?:[^&|;]*\s)?(?:install|add)\s+([^&|;]*)"
)

REQUIRES = re2.compile(r"(?i)requires?$|requirements?$|dependenc(?:y|ies)$|_require$")
"""How settings are named that list what a package needs."""
Requirements = Iterator[tuple[int, str]]
"""Lines, and what is required there."""


def of_lines(text: str) -> Requirements:
    """Read requirements that stand one a line, as pip reads them."""
    for number, line in enumerate(text.split("\n")[:LONGEST_LIST], 1):
        yield number, line.partition("#")[0].strip()


def of_environment(text: str) -> Requirements:
    """Read Conda's lists: each item begins with a dash."""
    for number, said in of_lines(text):
        if said.startswith("-"):
            yield number, said.lstrip("-").strip(" \"'")


def of_images(text: str) -> Requirements:
    """Read what commands in a Dockerfile install."""
    for number, said in of_lines(text):
        for installed in INSTALLS.findall(said):
            yield from ((number, word.strip("\"'")) for word in str(installed).split())


def of_setup(text: str) -> Requirements:
    """Read the texts of lists that are named after what a package needs."""
    tree, _ = parse_python(text, "setup.py")
    for node in ast.walk(tree) if tree is not None else ():
        named = node.arg if isinstance(node, ast.keyword) else ""
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named = node.targets[0].id
        if isinstance(node, (ast.keyword, ast.Assign)) and REQUIRES.search(named or ""):
            texts = (one for one in ast.walk(node.value) if isinstance(one, ast.Constant))
            yield from ((one.lineno, one.value.strip()) for one in texts if isinstance(one.value, str))


def of_project(text: str) -> Requirements:
    """Read a project's lists of dependencies, and Poetry's tables."""
    told = plain_toml(text) or {}
    project, poetry = told.get("project"), told.get("tool", {})
    poetry = poetry.get("poetry") if isinstance(poetry, dict) else None
    listed = [one.get("dependencies") for one in (project, poetry) if isinstance(one, dict)]
    names = [str(name) for one in listed if isinstance(one, (list, dict)) for name in one]
    lines = text.split("\n")
    for name in names[:LONGEST_LIST]:
        places = (number for number, line in enumerate(lines, 1) if line.lstrip(" \"'").startswith(name))
        one_line = (number for number, line in enumerate(lines, 1) if f'"{name}"' in line or f"'{name}'" in line)
        place = next(places, next(one_line, None))
        if place is not None:
            yield place, name


LISTS: dict[str, Callable[[str], Requirements]] = {
    "requirements.txt": of_lines,
    "environment.yml": of_environment,
    "environment.yaml": of_environment,
    "setup.py": of_setup,
    "pyproject.toml": of_project,
    "Dockerfile": of_images,
}


def frameworks_installed(repository: Repository, folder: str) -> dict[str, SourceLocation]:
    """Name the frameworks that a folder's lists of requirements and its Dockerfile install, each with its line."""
    found: dict[str, SourceLocation] = {}
    for name, requirements in LISTS.items():
        path = posixpath.normpath(inside(folder, name))
        for number, said in requirements(repository.glimpse(path)):
            match = INSTALLED.match(said)
            if match is not None:
                label = next(label for word, label in PACKAGES.items() if str(match.group(1)).startswith(word))
                found.setdefault(label, SourceLocation(path, number))
    return found


def tell_installed_framework(view: View) -> None:
    """Take the one framework that the job's folder, or the project, says is to be installed for it."""
    for folder in dict.fromkeys((view.launch.workdir, ".")):
        found = frameworks_installed(view.run.repository, folder)
        if len(found) == 1:
            name, spot = found.popitem()
            view.keep("framework", name, (spot,), "what is installed for it")
        if found:
            return
