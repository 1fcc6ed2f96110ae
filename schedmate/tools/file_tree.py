"""Show a repository's files as a tree that fits on a page: what cannot matter is left out, what is many is folded."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from schedmate.counts import how_many
from schedmate.tools.repository import (
    MOST_DEPTH,
    MOST_ENTRIES,
    MOST_FOLDERS,
    Repository,
    inside,
    is_readable_name,
    is_transient,
)

MOST_LINES = 400
MOST_FILES_A_FOLDER = 40


@dataclass
class Folder:
    """A folder's readable files, and how many others of each kind it holds."""

    path: str
    files: list[str] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)
    folders: list["Folder"] = field(default_factory=list)
    closed: bool = False
    weight: int = 1


def file_tree(repository: Repository, path: str = ".", most_lines: int = MOST_LINES) -> str:
    """Draw the tree under a folder; levels that do not fit are folded to one line each."""
    root = survey(repository, path)
    opened = choose_open(root, most_lines)
    lines = [f"{path.rstrip('/')}/"]
    draw(root, opened, 1, lines)
    text = "\n".join(lines)
    repository.trace.note("file_tree", path, text)
    return text


def survey(repository: Repository, path: str) -> Folder:
    """Walk level by level within a limit, so that a huge repository shows its top rather than one deep corner."""
    root = Folder(path)
    level, seen, opened, depth = [root], 0, 0, 0
    while level:
        deeper: list[Folder] = []
        for folder in level:
            if seen >= MOST_ENTRIES or opened >= MOST_FOLDERS or depth > MOST_DEPTH:
                folder.closed = True
                continue
            names, files = repository.list_folder(folder.path)
            seen, opened = seen + len(names) + len(files), opened + 1
            folder.files = [name for name in files if is_readable_name(name)]
            folder.others = Counter(PurePosixPath(name).suffix or name for name in files if not is_readable_name(name))
            folder.folders = [Folder(inside(folder.path, name)) for name in names if not is_transient(name)]
            folder.weight = 1 + min(len(folder.files), MOST_FILES_A_FOLDER + 1) + bool(folder.others)
            deeper += folder.folders
        level, depth = deeper, depth + 1
    return root


def choose_open(root: Folder, most_lines: int) -> set[str]:
    """Open folders level by level, small ones first, until the page is full."""
    opened, lines, level = {root.path}, root.weight + len(root.folders), root.folders
    while level:
        for folder in sorted(level, key=lambda folder: folder.weight + len(folder.folders)):
            need = folder.weight + len(folder.folders)
            if lines + need <= most_lines:
                opened.add(folder.path)
                lines += need
        level = [child for folder in level if folder.path in opened for child in folder.folders]
    return opened


def draw(folder: Folder, opened: set[str], depth: int, lines: list[str]) -> None:
    """Write one folder's lines."""
    margin = "  " * depth
    for child in folder.folders:
        name = PurePosixPath(child.path).name
        if child.path in opened:
            lines.append(f"{margin}{name}/")
            draw(child, opened, depth + 1, lines)
        else:
            lines.append(f"{margin}{name}/ ... {summary(child)}")
    lines += [f"{margin}{name}" for name in folder.files[:MOST_FILES_A_FOLDER]]
    if len(folder.files) > MOST_FILES_A_FOLDER:
        lines.append(f"{margin}... {how_many(len(folder.files) - MOST_FILES_A_FOLDER, 'more file')}")
    if folder.others:
        kinds = ", ".join(f"{count} {kind}" for kind, count in folder.others.most_common(4))
        lines.append(f"{margin}({kinds})")


def summary(folder: Folder) -> str:
    """Say how much lies under a folder that stays folded."""
    files, folders, at_least = 0, 0, False
    waiting = [folder]
    while waiting:
        one = waiting.pop()
        files += len(one.files)
        folders += len(one.folders)
        at_least |= one.closed
        waiting += one.folders
    return f"{'at least ' if at_least else ''}{how_many(files, 'file')}, {how_many(folders, 'folder')}"
