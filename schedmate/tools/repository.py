"""Open one folder for reading. Nothing outside it can be reached, nothing in it is run, and nothing secret is shown."""

import os
import posixpath
import stat
import time
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path, PurePosixPath

from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.tools.masking import mask_code
from schedmate.tools.notebook import is_notebook, notebook_source
from schedmate.tools.reading_trace import ReadingTrace
from schedmate.tools.secrets import names_secret

LARGEST_FILE = 2_000_000
MOST_ENTRIES = 60_000

MOST_FOLDERS = 15_000
"""To open a folder takes as long as to list thirty files."""
MOST_SEARCHED = 60_000
"""Files among which the only one of a name is looked for."""
MOST_DEPTH = 16
"""To look at a path takes time by its length: in a chain of a thousand folders that is minutes."""
WALK_S = 5.0
"""Time for one walk: a file system over a network may need it for a thousand folders."""
TRANSIENT = frozenset(
    {
        "__pycache__", "node_modules", "site-packages", "wandb", "mlruns", "lightning_logs", "logs", "log", "runs",
        "checkpoints", "checkpoint", "ckpt", "ckpts", "outputs", "multirun", "tensorboard", "tb_logs", "venv", "env",
        "build", "dist", "htmlcov", "third_party_data",
    }
)  # fmt: skip
READABLE = frozenset(
    {
        ".py", ".sh", ".bash", ".slurm", ".sbatch", ".pbs", ".lsf", ".job", ".yaml", ".yml", ".json", ".jsonc", ".toml",
        ".cfg", ".ini", ".conf", ".gin", ".ipynb", ".md", ".rst", ".txt", ".mk", ".hocon", ".libsonnet", ".jsonnet",
    }
)  # fmt: skip
READABLE_NAMES = frozenset({"Makefile", "makefile", "Dockerfile", "Justfile", "justfile", "Procfile", "Snakefile"})


class NotReadable(Exception):
    """Say why a path of the repository was not read; the reader goes on without it."""


