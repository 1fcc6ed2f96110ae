"""Where a story is told: lines with a time and a speaker, in whatever order they are thought of."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from evals.field.job import Job

Stream = Literal["out", "err", "host", "kernel", "tail"]
"""out and err belong to a rank; host to a launcher or daemon; kernel waits for its place; tail follows everything."""


@dataclass
class Line:
    """One line as its speaker writes it, before any launcher has put a prefix to it."""

    at: float
    text: str
    stream: Stream = "err"
    rank: int = 0
    mark: int = 0
    """1: states the root cause; 2: hands it on, and would do as well; 0: neither."""
    end: str = "\n"


@dataclass(frozen=True)
class Truth:
    """What a reader should find."""

    category: str
    subcategory: str = ""
    component: str = ""
    reason: str = ""
    span: int = 1
    accept_also: str = ""
    restart_helps: bool = True
    """where the infrastructure is to blame; a limit of the job's own is the same on any node"""


@dataclass
class Death:
    """How one process ended: an exit code, negative for a signal."""

    rank: int
    at: float
    code: int


@dataclass
class Stage:
    """A job, the moment its trouble begins, and all that was said so far."""

    job: Job
    trouble: float
    lines: list[Line] = field(default_factory=list)
    deaths: list[Death] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    """Hosts that are gone, so that their processes say nothing more."""
    over: float = 0.0
    """When the launcher gives up."""
    quiet_end: bool = False
    """The scheduler ends the job: the launcher adds no summary."""

    def say(
        self, at: float, rank: int, texts: Sequence[str], *, root: int | None = None, stream: Stream = "err"
    ) -> None:
        """Let one process print a block; `root` is the index of the line that states the fault."""
        for index, text in enumerate(texts):
            mark = int(root is not None and index == root % len(texts))
            self.lines.append(Line(at + index * 1e-4, text, stream, rank, mark))

    def host_says(self, at: float, texts: Sequence[str], *, root: int | None = None) -> None:
        """Let the launcher or a daemon print a block, with no prefix."""
        self.say(at, -1, texts, root=root, stream="host")

    def kernel(self, at: float, host: str, texts: Sequence[str], *, root: int | None = None) -> None:
        """Let a host's kernel report; where it shows depends on the job."""
        rank = self.job.first_rank(host)
        self.say(at, rank, texts, root=root, stream="kernel")

    def dies(self, rank: int, at: float, code: int) -> None:
        self.deaths.append(Death(rank, at, code))
        self.over = max(self.over, at)

    def loses(self, host: str, at: float) -> None:
        self.lost.append(host)
        self.over = max(self.over, at)

    @property
    def dead(self) -> set[int]:
        return {death.rank for death in self.deaths} | {rank for host in self.lost for rank in self.job.ranks_of(host)}
