"""One reading of a program: who follows the code, and what is asked of the world above."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from schedmate.readers.code.values.leaving import ControlFlow
from schedmate.readers.code.values.objects import BoundMethod, Class, ExternalResult, Function
from schedmate.readers.code.values.run_state import RunState
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Held, SourceLocation, Value, is_constant, join_spots


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

    def follow_unmodelled(self, call: "Call") -> Value | None:
        """Follow a call of a library that has no model, by what it is called and handed."""

    def decorated_by(self, run: "Run", decorator: ExternalResult, value: Value) -> Value:
        """Apply a library's decorator."""

    def config_method(self, owner: Value, name: str) -> Value | None:
        """Give a method that configurations have and plain mappings lack."""

    def length_of(self, run: "Run", value: Value) -> Value | None:
        """Give how long data or a loader are, where that is known."""

    def side_of(self, value: Value, place: int) -> Value | None:
        """Give one side of an array of samples but the first, where that is known."""

    def sides_in(self, value: Value) -> tuple[Value, ...] | None:
        """Give the shape of each sample of some data, where that is known."""

    def shown_by(self, owner: Value, name: str) -> Value | None:
        """Give what a library's object shows of itself under a name: a layer its widths, a tensor its shape."""

    def row_item(self, run: "Run", owner: Value, key: Value) -> Value | None:
        """Give what stands at a place of a library's row of layers, or of a tensor of known shape."""

    def length_of_part(self, run: "Run", owner: Value, key: Value) -> int | None:
        """Give how many samples are taken of data by a key, where that is known."""

    def stands_for(self, made: Function | Class) -> "Hook | None":
        """Give the model that is followed in place of a function of the repository: a copy of a library's."""

    def interpolated(self, run: "Run", node: Value, value: Value) -> Value:
        """Resolve a text with `${...}` in it that stands in a section of a configuration."""

    def told_of_fields(self, run: "Run", cls: Value, name: str) -> Value | None:
        """Give what Python or a library keeps about the fields of a class under a name."""

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
        """See a function, a branch or the program end in an error."""

    def names_attribute(self, run: "Run", name: str, spot: SourceLocation) -> None:
        """See an attribute of a library."""

    def sets_item(self, run: "Run", key: Value) -> None:
        """See an item set of what is no mapping of the program's own."""


@dataclass(kw_only=True)
class Run(RunState):
    """One reading: what it carries along, and who follows the code, knows libraries and watches."""

    interpreter: Interpreter
    libraries: Libraries
    observer: RunObserver = field(default_factory=RunObserver)

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

    def made(self, attrs: dict[str, Value] | None = None, owner: Value | None = None) -> Value:
        """Give what the call made: an object of the library's, of which no more is known than what it holds."""
        made = ExternalResult(self.name, self.args, self.kwargs, self.spot, owner, {} if attrs is None else attrs)
        return Value(made, (self.spot,))

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
