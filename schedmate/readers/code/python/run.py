"""Everything one reading of a program carries along: files, modules, what was called, what is left of its budget."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from schedmate.readers.code.python import calls, expressions, statements
from schedmate.readers.code.python.scopes import Journal, Module, Scope
from schedmate.readers.code.values import Spot, Val
from schedmate.tools.repository import Repository

MOST_STEPS = 150_000
MOST_EVENTS = 20_000


class Spent(Exception):
    """Say that the budget is spent: what was found so far stands."""


class Raised(Exception):
    """Say that the code followed raises here."""


class Exited(Raised):
    """Say that the program followed ends here."""


@dataclass(slots=True)
class Loop:
    """A loop that is being followed: over what, how often, and in which names."""

    spot: Spot
    names: tuple[str, ...]
    items: Val
    count: Val | None = None
    kind: str = "for"


@dataclass(slots=True)
class Event:
    """A library's function called on the path; `sure` unless it stands in a branch that may not be taken."""

    name: str
    args: list[Val]
    kwargs: dict[str, Val]
    spot: Spot
    sure: bool
    loops: tuple[Loop, ...]
    owner: Val | None
    result: Val
    functions: tuple[str, ...]

    @property
    def short(self) -> str:
        """Give the last part of the name."""
        return self.name.rpartition(".")[2]

    def arg(self, place: int, *names: str) -> Val | None:
        """Give an argument by name or place."""
        for name in names:
            if name in self.kwargs:
                return self.kwargs[name]
        return self.args[place] if 0 <= place < len(self.args) else None


@dataclass
class Run:
    """The state of one reading."""

    repository: Repository
    argv: list[Val]
    environ: dict[str, Val] = field(default_factory=dict)
    facts: dict[str, Val] = field(default_factory=dict)
    roots: tuple[str, ...] = (".",)
    workdir: str = "."
    interesting: frozenset[str] = frozenset()
    modules: dict[str, Module | None] = field(default_factory=dict)
    trees: dict[str, ast.Module | None] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    imports: dict[str, Spot] = field(default_factory=dict)
    reads: dict[str, list[Val]] = field(default_factory=dict)
    namespaces: list[tuple[Val, str]] = field(default_factory=list)
    configs: list[tuple[str, Val]] = field(default_factory=list)
    instances: list[Val] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    active: dict[int, int] = field(default_factory=dict)
    flags: dict[str, Any] = field(default_factory=dict)
    tables: dict[int, dict[Any, Any]] = field(default_factory=dict)
    journal: Journal = field(default_factory=Journal)
    grown: dict[int, list[Any] | tuple[Any, ...]] = field(default_factory=dict)
    unsure: int = 0
    tries: int = 0
    again: int = 0
    comprehending: int = 0
    counters: set[str] = field(default_factory=set)
    """Names that loops count by: what they stand for is how far a run has come."""
    steps: int = 0
    seen: set[tuple[str, str, int]] = field(default_factory=set)
    limit: int = MOST_STEPS

    def step(self, count: int = 1) -> None:
        """Pay for work."""
        self.steps += count
        if self.steps > self.limit:
            raise Spent

    def evaluate(self, node: ast.expr, scope: Scope) -> Val:
        """Follow an expression."""
        return expressions.evaluate(self, node, scope)

    def execute(self, body: list[ast.stmt], scope: Scope) -> "statements.Signal | None":
        """Follow statements."""
        return statements.execute(self, body, scope)

    def call(
        self,
        callee: Val,
        args: list[Val],
        kwargs: dict[str, Val] | None = None,
        spot: Spot | None = None,
        scope: Scope | None = None,
    ) -> Val:
        """Follow a call."""
        return calls.call(self, callee, args, kwargs or {}, spot or Spot("", 1), scope)

    def record(
        self, name: str, args: list[Val], kwargs: Mapping[str, Val], spot: Spot, owner: Val | None, result: Val
    ) -> None:
        """Keep that a library's function was called here."""
        seen = (name, spot.path, spot.line)
        if self.again and seen in self.seen and self.unsure:
            return
        self.seen.add(seen)
        if len(self.events) < MOST_EVENTS:
            self.events.append(
                Event(
                    name,
                    list(args),
                    dict(kwargs),
                    spot,
                    self.unsure == 0,
                    tuple(self.loops),
                    owner,
                    result,
                    tuple(self.functions[-8:]),
                )
            )

    def note_growth(self, items: list[Any]) -> None:
        """Keep that a list gets an item in each round of a loop of which it is not known how often it runs."""
        if self.again:
            self.grown[id(items)] = items

    def hand_growth_on(self, source: Val, made: Val) -> None:
        """Keep of a list that is made from another one that its length is as little known."""
        if id(source.data) in self.grown and isinstance(made.data, (list, tuple)):
            self.grown[id(made.data)] = made.data

    def has_known_length(self, value: Val) -> bool:
        """Tell a list of which every item was seen."""
        return id(value.data) not in self.grown

    def note(self, text: str) -> None:
        """Keep something that the reader of the answer should know."""
        if text and text not in self.notes:
            self.notes.append(text)

    def saw(self, name: str, value: Val) -> None:
        """Keep what a name with a meaning stood for when the code used it."""
        if name in self.interesting:
            known = self.reads.setdefault(name, [])
            if not known or known[-1].data is not value.data:
                known.append(value)
