"""A shell that starts nothing: where it stands, how deep, and what it would have started."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from schedmate.readers.code.values.value import Value
from schedmate.tools.repository import Repository

MOST_STEPS = 20_000
DEEPEST_BLOCK = 60


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


class ShellExit(Exception):
    """Say that the script ends here."""


class FunctionReturn(Exception):
    """Say that the function or the sourced file ends here."""


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
    written: dict[str, Value] = field(default_factory=dict)
    """files that the script writes before it uses them, as `cat > job.sh <<EOF`"""

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
