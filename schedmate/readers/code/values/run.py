"""One reading of a program: what it carries along, who follows the code, and what is asked of the world above."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar, cast

from schedmate.readers.code.values.events import Event, FollowedCalls, FollowedLoop
from schedmate.readers.code.values.leaving import BudgetSpent, ControlFlow
from schedmate.readers.code.values.objects import BoundMethod, Class, ExternalResult, Function
from schedmate.readers.code.values.scopes import Module, Scope, WriteJournal
from schedmate.readers.code.values.value import Held, Items, SourceLocation, Value, is_constant, join_spots
from schedmate.tools.repository import LARGEST_FILE, NotReadable, Repository

MOST_STEPS = 150_000
MOST_EVENTS = 20_000


class Interpreter(Protocol):
    """Who follows the code: the three ways into its one recursion."""

    def evaluate(self, run: "Run", node: ast.expr, scope: Scope) -> Value:
        """Follow an expression."""

    def execute(self, run: "Run", body: list[ast.stmt], scope: Scope) -> ControlFlow | None:
        """Follow statements."""

    def call(
        self,
        run: "Run",
        callee: Value,
        args: list[Value],
        kwargs: dict[str, Value],
        spot: SourceLocation,
        scope: Scope | None,
    ) -> Value:
        """Follow a call."""


class Libraries(Protocol):
    """What the interpreter asks of the world above: models of libraries and of configuration systems."""

    def hook_for(self, name: str) -> "Hook | None":
        """Give the model of a library's function."""

    def value_of(self, run: "Run", name: str) -> Value | None:
        """Give a library's value that is known, as `sys.argv`."""

    def run_main(self, call: "Call") -> Value | None:
        """Follow what a library calls that has no model, where it is handed the program's main function."""

    def decorated_by(self, run: "Run", decorator: ExternalResult, value: Value) -> Value:
        """Apply a library's decorator."""

    def config_method(self, owner: Value, name: str) -> Value | None:
        """Give a method that configurations have and plain mappings lack."""

    def stands_for(self, function: Function) -> "Hook | None":
        """Give the model that is followed in place of a function of the repository: a copy of a library's."""

    def bound_arguments(
        self, run: "Run", callee: Function | Class, args: list[Value], kwargs: dict[str, Value]
    ) -> dict[str, Value]:
        """Add the arguments that a configuration system binds and the caller does not give."""


class RunObserver:
    """Who watches a reading; what is of no interest to him passes by."""

    def assigns(self, run: "Run", node: ast.Assign, scope: Scope) -> None:
        """See an assignment, after its value was worked out."""

    def branches(self, run: "Run", node: ast.If, scope: Scope) -> None:
        """See a condition, after it was worked out."""

    def calls_method(
        self, run: "Run", method: BoundMethod, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation
    ) -> None:
        """See a method of the repository's, before it is followed."""

    def calls_function(
        self, run: "Run", function: Function, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation
    ) -> None:
        """See a function of the repository's, before it is followed."""

    def calls_outside(self, run: "Run", node: ast.Call, spot: SourceLocation) -> None:
        """See a call of what is a library's or not known."""

    def passes_by(self, run: "Run", name: str, spot: SourceLocation) -> None:
        """See a function that is not followed, or a model's forward pass under no name."""

    def breaks_off(self, run: "Run", spot: SourceLocation) -> None:
        """See a function that ends in an error."""

    def names_attribute(self, run: "Run", name: str, spot: SourceLocation) -> None:
        """See an attribute of a library."""

    def sets_item(self, run: "Run", key: Value) -> None:
        """See an item set of what is no mapping of the program's own."""


