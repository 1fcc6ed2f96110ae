"""What a name can stand for in followed code: a known value, the repository's or a library's thing, or unknown."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from schedmate.readers.code.python.scopes import Scope

COMMAND = "command"
"""The path under which a quote of the command itself is filed."""

MOST_SPOTS = 4


class Spot(NamedTuple):
    """A place that a value came from; `quote` where the line would not do, `note` where the place needs a word."""

    path: str
    line: int
    quote: str = ""
    note: str = ""


class Val:
    """A value and the places it came from."""

    __slots__ = ("data", "src")

    def __init__(self, data: Any, src: tuple[Spot, ...] = ()) -> None:
        self.data = data
        self.src = src

    def __repr__(self) -> str:
        return f"Val({self.data!r})"


class Unknown:
    """A value that is not known; `parts` are what it may be or what it was made from."""

    __slots__ = ("is_true", "parts", "why")

    def __init__(self, why: str = "", parts: tuple[Val, ...] = (), is_true: bool = False) -> None:
        self.why = why
        self.parts = parts
        self.is_true = is_true

    def __repr__(self) -> str:
        return f"Unknown({self.why})"


class External:
    """A name of a library, dotted; nothing of it is ever imported."""

    __slots__ = ("name", "owner")

    def __init__(self, name: str, owner: Val | None = None) -> None:
        self.name = name
        self.owner = owner

    def __repr__(self) -> str:
        return f"External({self.name})"


@dataclass(eq=False, slots=True)
class Made:
    """What a call of a library gave: the call is known, the object is not."""

    callee: str
    args: list[Val]
    kwargs: dict[str, Val]
    spot: Spot
    owner: Val | None = None
    attrs: dict[str, Val] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)

    @property
    def short(self) -> str:
        """Give the last part of the callee's name."""
        return self.callee.rpartition(".")[2]

    @property
    def is_object(self) -> bool:
        """Tell a constructor's product, which is true and not None, from a function's, which may be anything."""
        return self.short[:1].isupper()


@dataclass(eq=False, slots=True)
class Function:
    """A function of the repository."""

    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: "Scope"
    defaults: list[Val]
    kw_defaults: dict[str, Val]
    kind: str = "plain"
    owner: "Class | None" = None
    marks: dict[str, Val] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """Name the file it stands in."""
        return self.scope.path


@dataclass(eq=False, slots=True)
class Class:
    """A class of the repository; `bases` holds its own and the libraries' classes."""

    name: str
    node: ast.ClassDef
    scope: "Scope"
    bases: list[Val]
    attrs: dict[str, Val] = field(default_factory=dict)
    kind: str = "plain"
    spot: Spot = field(default_factory=lambda: Spot("", 1))

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

    def find(self, name: str) -> Val | None:
        """Look an attribute up along the lineage."""
        for one in self.lineage():
            if name in one.attrs:
                return one.attrs[name]
        return None

    def outside(self) -> list[str]:
        """Name the libraries' classes among the ancestors."""
        return [base.data.name for one in self.lineage() for base in one.bases if isinstance(base.data, External)]


@dataclass(eq=False, slots=True)
class Instance:
    """An object of a class of the repository; `native` stands in for the library's part of it."""

    cls: Class
    attrs: dict[str, Val]
    spot: Spot
    native: Val | None = None
    names: list[str] = field(default_factory=list)
    complete: bool = True


@dataclass(eq=False, slots=True)
class Bound:
    """A method and the object it belongs to."""

    owner: Val
    function: Function


@dataclass(eq=False, slots=True)
class Partial:
    """A callable with arguments put in already."""

    callee: Val
    args: list[Val]
    kwargs: dict[str, Val]


class Config(dict[Any, Any]):
    """A mapping whose keys are also attributes: a namespace, an OmegaConf node, a CfgNode, an EasyDict."""

    __slots__ = ("kind", "rest", "schema")

    def __init__(self, items: dict[Any, Val] | None = None, kind: str = "config") -> None:
        super().__init__(items or {})
        self.kind = kind
        self.rest: Val | None = None
        self.schema: str = ""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other


class FileText(str):
    """Text that was read from a file of the repository, so that `exec` and parsers can name lines."""

    path: str = ""


@dataclass(eq=False, slots=True)
class FileHandle:
    """An open file of the repository."""

    path: str


class Native:
    """A library's object that is followed closely; subclasses are the parsers, environments and configurations."""

    def get(self, name: str) -> Val | None:
        """Give an attribute; None when it is not modelled."""
        return None

    def item(self, key: Any) -> Val | None:
        """Give what stands under a key; None when it is not modelled."""
        return None


Hook = Callable[["Call"], "Val | None"]
"""What stands in for a library's function; None: not modelled after all."""


