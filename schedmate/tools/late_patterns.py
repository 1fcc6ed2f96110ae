"""Patterns that are compiled when they are first used: of hundreds a log needs some, and to compile all takes long.

What most logs need is compiled where it stands: to ask a late pattern costs a little more each time.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, AnyStr, cast

import re2


class LatePattern:
    """Stand for a pattern: what is asked of it is asked of what its text is compiled to at the first time."""

    def __init__(self, pattern: str | bytes, compiled: Callable[[Any], Any]) -> None:
        self.pattern, self.compiled = pattern, compiled

    def __getattr__(self, name: str) -> Any:
        """Give what a compiled pattern has of a name, and keep it: what is there is not looked for here again."""
        if name.startswith("__"):  # asked of what is copied before it has anything to compile
            raise AttributeError(name)
        found = getattr(self.compiled(self.pattern), name)
        setattr(self, name, found)
        return found


def late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Compile one of Python's patterns when it is first used."""
    return cast("re.Pattern[AnyStr]", LatePattern(pattern, partial(re.compile, flags=flags)))


def late_re2(pattern: str | bytes) -> Any:  # Any: RE2 has no types
    """Compile one of RE2's patterns when it is first used."""
    return LatePattern(pattern, re2.compile)