class Repository:
    """Read files of one folder by their path in it, with `/` between parts; each reading is noted in the trace."""

    def __init__(self, root: Path, trace: ReadingTrace | None = None) -> None:
        if not root.exists():
            raise InputError(f"{root} does not exist", "name the folder that holds the job's source code")
        if not root.is_dir():
            raise InputError(f"{root} is not a folder", "name the folder that holds the job's source code")
        self.root = Path(os.path.realpath(root))
        self.trace = trace or ReadingTrace()
        self.texts: dict[str, str] = {}
        self.masked: dict[str, str] = {}
        self.unseen = ""
        """What the last walk left out, empty where it saw all."""

    def real_path(self, path: str) -> str:
        """Follow links and give the place on disk; refuse what lies outside the folder or is secret."""
        if "\0" in path or len(path) > 4096:
            raise NotReadable(f"{path[:80]!r} is not a path")
        if os.path.isabs(path):
            raise NotReadable(f"{path} is absolute: only paths inside the repository are read")
        real = os.path.realpath(os.path.join(self.root, path))
        inside = os.path.relpath(real, self.root)
        if inside == ".." or inside.startswith("../"):
            raise NotReadable(f"{path} leads out of the repository")
        if names_secret(inside) or names_secret(path):
            raise NotReadable(f"{path} may hold secrets: never read")
        return real

    def is_file(self, path: str) -> bool:
        """Tell whether a regular file stands there that may be read; most names that are tried stand for nothing."""
        try:
            os.lstat(os.path.join(self.root, path))
            return stat.S_ISREG(os.stat(self.real_path(path)).st_mode)
        except (NotReadable, OSError, ValueError):
            return False

    def is_folder(self, path: str) -> bool:
        """Tell whether a folder stands there."""
        try:
            return stat.S_ISDIR(os.stat(self.real_path(path)).st_mode)
        except (NotReadable, OSError, ValueError):
            return False

    def read_text(self, path: str, why: str = "", largest: int = LARGEST_FILE) -> str:
        """Read a text file whole, to be parsed; what is larger than `largest` bytes is refused, not cut.

        A mask would change what a program means, so what is quoted or sent is `shown` instead.
        """
        if path in self.texts:
            return self.texts[path]
        text = decode(self.read_bytes(path, largest), path)
        self.texts[path] = text
        # Of a notebook its code is read; the pictures that cells printed are passed over.
        self.trace.note("file_read", path, notebook_source(text) if is_notebook(path) else text, why)
        return text

    def peek(self, path: str, largest: int = 200_000) -> str:
        """Look into a file without counting it as read: for choosing which file to read."""
        if path in self.texts:
            return self.texts[path]
        return decode(self.read_bytes(path, largest), path)

    def readable_text(self, path: str, largest: int = LARGEST_FILE) -> str | None:
        """Read a text file whole, where it can be read."""
        try:
            return self.read_text(path, largest=largest)
        except NotReadable:
            return None

    def glimpse(self, path: str) -> str:
        """Look into a file without counting it as read; what cannot be read is empty."""
        try:
            return self.peek(path)
        except NotReadable:
            return ""

    def find_file(self, name: str, *folders: str) -> str | None:
        """Find the first of some folders from which a path leads to a file."""
        places = (posixpath.normpath(posixpath.join(folder, name)) for folder in folders)
        return next((place for place in places if self.is_file(place)), None)

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """Give the readable files by their last name; none where not all of them were looked at."""
        found: dict[str, list[str]] = {}
        for count, path in enumerate(self.walk()):
            if count >= MOST_SEARCHED:
                return {}
            found.setdefault(posixpath.basename(path), []).append(path)
        return found if not self.unseen else {}

    def find_only(self, name: str) -> str | None:
        """Find the folder from which a name leads to a file, where there is one such file in all the repository."""
        cleaned = posixpath.normpath(name)
        if cleaned.startswith(("/", "~", "$", "..")):
            return None
        found = [
            path for path in self.by_name.get(posixpath.basename(cleaned), ()) if f"/{path}".endswith(f"/{cleaned}")
        ]
        return found[0].removesuffix(cleaned).rstrip("/") or "." if len(found) == 1 else None

    def find_namesake(self, name: str) -> str | None:
        """Find the only file of a script's name, wherever it lies, where the folder that it is named in has none."""
        cleaned = posixpath.normpath(name)
        if cleaned.startswith(("/", "~", "$", "..")) or "/" not in cleaned:
            return None
        found = self.by_name.get(posixpath.basename(cleaned), ())
        return found[0] if len(found) == 1 else None

    def shown(self, path: str) -> str:
        """Give a file as it may be quoted, line by line the same but for its secrets; it does not count as read."""
        if path not in self.masked:
            self.masked[path] = mask_code(self.peek(path, LARGEST_FILE))
        return self.masked[path]

    def beginning(self, path: str, most: int = 4_000) -> str:
        """Give how a file begins, however large it is, without counting it as read; what cannot be read is empty."""
        try:
            return decode(self.read_bytes(path, most, whole=False), path)
        except NotReadable:
            return ""

    def read_bytes(self, path: str, largest: int, whole: bool = True) -> bytes:
        """Read a regular file, or so much of one; a FIFO or a device would block or never end."""
        real = self.real_path(path)
        try:
            handle = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise NotReadable(f"{path}: {error.strerror}") from error
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or (whole and status.st_size > largest):
            os.close(handle)
            large = f"has {how_many(status.st_size, 'byte')}: more than is read at once"
            raise NotReadable(f"{path} {large if stat.S_ISREG(status.st_mode) else 'is not a regular file'}")
        with open(handle, "rb") as file:
            return file.read(largest)

    def leave_out(self, what: str) -> None:
        """Note what was not looked at, to be told beside the answer."""
        self.unseen = "; ".join(filter(None, (self.unseen, what)))

    def list_folder(self, path: str = ".", most: int = MOST_ENTRIES) -> tuple[list[str], list[str]]:
        """Give the names of a folder's subfolders and files, sorted; links are left out."""
        folders, files = [], []
        try:
            with os.scandir(self.real_path(path)) as entries:
                for count, entry in enumerate(entries):
                    if count >= most:
                        break
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.name)
                    elif entry.is_file(follow_symlinks=False):
                        files.append(entry.name)
        except (NotReadable, OSError):
            return [], []
        return sorted(folders), sorted(files)

    def walk(self, start: str = ".") -> Iterator[str]:
        """Give the readable files, near ones first; a monorepo is left after so many entries, a chain by its depth.

        Neither goes on beyond its time. What was not looked at is kept in `unseen`.
        """
        self.unseen = ""
        waiting, entries, opened, depth, until_s = [start], 0, 0, 0, time.monotonic() + WALK_S
        while waiting:
            if depth > MOST_DEPTH:
                return self.leave_out(f"folders more than {MOST_DEPTH} levels deep, as {waiting[0][:200]}")
            deeper: list[str] = []
            for folder in waiting:
                if time.monotonic() > until_s:
                    return self.leave_out(f"what was not reached within {WALK_S:g} s, as {folder[:200]}")
                if opened >= MOST_FOLDERS:
                    return self.leave_out(f"what comes after the first {opened:,} folders, as {folder[:200]}")
                folders, files = self.list_folder(folder, MOST_ENTRIES)
                opened, entries = opened + 1, entries + len(folders) + len(files)
                yield from (inside(folder, name) for name in files if is_readable_name(name))
                deeper += [inside(folder, name) for name in folders if not is_transient(name)]
                if entries >= MOST_ENTRIES:
                    what = f"what comes after the first {entries:,} files and folders, as in {folder[:200]}"
                    return self.leave_out(what)
            waiting, depth = deeper, depth + 1
        return None


def inside(folder: str, name: str) -> str:
    """Join a folder and a name, without a leading `./`."""
    return name if folder in ("", ".") else f"{folder}/{name}"


def is_transient(name: str) -> bool:
    """Tell a folder of caches, logs, checkpoints or tools from one of source code."""
    return name.startswith(".") or name.lower() in TRANSIENT or name.endswith(".egg-info")


def is_readable_name(name: str) -> bool:
    """Tell by its name whether a file can say what a job is."""
    return (PurePosixPath(name).suffix.lower() in READABLE or name in READABLE_NAMES) and not names_secret(name)


def decode(raw: bytes, path: str) -> str:
    """Turn bytes into text; binaries are refused, odd bytes replaced. Secrets still stand in it."""
    if b"\0" in raw[:8192] and not raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise NotReadable(f"{path} is binary")
    encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    return raw.decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n")
