"""What a reading keeps of the path: loops that are followed, what functions cost, the calls of libraries."""

import ast
from dataclasses import dataclass, field

from schedmate.readers.code.values.value import SourceLocation, Value


@dataclass(slots=True)
class FollowedLoop:
    """A loop that is being followed: over what, how often, and in which names."""

    spot: SourceLocation
    names: tuple[str, ...]
    items: Value
    count: Value | None = None
    kind: str = "for"
    body: list[ast.stmt] = field(default_factory=list, compare=False, repr=False)
    in_full: bool = False
    """It is followed round by round; of any other the first round and a later one stand for all."""
    round: int = field(default=0, compare=False)
    """In which round it is, if it is followed round by round."""
    left_at: tuple[str, Value] | None = None
    """The counter that its body raises, and the number of steps at which the body leaves it."""
    limits: list["LoopLimit"] = field(default_factory=list, compare=False, repr=False)
    """The branches of its body that leave it after a known number of rounds."""


@dataclass(frozen=True)
class LoopLimit:
    """A branch by which a loop is left after so many rounds: of one pass over its items, or of all passes together."""

    branch: ast.If | None
    """None where a library leaves it that was told to."""
    rounds: Value
    of_all: bool = False
    ends_all: bool = False
    """The loops around it end with it."""
    of_steps: bool = False
    """Its rounds are those at which the optimizer makes a step."""


@dataclass(slots=True)
class Event:
    """A library's function called on the path; `sure` unless it stands in a branch that may not be taken."""

    name: str
    args: list[Value]
    kwargs: dict[str, Value]
    spot: SourceLocation
    sure: bool
    loops: tuple[FollowedLoop, ...]
    owner: Value | None
    result: Value
    functions: tuple[str, ...]
    rival: bool = False
    """It was seen in a method of one of several objects between which only the run decides."""

    @property
    def short(self) -> str:
        """Give the last part of the name."""
        return self.name.rpartition(".")[2]

    def arg(self, place: int, *names: str) -> Value | None:
        """Give an argument by name or place."""
        for name in names:
            if name in self.kwargs:
                return self.kwargs[name]
        return self.args[place] if 0 <= place < len(self.args) else None


@dataclass(slots=True)
class FollowedCalls:
    """How often one function was followed, at what cost, and whether the last time showed anything new."""

    count: int = 0
    steps: int = 0
    news: bool = True
