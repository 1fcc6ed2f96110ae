"""What a command starts in the end, what the launchers before it said on the way, and what stands behind them."""

from dataclasses import dataclass, field

from schedmate.knowledge.launchers import launchers
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value


@dataclass
class Launch:
    """What is started in the end, and what the launchers said on the way."""

    kind: str = "none"
    name: str = ""
    words: list[Value] = field(default_factory=list)
    environment: dict[str, Value] = field(default_factory=dict)
    workdir: str = "."
    spot: SourceLocation = field(default_factory=lambda: SourceLocation("", 1))
    launchers: list[tuple[str, SourceLocation]] = field(default_factory=list)
    per_node: Value | None = None
    nodes: Value | None = None
    total: Value | None = None
    options: dict[str, Value] = field(default_factory=dict)
    asked: dict[str, Value] = field(default_factory=dict)
    """what any batch system was asked for, under Slurm's names"""
    distributed: tuple[str, SourceLocation] | None = None
    sure: bool = True
    scripts: tuple[str, ...] = ()
    many: SourceLocation | None = None
    by_loop: bool = False
    """a loop of a script starts it several times, each told its place"""
    by_python: bool = False
    """the command says that Python runs it, whatever the file's first line says"""
    beside_unseen: bool = False
    """the command starts other programs, too, of which nothing was seen"""
    stdin: Value | None = None
    """what it is fed, where that is written out"""
    absent: Value | None = None
    """a configuration that the launcher is told to read and that is not here"""
    written: dict[str, Value] = field(default_factory=dict)
    """files that were written on the way"""
    copied: dict[str, str] = field(default_factory=dict)
    """where copies lie that were made on the way, and of what"""

    def handed_down(self) -> "Launch":
        """Give a launch of nothing yet, under the same launchers."""
        return Launch(
            environment=dict(self.environment),
            workdir=self.workdir,
            launchers=list(self.launchers),
            per_node=self.per_node,
            nodes=self.nodes,
            total=self.total,
            options=dict(self.options),
            asked=dict(self.asked),
            distributed=self.distributed,
            sure=self.sure,
            scripts=self.scripts,
            absent=self.absent,
        )

    @property
    def ranks(self) -> bool:
        """Tell whether a launcher starts several processes of the program."""
        known = [launchers()[name]["kind"] for name, _ in self.launchers if name in launchers()]
        return self.many is not None or any(kind != "wrapper" for kind in known)


def settled(launch: Launch, kind: str, name: str, words: list[Value], spot: SourceLocation) -> Launch:
    """Keep what is started."""
    launch.kind, launch.name, launch.words, launch.spot = kind, name, words, spot
    return launch


@dataclass
class InnerCommand:
    """Shell text or words that a batch script, a recipe or a manifest holds."""

    text: str = ""
    path: str = COMMAND
    line: int = 1
    words: list[Value] = field(default_factory=list)
    arguments: list[Value] = field(default_factory=list)
    environment: dict[str, Value] = field(default_factory=dict)
    asked: dict[str, Value] = field(default_factory=dict)
    """nodes and GPUs, under the names that batch headers have"""
    workdir: str = ""
    sure: bool = True
    """no other text may be meant: which image a name stands for is only likely"""
    operator: tuple[str, SourceLocation] | None = None
    """what starts one process on each of several nodes by itself, as Kubeflow's operators do"""


def text_of(word: Value) -> InnerCommand:
    """Take a word for shell text that stands where the word stands."""
    spot = word.src[0] if word.src else SourceLocation(COMMAND, 1)
    return InnerCommand(text=str(word.data), path=spot.path, line=spot.line)
