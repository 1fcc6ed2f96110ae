"""The variables and arguments of a shell, and the pieces that a word is put together from."""

from collections.abc import Callable
from dataclasses import dataclass, field

from schedmate.readers.code.values.value import SourceLocation, Value

LONGEST = 20_000


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
            place = int(name)
            if place == 0:
                return Value(self.script)
            return self.arguments[place - 1] if place <= len(self.arguments) else Value("")
        if name == "#":
            return Value(str(len(self.arguments)))
        if name in "@*":
            return Value(list(self.arguments))
        return self.variables.get(name)


@dataclass
class WordPiece:
    """A part of a word on its way: its text, where it came from, and whether quotes keep it whole."""

    text: str
    src: tuple[SourceLocation, ...] = ()
    quoted: bool = False
    items: list[Value] | None = None
