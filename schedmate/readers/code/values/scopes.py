"""Names and where they are looked up; and the journal that takes writes back when a branch may not have been taken."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, cast

from schedmate.readers.code.values.value import Attributes, Items, Value

MISSING = Value("<missing>")


@dataclass(eq=False, repr=False, slots=True)
class Module:
    """A Python file of the repository; `path` is empty for a package without `__init__.py`."""

    name: str
    path: str
    folder: str
    vars: dict[str, Value] = field(default_factory=dict)
    done: bool = False
    is_main: bool = False
    roots: tuple[str, ...] = ()
    stars: list[tuple[str, int]] = field(default_factory=list)
    """Libraries of which all names were imported, with the lines: a name that nothing else explains is theirs."""

    @property
    def is_package(self) -> bool:
        """Tell a folder of modules, of which an import may mean one."""
        return not self.path or self.path.endswith("__init__.py")


@dataclass(eq=False, repr=False, slots=True)
class Scope:
    """The names of a module, a class body or a call."""

    module: Module
    vars: dict[str, Value]
    parent: "Scope | None" = None
    global_names: set[str] = field(default_factory=set)
    outer_names: set[str] = field(default_factory=set)
    returns: list[Value] = field(default_factory=list)
    yields: list[Value] | None = None
    unsure: int = 0
    is_endless: bool = False
    tries: int = 0
    is_class: bool = False

    @property
    def path(self) -> str:
        """Name the file."""
        return self.module.path

    def find(self, name: str) -> Value | None:
        """Look a name up from here outwards; class bodies are not seen from within their methods."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.vars and (scope is self or not scope.is_class):
                return scope.vars[name]
            scope = scope.parent
        return self.module.vars.get(name)

    def home_of(self, name: str) -> dict[str, Value]:
        """Give the names among which an assignment takes place."""
        if name in self.global_names:
            return self.module.vars
        if name in self.outer_names:
            scope = self.parent
            while scope is not None:
                if name in scope.vars:
                    return scope.vars
                scope = scope.parent
        return self.vars


Write = tuple[Any, Hashable | None, Any]  # Any: of what kind the place and what stands there are hangs together
"""A mapping or list, the key, and what stands there."""
Writes = dict[tuple[int, Hashable | None], Write]


class WriteJournal:
    """Remember what stood where before each write, so that the writes of a branch can be taken back and compared."""

    def __init__(self) -> None:
        self.entries: list[Write] | None = None

    def put(self, place: Items | Attributes, key: Hashable, value: Value) -> None:
        """Write into a mapping."""
        items = cast("Items", place)
        if self.entries is not None:
            self.entries.append((items, key, items.get(key, MISSING)))
        items[key] = value

    def drop(self, place: Items | Attributes, key: Hashable) -> None:
        """Delete from a mapping."""
        items = cast("Items", place)
        if key in items:
            if self.entries is not None:
                self.entries.append((items, key, items[key]))
            del items[key]

    def touch(self, items: list[Value]) -> None:
        """Announce a change of a list."""
        if self.entries is not None:
            self.entries.append((items, None, list(items)))

    def begin(self) -> list[Write] | None:
        """Start a branch; give back what `finish` needs."""
        outer, self.entries = self.entries, []
        return outer

    def keep(self, outer: list[Write] | None) -> list[Write]:
        """End a part whose writes stay; give what stood where before each of them."""
        entries = self.entries or []
        self.entries = outer
        if outer is not None:
            outer += entries
        return entries

    def finish(self, outer: list[Write] | None) -> Writes:
        """Take the branch's writes back and give what it had written."""
        entries = self.entries or []
        written: Writes = {}
        for place, key, _ in entries:
            now = list(place) if isinstance(place, list) else place.get(key, MISSING)
            written[id(place), key] = (place, key, now)
        for place, key, old in reversed(entries):
            if isinstance(place, list):
                place[:] = old
            elif old is MISSING:
                place.pop(key, None)
            else:
                place[key] = old
        self.entries = outer
        return written

    def replay(self, written: Writes) -> None:
        """Make the writes of a branch that was taken after all."""
        for place, key, value in written.values():
            if isinstance(place, list):
                self.touch(place)
                place[:] = value
            elif value is MISSING:
                self.drop(place, key)
            else:
                self.put(place, key, value)


class PinnedNames(dict[str, Value]):
    """A module's names of which some are given from outside; what the module assigns to those is dropped."""

    def __init__(self, given: dict[str, Value]) -> None:
        super().__init__(given)
        self.given = frozenset(given)

    def __setitem__(self, name: str, value: Value) -> None:
        """Set a name, unless it is given."""
        if name not in self.given:
            super().__setitem__(name, value)