@dataclass
class Run:
    """The state of one reading."""

    repository: Repository
    argv: list[Value]
    interpreter: Interpreter
    libraries: Libraries
    observer: RunObserver = field(default_factory=RunObserver)
    environ: dict[str, Value] = field(default_factory=dict)
    facts: dict[str, Value] = field(default_factory=dict)
    roots: tuple[str, ...] = (".",)
    package: str = ""
    """What the whole repository is called where it is run as a package, from the folder above."""
    workdir: str = "."
    interesting: frozenset[str] = frozenset()
    modules: dict[str, Module | None] = field(default_factory=dict)
    trees: dict[str, ast.Module | None] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    imports: dict[str, SourceLocation] = field(default_factory=dict)
    reads: dict[str, list[Value]] = field(default_factory=dict)
    namespaces: list[Value] = field(default_factory=list)
    configs: list[tuple[str, Value]] = field(default_factory=list)
    instances: list[Value] = field(default_factory=list)
    written: dict[str, Value] = field(default_factory=dict)  # files that came to be on the way: texts or settings
    notes: list[str] = field(default_factory=list)
    loops: list[FollowedLoop] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    active: dict[int, int] = field(default_factory=dict)
    followed: dict[int, "FollowedCalls"] = field(default_factory=dict)
    """What each function has cost so far, by its definition."""
    kept: dict[type, object] = field(default_factory=dict)
    tables: dict[int, Items] = field(default_factory=dict)
    journal: WriteJournal = field(default_factory=WriteJournal)
    maybe_empty: dict[int, list[Value]] = field(default_factory=dict)
    """Lists that only some of the ways through a branch put something in."""
    grown: dict[int, list[Value] | tuple[Value, ...]] = field(default_factory=dict)
    follows_use: bool = False
    """The job does not train: evaluating and sampling are its work, and are followed too."""
    unsure: int = 0
    tries: int = 0
    again: int = 0
    comprehending: int = 0
    asking: int = 0
    """What is evaluated is only held against something: it is not used."""
    counters: set[str] = field(default_factory=set)
    """Names that loops count by: what they stand for is how far a run has come."""
    steps: int = 0
    seen: set[tuple[str, str, int]] = field(default_factory=set)
    limit: int = MOST_STEPS

    @cached_property
    def arguments(self) -> Value:
        """Give `sys.argv`, always the same list, since programs change it."""
        return Value(list(self.argv))

    def step(self, count: int = 1) -> None:
        """Pay for work."""
        self.steps += count
        if self.steps > self.limit:
            raise BudgetSpent

    def about(self, kind: type[Held]) -> Held:
        """Give what one adapter keeps of this reading, in the dataclass that it keeps it in."""
        known = self.kept.get(kind)
        if known is None:
            known = self.kept[kind] = kind()
        return cast(Held, known)

    def evaluate(self, node: ast.expr, scope: Scope) -> Value:
        """Follow an expression."""
        return self.interpreter.evaluate(self, node, scope)

    def execute(self, body: list[ast.stmt], scope: Scope) -> ControlFlow | None:
        """Follow statements."""
        return self.interpreter.execute(self, body, scope)

    def call(
        self,
        callee: Value,
        args: list[Value],
        kwargs: dict[str, Value] | None = None,
        spot: SourceLocation | None = None,
        scope: Scope | None = None,
    ) -> Value:
        """Follow a call."""
        return self.interpreter.call(self, callee, args, kwargs or {}, spot or SourceLocation("", 1), scope)

    def record(
        self,
        name: str,
        args: list[Value],
        kwargs: Mapping[str, Value],
        spot: SourceLocation,
        owner: Value | None,
        result: Value,
    ) -> None:
        """Keep that a library's function was called here."""
        seen = (name, spot.path, spot.line)
        if self.again and seen in self.seen and self.unsure:
            return
        self.seen.add(seen)
        if len(self.events) < MOST_EVENTS:
            sure, loops, functions = self.unsure == 0, tuple(self.loops), tuple(self.functions[-8:])
            self.events.append(Event(name, list(args), dict(kwargs), spot, sure, loops, owner, result, functions))

    def note_growth(self, items: list[Value]) -> None:
        """Keep that a list gets an item in each round of a loop of which it is not known how often it runs."""
        if self.again:
            self.grown[id(items)] = items

    def hand_growth_on(self, source: Value, made: Value) -> None:
        """Keep of a list that is made from another one that its length is as little known."""
        if id(source.data) in self.grown and isinstance(made.data, (list, tuple)):
            self.grown[id(made.data)] = made.data

    def has_known_length(self, value: Value) -> bool:
        """Tell a list of which every item was seen."""
        return id(value.data) not in self.grown

    def read_text(self, path: str, largest: int = LARGEST_FILE) -> str | None:
        """Read a file of the repository; why it cannot be read is noted."""
        try:
            return self.repository.read_text(path, largest=largest)
        except NotReadable as error:
            self.note(str(error))
            return None

    def offer(self, value: Value, kind: str = "") -> Value:
        """Keep options as a whole, for the fields to look into; of a kind, they are a configuration's."""
        self.namespaces.append(value)
        self.configs += [(kind, value)] if kind else []
        return value

    def note(self, text: str) -> None:
        """Keep something that the reader of the answer should know."""
        if text and text not in self.notes:
            self.notes.append(text)

    def saw(self, name: str, value: Value) -> None:
        """Keep what a name with a meaning stood for when the code used it."""
        if name in self.interesting:
            known = self.reads.setdefault(name, [])
            if not known or known[-1].data is not value.data:
                known.append(value)


