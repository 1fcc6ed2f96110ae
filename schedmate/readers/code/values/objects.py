"""What followed code makes: the repository's functions, classes and objects, and what a library's call gave."""

import ast
from collections.abc import Hashable
from dataclasses import dataclass, field

from schedmate.knowledge.optimizers import canonical
from schedmate.readers.code.values.events import FollowedLoop
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Config, External, SourceLocation, Value

OBJECTS = ("schedule", "schedules", "chain", "multi_transform", "masked", "apply_if_finite", "identity", "hyperparams")


@dataclass(eq=False, repr=False, slots=True)
class ExternalResult:
    """What a call of a library gave: the call is known, the object is not."""

    callee: str
    args: list[Value]
    kwargs: dict[str, Value]
    spot: SourceLocation
    owner: Value | None = None
    attrs: dict[str, Value] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    is_copy: bool = False
    """It is another one of the same making: its parts are its own, though they are not copied here."""
    loops: tuple[FollowedLoop, ...] = ()
    """Loops around its making that were not followed in full: there may be more of its kind."""

    @property
    def short(self) -> str:
        """Give the last part of the callee's name."""
        return self.callee.rpartition(".")[2]

    @property
    def is_object(self) -> bool:
        """Tell a constructor's product, which is true and not None, from a function's, which may be anything."""
        return self.short[:1].isupper() or is_transformation(self.callee)


def is_transformation(callee: str) -> bool:
    """Tell optax's optimizers and schedules, which are objects though functions make them."""
    library, _, short = callee.rpartition(".")
    if library not in ("optax", "optax.contrib", "optax.schedules"):
        return False
    return canonical(short) is not None or short.startswith(("scale", "add_", "clip")) or short.endswith(OBJECTS)


@dataclass(eq=False, repr=False, slots=True)
class Function:
    """A function of the repository."""

    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: Scope
    defaults: list[Value]
    kw_defaults: dict[str, Value]
    kind: str = "plain"
    owner: "Class | None" = None
    marks: dict[str, Value] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """Name the file it stands in."""
        return self.scope.path


@dataclass(eq=False, repr=False, slots=True)
class Class:
    """A class of the repository; `bases` holds its own and the libraries' classes."""

    name: str
    node: ast.ClassDef
    scope: Scope
    bases: list[Value]
    attrs: dict[str, Value] = field(default_factory=dict)
    kind: str = "plain"
    spot: SourceLocation = field(default_factory=lambda: SourceLocation("", 1))

    def lineage(self) -> list["Class"]:
        """Give the class and its ancestors in the repository, nearest first."""
        found: list[Class] = []
        waiting: list[Class] = [self]
        while waiting and len(found) < 50:
            one = waiting.pop(0)
            if one not in found:
                found.append(one)
                waiting += [base.data for base in one.bases if isinstance(base.data, Class)]
        return found

    def find(self, name: str) -> Value | None:
        """Look an attribute up along the lineage."""
        return next((one.attrs[name] for one in self.lineage() if name in one.attrs), None)

    def outside(self) -> list[str]:
        """Name the libraries' classes among the ancestors."""
        return [base.data.name for one in self.lineage() for base in one.bases if isinstance(base.data, External)]


@dataclass(eq=False, repr=False, slots=True)
class Instance:
    """An object of a class of the repository; `native` stands in for the library's part of it."""

    cls: Class
    attrs: dict[str, Value]
    spot: SourceLocation
    native: Value | None = None
    names: list[str] = field(default_factory=list)
    rivals: tuple[Class, ...] = ()
    """Other classes of which the run may make an object in its place."""
    is_copy: bool = False
    given: "tuple[list[Value], dict[str, Value]] | None" = None
    """What it was made with."""
    loops: tuple[FollowedLoop, ...] = ()
    """Loops around its making that were not followed in full."""


@dataclass(eq=False, repr=False, slots=True)
class BoundMethod:
    """A method and the object it belongs to."""

    owner: Value
    function: Function


@dataclass(eq=False, repr=False, slots=True)
class Partial:
    """A callable with arguments put in already."""

    callee: Value
    args: list[Value]
    kwargs: dict[str, Value]


CALLABLES = (Function, BoundMethod, Partial)
"""What can be followed when it is called, though it is no class."""


