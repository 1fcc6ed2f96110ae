"""What stands behind a command that starts others: shell text with its place, or words, and what is asked for it."""

from dataclasses import dataclass, field

from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value


@dataclass
class Inner:
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
    operator: tuple[str, SourceLocation] | None = None
    """what starts one process on each of several nodes by itself, as Kubeflow's operators do"""


def text_of(word: Value, path: str = "") -> Inner:
    """Take a word for shell text that stands where the word stands."""
    spot = word.src[0] if word.src else SourceLocation(COMMAND, 1)
    return Inner(text=str(word.data), path=path or spot.path, line=spot.line)
