"""Find an installed command among the repository's own entry points."""

import ast
import contextlib
import posixpath

import re2

from schedmate.readers.code.adapters import new_run
from schedmate.readers.code.configs.plain_toml import plain_toml
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.python.modules.modules import execute_module
from schedmate.readers.code.python.modules.source import parse_python
from schedmate.readers.code.values.leaving import BudgetSpent, ProgramRaised
from schedmate.readers.code.values.scopes import Module
from schedmate.readers.code.values.value import SourceLocation, Value, find_in, sequence_of
from schedmate.tools.repository import Repository, inside

MOST_SETUP_STEPS = 20_000


def entry_point(repository: Repository, launch: Launch) -> tuple[str, str, SourceLocation] | None:
    """Find an installed command among the repository's own entry points."""
    if launch.kind == "code":
        return None
    name = posixpath.basename(launch.name)
    for folder in dict.fromkeys((launch.workdir, ".")):
        path = posixpath.normpath(inside(folder, "pyproject.toml"))
        if repository.is_file(path):
            text = repository.read_text(path)
            scripts = {**table(text, "project", "scripts"), **table(text, "tool", "poetry", "scripts")}
            told = scripts.get(name)
            if isinstance(told, str) and ":" in told:
                module, _, function = told.partition(":")
                lines = enumerate(text.split("\n"), 1)
                line = next((number for number, one in lines if name in one and ":" in one), 1)
                return module.strip(), function.strip(), SourceLocation(path, line)
        for setup in ("setup.py", "setup.cfg"):
            path = posixpath.normpath(inside(folder, setup))
            if not repository.is_file(path):
                continue
            for number, text_line in enumerate(repository.read_text(path).split("\n"), 1):
                match = re2.search(rf"""['"]?{re2.escape(name)}\s*=\s*([\w.]+):(\w+)""", text_line)
                if match is not None:
                    return str(match.group(1)), str(match.group(2)), SourceLocation(path, number)
    return None


def listed_script(repository: Repository, launch: Launch) -> str | None:
    """Find the file that is installed under a command's name: `scripts=["bin/train-it"]` in `setup.py`."""
    name = posixpath.basename(launch.name)
    for folder in dict.fromkeys((launch.workdir, ".")) if launch.kind == "tool" else ():
        listed = (*scripts_of_setup(repository, folder), *scripts_of_pyproject(repository, folder))
        for script in (posixpath.normpath(inside(folder, one)) for one in listed):
            if posixpath.basename(script) == name and is_python(repository, script):
                return script
    return None


def scripts_of_setup(repository: Repository, folder: str) -> list[str]:
    """Give the files that `setup.py` names one by one."""
    path = posixpath.normpath(inside(folder, "setup.py"))
    tree, _ = parse_python(repository.peek(path), path) if repository.is_file(path) else (None, "")
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call)) if tree is not None else ()
    lists = (word.value for call in calls for word in call.keywords if word.arg == "scripts")
    parts = (part for one in lists if isinstance(one, ast.List | ast.Tuple) for part in one.elts)
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def scripts_of_pyproject(repository: Repository, folder: str) -> list[str]:
    """Give the files that setuptools installs as they are."""
    path = posixpath.normpath(inside(folder, "pyproject.toml"))
    text = repository.peek(path) if repository.is_file(path) else ""
    listed = table(text, "tool", "setuptools").get("script-files")
    return [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []


def table(text: str, *names: str) -> dict[str, object]:
    """Read one table of a TOML file; empty where there is none."""
    found: object = plain_toml(text)
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def is_python(repository: Repository, path: str) -> bool:
    """Tell a file that its first line has Python run."""
    return repository.is_file(path) and "python" in repository.peek(path).partition("\n")[0]


def worked_out_entry(repository: Repository, launch: Launch) -> tuple[str, str, SourceLocation] | None:
    """Find an installed command where `setup.py` works its list out: what it hands to `setup` is followed."""
    name = posixpath.basename(launch.name)
    has_setup = launch.kind != "code" and repository.is_file("setup.py")
    if not has_setup or "console_scripts" not in repository.peek("setup.py"):
        return None
    run = new_run(repository, [Value("setup.py"), Value("install")])
    run.limit = MOST_SETUP_STEPS
    with contextlib.suppress(ProgramRaised, BudgetSpent, RecursionError):
        execute_module(run, Module("setup", "setup.py", ".", is_main=True))
    for event in run.events:
        scripts = find_in(event.kwargs.get("entry_points"), "console_scripts") if event.short == "setup" else None
        for item in sequence_of(scripts):
            command, _, place = str(item.data).partition("=")
            module, _, function = place.strip().partition(":")
            if command.strip() == name and function:
                return module, function.partition(" ")[0], (item.src or (event.spot,))[0]
    return None
