"""The variables and arguments of a shell, and the pieces that a word is put together from."""

from collections.abc import Callable
from dataclasses import dataclass, field

from schedmate.readers.code.values.value import Spot, Val

LONGEST = 20_000


@dataclass
class Names:
    """The variables and arguments of a shell; arrays are lists."""

    variables: dict[str, Val] = field(default_factory=dict)
    arguments: list[Val] = field(default_factory=list)
    script: str = ""
    substitute: Callable[[str], Val | None] | None = None
    depth: int = 0
    """how many words inside words are being expanded"""

    def find(self, name: str) -> Val | None:
        """Give a variable or an argument; None when it is not set."""
        if name.isdigit():
            place = int(name)
            if place == 0:
                return Val(self.script)
            return self.arguments[place - 1] if place <= len(self.arguments) else Val("")
        if name == "#":
            return Val(str(len(self.arguments)))
        if name in "@*":
            return Val(list(self.arguments))
        return self.variables.get(name)


@dataclass
class Piece:
    """A part of a word on its way: its text, where it came from, and whether quotes keep it whole."""

    text: str
    src: tuple[Spot, ...] = ()
    quoted: bool = False
    items: list[Val] | None = None
