"""A shell that starts nothing: its variables, where it stands, how deep, and what it would have started."""

import posixpath
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from schedmate.readers.code.values.copies import copied_below, lies_at, put_copy, touch
from schedmate.readers.code.values.value import SourceLocation, Value, unknown
from schedmate.readers.code.values.whole_numbers import whole_count
from schedmate.readers.code.values.written_texts import MOST_WRITTEN, put_behind
from schedmate.tools.repository import Repository

MOST_STEPS = 20_000
DEEPEST_BLOCK = 60
LONGEST = 20_000


Condition = bool | None
"""What a condition comes out as; None where only the run can tell."""


@dataclass
class StartedProgram:
    """A program that is started: its words, its environment, where, and whether it certainly is."""

    words: list[Value]
    environment: dict[str, Value]
    workdir: str
    sure: bool
    scripts: tuple[str, ...]
    stdin: Value | None = None
    """what it is fed, where that is written out: a here-document, or what `echo` puts into the pipe"""
    written: dict[str, Value] = field(default_factory=dict)
    """files as they are when it starts"""
    copied: dict[str, str] = field(default_factory=dict)
    """where copies lie, and of what"""
    ranks: Value | None = None
    """how many of it a loop starts, of which each is told its place among them"""
    ranks_from_zero: bool = False
    """as a process group counts them; what begins elsewhere may be any number"""


def only_copy(repository: Repository, copied: dict[str, str], name: str) -> str | None:
    """Name the one file of the repository of which a copy lies under a name."""
    base = posixpath.basename(name)
    found = {there for place, there in copied.items() if base and posixpath.basename(place) == base}
    files = [there for there in found if repository.is_file(there)]
    if not found:
        return copied_below(repository, copied, name)
    return files[0] if len(found) == len(files) == 1 else None


class ShellExit(Exception):
    """Say that the script ends here."""


class FunctionReturn(Exception):
    """Say that the function or the sourced file ends here."""


class LoopLeft(ShellExit):
    """Say that a loop's round ends here, and whether another follows: `continue` or `break`."""

    def __init__(self, goes_on: bool) -> None:
        """Keep whether another round follows."""
        self.goes_on = goes_on


@dataclass
class ShellSession:
    """What all interpreters of one command share."""

    repository: Repository
    workdir: str = "."
    started: list[StartedProgram] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    scripts: tuple[str, ...] = ()
    unsure: int = 0
    steps: int = 0
    depth: int = 0
    loops: int = 0
    """how many loops are being followed"""
    written: dict[str, Value] = field(default_factory=dict)
    """files that the script writes before it uses them, as `cat > job.sh <<EOF`"""
    copied: dict[str, str] = field(default_factory=dict)
    """where a copy lies, and of what in the repository it is one"""
    astray: str = ""
    """the folder below where we are that was gone into and is not in the repository, as a clone of another project"""

    def write(self, name: str, text: Value | None, behind: bool) -> None:
        """Remember what goes into a file, over what it held or behind it; what may not be run leaves it open."""
        self.touch([name])
        path = posixpath.normpath(posixpath.join(self.workdir, name))
        before = self.written.get(path)
        if before is None and (len(self.written) >= MOST_WRITTEN or not (text or self.repository.is_file(path))):
            return
        text = text or unknown("what a command prints")
        if behind and before is None and self.repository.is_file(path):
            before = unknown("a file that something is put behind")
        if behind and before is not None:
            line = Value(f"{before.data}\n", before.src) if isinstance(before.data, str) else before
            text = put_behind(line, text)
        is_open = self.unsure and (before is None or before.data != text.data)
        self.written[path] = unknown("written only where a condition holds", text) if is_open else text

    def copy(self, place: str, path: str) -> None:
        """Remember a copy; over a text that the script has written, or of one, it is open."""
        is_sure = not self.unsure and path not in self.written and place not in self.written
        put_copy(self.copied, place, path, is_sure)
        if place in self.written:
            self.written[place] = unknown("a copy over what was written", self.written[place])

    def touch(self, texts: list[str]) -> None:
        """Forget what the copies are that a command names, other than to read them."""
        for text in texts:
            if len(text) < LONGEST and not text.startswith("$"):
                path = posixpath.normpath(posixpath.join(self.workdir, text))
                touch(self.repository, self.copied, path, text)

    def original(self, word: Value) -> Value:
        """Name what lies in the repository instead of the copy that the script made of it."""
        if not self.copied or not isinstance(word.data, str) or "/" not in word.data:
            return word
        path = posixpath.normpath(posixpath.join(self.workdir, word.data))
        there = lies_at(self.repository, self.copied, path)
        is_copy = there is not None and self.repository.is_file(there)
        return Value(posixpath.relpath(there, self.workdir), word.src) if there is not None and is_copy else word

    def copied_as(self, name: str) -> str | None:
        """Name the one file of the repository that was copied under a name, wherever the copy is found from."""
        return only_copy(self.repository, self.copied, name)

    @contextmanager
    def inside(self, script: str, keep_workdir: bool = False) -> Iterator[None]:
        """Go into a script or function, and come back to where the caller stands."""
        scripts, workdir = self.scripts, self.workdir
        self.scripts = (*scripts, script)
        try:
            yield
        finally:
            self.scripts = scripts
            if not keep_workdir:
                self.workdir = workdir

    @contextmanager
    def maybe(self, is_open: bool) -> Iterator[None]:
        """Follow what may not be run: what it starts is unsure."""
        self.unsure += is_open
        try:
            yield
        finally:
            self.unsure -= is_open

    @contextmanager
    def command(self) -> Iterator[None]:
        """Count a command and how deep it stands; a script that never ends, or is nested without end, is left."""
        self.steps += 1
        self.depth += 1
        try:
            if self.steps > MOST_STEPS or self.depth > DEEPEST_BLOCK:
                raise ShellExit
            yield
        finally:
            self.depth -= 1


@dataclass
class ShellVariables:
    """The variables and arguments of a shell; arrays are lists."""

    variables: dict[str, Value] = field(default_factory=dict)
    arguments: list[Value] = field(default_factory=list)
    script: str = ""
    substitute: Callable[[str], Value | None] | None = None
    depth: int = 0
    """how many words inside words are being expanded"""

    def find(self, name: str) -> Value | None:
        """Give a variable or an argument; None when it is not set."""
        if name.isdigit():
            place = whole_count(name)
            if place == 0:
                return Value(self.script)
            return self.arguments[place - 1] if place is not None and place <= len(self.arguments) else Value("")
        if name == "#":
            return Value(str(len(self.arguments)))
        if name in "@*":
            return Value(list(self.arguments))
        if name == "BASH_SOURCE" and self.script and name not in self.variables:
            return Value([Value(self.script)])
        if name == "PWD" and name not in self.variables:
            return Value(".")
        return self.variables.get(name)


@dataclass
class WordPiece:
    """A part of a word on its way: its text, where it came from, and whether quotes keep it whole."""

    text: str
    src: tuple[SourceLocation, ...] = ()
    quoted: bool = False
    items: list[Value] | None = None
