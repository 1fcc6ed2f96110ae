"""The folders that a program adds to `sys.path`, and the modules that it imports only for adding them."""

import posixpath
from dataclasses import dataclass, field

from schedmate.readers.code.python.modules import execute_module
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import Value
from schedmate.tools.repository import NotReadable

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
        for base in (run.workdir, ".") if isinstance(value.data, str) else ():
            path = posixpath.normpath(posixpath.join(base, value.data))
            if not path.startswith(("/", "..")) and run.repository.is_folder(path):
                found.append(path)
                break
    return found


def follow_path_writers(run: Run) -> None:
    """Follow the modules that are imported so far and wait, as `import _init_paths`, whose text writes `sys.path`."""
    asked = run.about(ImportPath).asked
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
