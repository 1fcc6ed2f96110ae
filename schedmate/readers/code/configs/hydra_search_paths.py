"""Where Hydra looks for configurations besides the primary folder: plugins of the project, `hydra.searchpath`."""

import posixpath

import re2

from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import Value, find_in
from schedmate.tools.repository import NotReadable, inside

PLUGINS = "hydra_plugins"
"""The namespace package in which Hydra finds plugins by itself."""
MOST_PLUGINS = 20
PLACE = re2.compile(r"""(?s)search_path\.(append|prepend)\([^()]*?["']((?:pkg|file)://[^"'\n]{1,200})["']""")


def folder_named(start: str, place: str) -> str:
    """Give the folder that `pkg://a.b` or `file://a/b` means."""
    kind, _, rest = place.partition("://")
    if not rest:
        return posixpath.normpath(posixpath.join(start, kind))
    return posixpath.normpath(rest.replace(".", "/") if kind == "pkg" else posixpath.join(start, rest))


def plugin_folders(run: Run) -> tuple[list[str], list[str]]:
    """Give the folders that plugins put before and behind the primary one, as their text says it."""
    before: list[str] = []
    behind: list[str] = []
    for root in dict.fromkeys((*run.roots, ".")):
        for path in plugin_files(run, inside(root, PLUGINS)):
            try:
                text = run.repository.read_text(path)
            except NotReadable:
                continue
            for found in PLACE.finditer(text):
                side = before if found.group(1) == "prepend" else behind
                side.append(folder_named(".", str(found.group(2))))
    return list(dict.fromkeys(before)), list(dict.fromkeys(behind))


def plugin_files(run: Run, folder: str) -> list[str]:
    """Give the modules of a folder of plugins and of the folders in it."""
    if not run.repository.is_folder(folder):
        return []
    folders, files = run.repository.list_folder(folder)
    found = [inside(folder, file) for file in files if file.endswith(".py")]
    for below in folders[:MOST_PLUGINS]:
        place = inside(folder, below)
        found += [inside(place, file) for file in run.repository.list_folder(place)[1] if file.endswith(".py")]
    return found[:MOST_PLUGINS]


def listed_folders(config: Value | None) -> list[str]:
    """Give the folders that a configuration lists as `hydra.searchpath`."""
    listed = find_in(config, "hydra.searchpath")
    items = listed.data if listed is not None and isinstance(listed.data, list) else []
    return [folder_named(".", item.data) for item in items if isinstance(item.data, str) and "$" not in item.data]
