"""Find an installed command among the repository's own entry points."""

import posixpath
import tomllib

import re2

from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.values import Spot
from schedmate.tools.repository import Repository, inside


def entry_point(repository: Repository, launch: Launch) -> tuple[str, str, Spot] | None:
    """Find an installed command among the repository's own entry points."""
    if launch.kind == "code":
        return None
    name = posixpath.basename(launch.name)
    for folder in dict.fromkeys((launch.workdir, ".")):
        path = posixpath.normpath(inside(folder, "pyproject.toml"))
        if repository.is_file(path):
            text = repository.read_text(path)
            try:
                data = tomllib.loads(text)
            except (tomllib.TOMLDecodeError, RecursionError):
                data = {}
            scripts = {
                **data.get("project", {}).get("scripts", {}),
                **data.get("tool", {}).get("poetry", {}).get("scripts", {}),
            }
            if isinstance(scripts.get(name), str) and ":" in scripts[name]:
                module, _, function = scripts[name].partition(":")
                line = next(
                    (n for n, text_line in enumerate(text.split("\n"), 1) if name in text_line and ":" in text_line), 1
                )
                return module.strip(), function.strip(), Spot(path, line)
        for setup in ("setup.py", "setup.cfg"):
            path = posixpath.normpath(inside(folder, setup))
            if not repository.is_file(path):
                continue
            for number, text_line in enumerate(repository.read_text(path).split("\n"), 1):
                match = re2.search(rf"""['"]?{re2.escape(name)}\s*=\s*([\w.]+):(\w+)""", text_line)
                if match is not None:
                    return str(match.group(1)), str(match.group(2)), Spot(path, number)
    return None
