"""What a name can stand for in followed code, and the places that it came from; the rest builds on this."""

from collections.abc import Hashable
from math import prod
from typing import Any, NamedTuple, TypeVar, cast

from schedmate.readers.code.values.reasons import Reason

COMMAND = "command"
"""The path under which a quote of the command itself is filed."""
MOST_SPOTS = 4
Held = TypeVar("Held")


class SourceLocation(NamedTuple):
    """A place that a value came from; `quote` where the line would not do, `note` where the place needs a word.

    With `is_default` it is the place that leaves a value open to a library, whose default it then is.
    """

    path: str
    line: int
    quote: str = ""
    note: str = ""
    is_default: bool = False

    def as_default(self, note: str) -> "SourceLocation":
        """Give the place as one that leaves a value open to a library, and say what its default is."""
        return self._replace(note=note, is_default=True)


class Value:
    """A value and the places it came from."""

    __slots__ = ("data", "src")

    def __init__(self, data: Any, src: tuple[SourceLocation, ...] = ()) -> None:  # Any: whatever a program holds
        self.data = data
        self.src = src

    def __repr__(self) -> str:
        return f"Value({self.data!r})"


Items = dict[Hashable, Value]
"""A mapping of the followed program, by whatever keys it has."""
Attributes = dict[str, Value]
"""What an object holds, or what is given by name."""


class Unknown:
    """A value that is not known; `parts` are what it may be or was made from, `text` is what is known of a text.

    `count` says of a list whose items are not known how many there are. `why` is for people; what is decided by it
    has a `reason`, whose words it then says where it is given none of its own.
    """

    __slots__ = ("count", "is_true", "parts", "reason", "text", "why")

    def __init__(
        self,
        why: str | Reason = "",
        parts: tuple[Value, ...] = (),
        is_true: bool = False,
        reason: Reason | None = None,
    ) -> None:
        self.why, self.reason = (why.value, why) if isinstance(why, Reason) else (why, reason)
        self.parts = parts
        self.is_true = is_true
        self.text = ""
        self.count: int | None = None

    def __repr__(self) -> str:
        return f"Unknown({self.why})"


class External:
    """A name of a library, dotted; nothing of it is ever imported."""

    __slots__ = ("name", "owner")

    def __init__(self, name: str, owner: Value | None = None) -> None:
        self.name = name
        self.owner = owner

    def __repr__(self) -> str:
        return f"External({self.name})"


class Config(dict[Hashable, Any]):
    """A mapping whose keys are also attributes: a namespace, an OmegaConf node, a CfgNode, an EasyDict."""

    __slots__ = ("cls", "kind", "rest")

    def __init__(self, items: Items | Attributes | None = None, kind: str = "config") -> None:
        super().__init__(cast("Items", items or {}))
        self.kind = kind
        self.rest: Value | None = None
        self.cls: Any = None  # Any: a class, whose own file builds on this one
        """The repository's own class of mappings that this is one of, for its methods."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other


class FilledItems(dict[Hashable, Any]):
    """A mapping that makes what is missing, as `defaultdict` does."""

    __slots__ = ("factory",)

    def __init__(self, items: Items, factory: "Value") -> None:
        super().__init__(items)
        self.factory = factory


CONSTANTS = (str, int, float, bool, bytes, type(None), complex)


def ways_of(value: Value) -> tuple[Value, ...]:
    """Give what a value may be, as far as that is known: itself, mostly."""
    return value.data.parts if isinstance(value.data, Unknown) and value.data.parts else (value,)


def is_constant(value: Value) -> bool:
    """Tell a plain known value."""
    return isinstance(value.data, CONSTANTS)


def is_unknown(value: Value | None) -> bool:
    """Tell a value that is not known."""
    return value is None or isinstance(value.data, Unknown)


def unknown(why: str | Reason = "", *parts: Value, reason: Reason | None = None) -> Value:
    """Make an unknown value."""
    return Value(Unknown(why, parts[:6], reason=reason))


def is_unknown_by(value: Value | None, reason: Reason) -> bool:
    """Tell a value that is not known for this reason."""
    return value is not None and isinstance(value.data, Unknown) and value.data.reason is reason


STARTS = "a text of which only the start is known"


def known_start(start: str, *values: Value) -> Value:
    """Make a text that is not known from some place on; its first part is what it starts with."""
    return Value(Unknown(STARTS, (Value(start), *values[:5])), join_spots(*values))


def join_spots(*values: Value) -> tuple[SourceLocation, ...]:
    """Collect where several values came from, each place once."""
    spots: list[SourceLocation] = []
    for value in values:
        for spot in value.src:
            if spot not in spots:
                spots.append(spot)
    return tuple(spots[:MOST_SPOTS])


def product(*factors: Value | None) -> Value | None:
    """Multiply whole numbers, with the places of all; None where one of them is not known."""
    known = [one for one in factors if one is not None and type(one.data) is int]
    return Value(prod(one.data for one in known), join_spots(*known)) if len(known) == len(factors) else None


def find_in(owner: Value | None, key: object) -> Value | None:
    """Read a dotted key of a nested mapping."""
    node = owner
    for part in str(key).split("."):
        node = node.data.get(part) if node is not None and isinstance(node.data, dict) else None
    return node


def mapping_of(value: Value | None) -> Items:
    """Give a mapping's items; none for anything else."""
    return value.data if value is not None and isinstance(value.data, dict) else {}


def sequence_of(value: Value | None) -> list[Value] | tuple[Value, ...]:
    """Give the items of a list or tuple; none for anything else."""
    return value.data if value is not None and isinstance(value.data, (list, tuple)) else []


def each_of(value: Value | None) -> list[Value]:
    """Give the items of a list or tuple, or the one value that stands in its place."""
    if value is None:
        return []
    return list(value.data) if isinstance(value.data, (list, tuple)) else [value]


def held(value: Value | None, kind: type[Held]) -> Held | None:
    """Give what a value holds where it is known to be of a kind."""
    return value.data if value is not None and isinstance(value.data, kind) else None


def first(config: Value, *keys: str) -> Value | None:
    """Give the first of some dotted keys that is set."""
    for key in keys:
        value = find_in(config, key)
        if value is not None and value.data is not None:
            return value
    return None
