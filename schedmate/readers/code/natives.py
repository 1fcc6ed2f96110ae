"""Stand-ins for libraries: objects that are followed closely, their methods, and what a call shows to a hook."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from schedmate.readers.code.values import Spot, Val, is_constant, join_spots

if TYPE_CHECKING:
    from schedmate.readers.code.python.scopes import Scope


class Native:
    """A library's object that is followed closely; subclasses are the parsers, environments and configurations."""

    def get(self, name: str) -> Val | None:
        """Give an attribute; None when it is not modelled."""
        return None

    def item(self, key: Any) -> Val | None:
        """Give what stands under a key; None when it is not modelled."""
        return None

    def stands_for(self) -> Val | None:
        """Give the plain value that it is compared by; None where it is no member of an enumeration."""
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