@dataclass(slots=True)
class Call:
    """One call of something that is not the repository's, as a hook sees it."""

    run: Any
    name: str
    args: list[Val]
    kwargs: dict[str, Val]
    spot: Spot
    scope: "Scope"
    owner: Val | None = None

    def arg(self, place: int, name: str = "") -> Val | None:
        """Give an argument by its place or its name."""
        if name and name in self.kwargs:
            return self.kwargs[name]
        return self.args[place] if 0 <= place < len(self.args) else None

    def constant(self, place: int, name: str = "", default: Any = None) -> Any:
        """Give an argument's value when it is a plain known one."""
        value = self.arg(place, name)
        return value.data if value is not None and is_constant(value) else default

    def sources(self) -> tuple[Spot, ...]:
        """Give where the arguments came from."""
        return join_spots(*self.args, *self.kwargs.values())


@dataclass(eq=False, slots=True)
class NativeMethod:
    """A modelled method of a native object or of a built-in value."""

    hook: Hook
    name: str
    owner: Val | None = None


CONSTANTS = (str, int, float, bool, bytes, type(None), complex)


def is_constant(value: Val) -> bool:
    """Tell a plain known value."""
    return isinstance(value.data, CONSTANTS)


def is_unknown(value: Val | None) -> bool:
    """Tell a value that is not known."""
    return value is None or isinstance(value.data, Unknown)


def unknown(why: str = "", *parts: Val) -> Val:
    """Make an unknown value."""
    return Val(Unknown(why, parts[:6]))


def join_spots(*values: Val) -> tuple[Spot, ...]:
    """Collect where several values came from, each place once."""
    spots: list[Spot] = []
    for value in values:
        for spot in value.src:
            if spot not in spots:
                spots.append(spot)
    return tuple(spots[:MOST_SPOTS])


def plain(value: Val, depth: int = 0) -> Any:
    """Turn a value into plain Python data; raises LookupError at the first unknown part."""
    data = value.data
    if isinstance(data, CONSTANTS):
        return data
    if depth > 20:
        raise LookupError
    if isinstance(data, (list, tuple, set)):
        return type(data)(plain(item, depth + 1) for item in data)
    if isinstance(data, dict):
        return {key: plain(item, depth + 1) for key, item in data.items()}
    raise LookupError


def wrap(data: Any, src: tuple[Spot, ...] = ()) -> Val:
    """Turn plain Python data into a value."""
    if isinstance(data, Val):
        return data
    if isinstance(data, (list, tuple)):
        return Val(type(data)(wrap(item, src) for item in data), src)
    if isinstance(data, dict):
        return Val({key: wrap(item, src) for key, item in data.items()}, src)
    return Val(data, src)


def truth(value: Val) -> bool | None:
    """Tell whether a value counts as true; None when that is not known."""
    data = value.data
    if isinstance(data, CONSTANTS):
        return bool(data)
    if isinstance(data, (list, tuple, dict, set)):
        return bool(data)
    if isinstance(data, Made):
        return True if data.is_object else None
    if isinstance(data, Unknown):
        return True if data.is_true else None
    if isinstance(data, External):
        return True if data.owner is None and data.name.rpartition(".")[2][:1].isupper() else None
    return True


def join(first: Val, second: Val) -> Val:
    """Merge what a name stands for after two ways that may both have been taken."""
    a, b = first.data, second.data
    if a is b or (is_constant(first) and is_constant(second) and type(a) is type(b) and a == b):
        return first
    for inner, outer in ((first, second), (second, first)):
        if wraps(outer, inner):
            return outer
    parts = (*(a.parts if isinstance(a, Unknown) and a.parts else (first,)),)
    parts += (*(b.parts if isinstance(b, Unknown) and b.parts else (second,)),)
    merged = unknown("depends on what only the run knows", *parts)
    merged.data.is_true = truth(first) is True and truth(second) is True
    return merged


def wraps(outer: Val, inner: Val) -> bool:
    """Tell whether a value is another one in a wrapper, as a model in DistributedDataParallel."""
    data = outer.data
    if isinstance(data, Made):
        return any(arg.data is inner.data for arg in data.args) or any(
            arg.data is inner.data for arg in data.kwargs.values()
        )
    return False


def find_in(owner: Val | None, key: Any) -> Val | None:
    """Read a dotted key of a nested mapping."""
    node = owner
    for part in str(key).split("."):
        node = node.data.get(part) if node is not None and isinstance(node.data, dict) else None
    return node


def rebuilt(
    value: Val, kind: type[dict[Any, Any]], src: tuple[Spot, ...] | None = None, known: dict[int, Val] | None = None
) -> Val:
    """Build nested data anew with mappings of another kind; what stands in several places is built once."""
    known = known if known is not None else {}
    data = value.data
    if id(data) in known:
        return known[id(data)]
    places = value.src if src is None else src
    if isinstance(data, dict):
        made = Val(kind(), places)
        known[id(data)] = made
        made.data.update({key: rebuilt(item, kind, src, known) for key, item in data.items()})
        return made
    if isinstance(data, list):
        made = Val([], places)
        known[id(data)] = made
        made.data.extend(rebuilt(item, kind, src, known) for item in data)
        return made
    return Val(data, places) if src is not None else value
