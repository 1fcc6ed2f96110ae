"""A program that a command starts, and what following it showed."""

from dataclasses import dataclass, field

from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import SourceLocation


@dataclass
class Program:
    """A program that the command starts, and what following it showed."""

    launch: Launch
    run: Run
    command: str
    found: bool = False
    entry: SourceLocation | None = None
    complete: bool = False
    notes: list[str] = field(default_factory=list)
