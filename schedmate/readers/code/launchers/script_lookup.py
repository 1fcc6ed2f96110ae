"""Find the file that a name means: from the working directory, from the root, or under another machine's path."""

import posixpath

import re2

from schedmate.knowledge.datasets import plain_words, split_words
from schedmate.readers.code.launchers.dora import dora_main
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.notebooks import executed_notebooks
from schedmate.readers.code.shell.session import only_copy
from schedmate.readers.code.values.copies import copied_below
from schedmate.readers.code.values.value import Value
from schedmate.tools.notebook import is_notebook
from schedmate.tools.repository import Repository, inside


def find_script(repository: Repository, launch: Launch) -> str | None:
    """Find a script of the repository."""
    return (
        repository.find_file(launch.name, launch.workdir, ".")
        or find_moved(repository, launch.name, launch.workdir)
        or find_from_above(repository, launch.name)
        or only_copy(repository, launch.copied, launch.name)
    )


def find_from_above(repository: Repository, name: str) -> str | None:
    """Find a script that is named from the folder above the clone, whose own name comes first then."""
    folder, _, rest = name.removeprefix("./").partition("/")
    if not rest or folder in ("", "..", "~") or folder.startswith("$"):
        return None
    path = posixpath.normpath(rest)
    told_apart = "/" in path or not repository.is_folder(folder)
    return path if told_apart and not path.startswith("..") and repository.is_file(path) else None


def find_moved(repository: Repository, name: str, workdir: str) -> str | None:
    """Find a file named by a path of another machine: the longest end of the path that exists here."""
    first = {word.lower() for word in split_words(name.partition("/")[0].replace("_", " "))}
    if not name.startswith(("/", "$", "~")) and not first & plain_words()["placeholders"]:
        return None  # a first folder such as `your_path` or `path_to_repo` stands for one of the user's
    parts = [part for part in name.split("/") if part]
    bases = [workdir]
    while bases[-1] not in (".", ""):
        bases.append(posixpath.dirname(bases[-1]) or ".")
    for cut in range(len(parts)):
        for base in bases:
            path = posixpath.normpath(inside(base, "/".join(parts[cut:])))
            if repository.is_file(path):
                return path
    return None


def locate(repository: Repository, launch: Launch) -> str | None:
    """Find the file of a script or module."""
    if launch.kind == "script":
        path = find_script(repository, launch)
        if path is not None and (path.endswith(".py") or is_notebook(path)):
            return path
        return path if path is not None and "." not in posixpath.basename(path) else None
    if launch.kind == "dora":
        return dora_main(repository, launch)
    if launch.kind == "module":
        place = launch.name.replace(".", "/")
        found = find_main(repository, place, launch.workdir) or copied_below(repository, launch.copied, f"{place}.py")
        if found is not None:
            return found
    if launch.kind == "tool" and "/" in launch.name:
        path = find_script(repository, launch)
        return path if path is not None and path.endswith(".py") else None
    for name in executed_notebooks(launch):
        path = repository.find_file(name, launch.workdir) or find_moved(repository, name, launch.workdir)
        if path is not None:
            return path
    return None


def find_main(repository: Repository, place: str, workdir: str) -> str | None:
    """Find the file of a module; of a package that the whole repository is, it is run from the folder above."""
    top, _, below = place.partition("/")
    by_name = re2.compile(rf"(?m)^\s*(?:import|from) {re2.escape(top)}\.")
    itself = not repository.is_folder(top) and by_name.search(repository.glimpse(f"{below}.py"))
    below = below if itself or repository.is_file("__init__.py") else ""
    for base in (workdir, ".", "src", inside(workdir, "src")):
        for name in (f"{place}.py", f"{place}/__main__.py"):
            path = posixpath.normpath(posixpath.join(base, name))
            if repository.is_file(path):
                return path
    for name in (f"{below}.py", f"{below}/__main__.py") if below else ():
        if repository.is_file(name):
            return name
    return None


def roots_of(path: str, workdir: str, environment: dict[str, Value]) -> tuple[str, ...]:
    """Give the folders that imports are looked up in: the script's, then those of the working directory and above."""
    folder = posixpath.dirname(path) or "."
    roots = [folder, workdir]
    given = environment.get("PYTHONPATH")
    for part in str(given.data).split(":") if given is not None else []:
        cleaned = posixpath.normpath(posixpath.join(workdir, part.replace("${PWD}", ".").replace("$(pwd)", ".") or "."))
        roots.append(cleaned)
    above = folder
    while above not in ("", "."):
        above = posixpath.dirname(above) or "."
        roots.append(above)
    roots += [".", "src", inside(workdir, "src")]
    return tuple(dict.fromkeys(posixpath.normpath(root) for root in roots if not root.startswith("..")))