class GeneratedItems(list[Value]):
    """What a generator gave that was followed to its end; as a context it gives its only item."""


class FileText(str):
    """Text that was read from a file of the repository, so that `exec` and parsers can name lines."""

    path: str = ""


@dataclass(eq=False, repr=False, slots=True)
class FileHandle:
    """An open file of the repository."""

    path: str


@dataclass(frozen=True, slots=True)
class SpawnedCommand:
    """A command that a program starts: with what variables, and in a loop of how many rounds, side by side."""

    command: Value
    spot: SourceLocation
    in_loop: bool = False
    count: Value | None = None
    environment: dict[str, Value] = field(default_factory=dict)
    written: dict[str, Value] = field(default_factory=dict)
    """Files as they are when it is started."""
    workdir: str | None = None
    """The folder of the repository that it is started in, where the program says so."""
    copied: dict[str, str] = field(default_factory=dict)
    """Where copies of files lie when it is started, and of what."""


class LibraryObject:
    """A library's object that is followed closely; subclasses are the parsers, environments and configurations."""

    def get(self, name: str) -> Value | None:
        """Give an attribute; None when it is not modelled."""
        return None

    def item(self, key: Hashable) -> Value | None:
        """Give what stands under a key; None when it is not modelled."""
        return None

    def stands_for(self) -> Value | None:
        """Give the plain value that it is compared by; None where it is no member of an enumeration."""
        return None

    def filed_under(self) -> Hashable | None:
        """Give what it is filed under in a mapping; None where it is not told apart from others of its kind."""
        return None

    def worn_by(self, owner: Value) -> None:
        """Be told of the object whose class extends the library's."""


def fields_of(made: Class) -> dict[str, ast.expr | None]:
    """Give the annotated fields of a record, the ancestors' first."""
    found: dict[str, ast.expr | None] = {}
    for one in reversed(made.lineage()):
        for statement in one.node.body:
            annotated = isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
            if annotated and "ClassVar" not in ast.unparse(statement.annotation):  # type: ignore[attr-defined]
                found[statement.target.id] = statement.annotation  # type: ignore[attr-defined]
    return found


def class_of(value: Value) -> Class | None:
    """Give the repository's class that an object or a mapping is one of."""
    found = value.data.cls if isinstance(value.data, (Instance, Config)) else None
    return found if isinstance(found, Class) else None


def are_made_alike(things: list[Value], name: str) -> bool:
    """Tell a library's object that is made of one class on every way: what its class offers is the same on each."""
    made = [one.data for one in things if isinstance(one.data, ExternalResult) and one.data.is_object]
    same = len(made) == len(things) and len({one.callee for one in made}) == 1
    return same and all(name not in (*one.attrs, *one.kwargs) for one in made)


def methods_of_each(things: list[Value], name: str) -> list[Value]:
    """Give the methods that several objects of the repository's classes have under one name, each bound; else none."""
    found = [one.data.cls.find(name) if isinstance(one.data, Instance) else None for one in things]
    methods = [one for one in found if one is not None and isinstance(one.data, Function) and one.data.kind == "plain"]
    if len(things) < 2 or len(methods) < len(things):
        return []
    return [Value(BoundMethod(thing, one.data), one.src) for thing, one in zip(things, methods, strict=True)]


class SuperOf(ExternalResult):
    """The ancestors' part of an object."""

    def __init__(self, owner: Value, cls: Class) -> None:
        super().__init__("super", [], {}, cls.spot, owner)
        self.cls = cls

    def find(self, name: str) -> Value | None:
        """Look a method up among the ancestors; a library's `__init__` is noted as called."""
        own = class_of(self.owner) if self.owner is not None else None
        lineage = own.lineage() if own is not None else []
        after = lineage[lineage.index(self.cls) + 1 :] if self.cls in lineage else []
        for one in after:
            if name in one.attrs:
                found = one.attrs[name]
                if isinstance(found.data, Function) and self.owner is not None and found.data.kind != "static":
                    return Value(BoundMethod(self.owner, found.data), found.src)
                return found
        return None

    def outside(self) -> str:
        """Name the library's class among the ancestors."""
        names = self.cls.outside()
        return names[0] if names else "object"