class NotModelled(Exception):
    """Say that nothing is known of a call that is made in this way: a hook need not look further."""


Hook = Callable[["Call"], "Value | None"]
"""What stands in for a library's function; None: not modelled after all."""
Model = TypeVar("Model")


def by_names(names: str, model: Model) -> dict[str, Model]:
    """File one model under several names, which stand in a text with blanks between them."""
    return dict.fromkeys(names.split(), model)


@dataclass(slots=True)
class Call:
    """One call of something that is not the repository's, as a hook sees it."""

    run: "Run"
    name: str
    args: list[Value]
    kwargs: dict[str, Value]
    spot: SourceLocation
    scope: Scope
    owner: Value | None = None

    def arg(self, place: int, name: str = "") -> Value | None:
        """Give an argument by its place or its name."""
        if name and name in self.kwargs:
            return self.kwargs[name]
        return self.args[place] if 0 <= place < len(self.args) else None

    def constant(self, place: int, name: str = "", default: object = None) -> Any:  # Any: constants of any type
        """Give an argument's value when it is a plain known one."""
        value = self.arg(place, name)
        return value.data if value is not None and is_constant(value) else default

    def own(self, kind: type[Held]) -> Held:
        """Give the object that a method belongs to, of the kind whose methods it is filed among."""
        if self.owner is None or not isinstance(self.owner.data, kind):
            raise NotModelled
        return self.owner.data

    def need(self, place: int, name: str = "", kind: type | tuple[type, ...] = object) -> Value:
        """Give an argument of a kind without which nothing is known of the call."""
        value = self.arg(place, name)
        if value is None or not isinstance(value.data, kind):
            raise NotModelled
        return value

    def text(self, place: int, name: str = "") -> str:
        """Give an argument that is a known text, without which nothing is known of the call."""
        return str(self.need(place, name, str).data)

    def sources(self) -> tuple[SourceLocation, ...]:
        """Give where the arguments came from."""
        return join_spots(*self.args, *self.kwargs.values())


def filed(call: Call, given: Value | None, put: Callable[[Value], Value | None]) -> Value | None:
    """File what is given, or, where nothing is, what this call is put around as a decorator."""
    return put(given) if given is not None else Value(LibraryMethod(lambda inner: put(inner.need(0)), call.name))


@dataclass(eq=False, slots=True)
class LibraryMethod:
    """A modelled method of a native object or of a built-in value."""

    hook: Hook
    name: str
    owner: Value | None = None
