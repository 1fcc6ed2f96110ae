"""The folders that a program adds to `sys.path`, and the modules that it imports only for adding them."""

import posixpath
from typing import TYPE_CHECKING

from schedmate.tools.repository import NotReadable

if TYPE_CHECKING:
    from schedmate.readers.code.python.run import Run


def added_roots(run: "Run") -> list[str]:
    """Give the folders of the repository that the program put on `sys.path`."""
    added = run.flags.get("sys.path")
    found = []
    for value in added.data if added is not None else []:
        # What is worked out from `__file__` stands in the repository, anything else where the program was started.
        for base in (run.workdir, ".") if isinstance(value.data, str) else ():
            path = posixpath.normpath(posixpath.join(base, value.data))
            if not path.startswith(("/", "..")) and run.repository.is_folder(path):
                found.append(path)
                break
    return found


def follow_path_writers(run: "Run") -> None:
    """Follow the modules that are imported so far and wait, as `import _init_paths`, whose text writes `sys.path`."""
    from schedmate.readers.code.python.modules import execute_module

    asked: set[str] = run.flags.setdefault("asked for paths", set())
    for module in [one for one in run.modules.values() if one is not None and one.path and not one.done]:
        if module.path in asked:
            continue
        asked.add(module.path)
        try:
            text = run.repository.peek(module.path)
        except NotReadable:
            continue
        if "sys.path." in text and len(text) < LONGEST:
            execute_module(run, module)


LONGEST = 4_000
"""How long a module's text may be that is followed only for the folders that it adds."""
