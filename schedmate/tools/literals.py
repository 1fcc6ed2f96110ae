"""Find many fixed strings in gigabytes of bytes, caring for neither case nor their number.

Hyperscan looks for all of them at once at memory speed. Where its wheel is not to be had, RE2 does the same work more
slowly; both take linear time whatever the log holds.
"""

from collections.abc import Sequence
from typing import Any

import re2


class LiteralScanner:
    """Report where any of a set of strings stands in a block; the case of ASCII letters does not matter."""

    def __init__(self, literals: Sequence[str]) -> None:
        self.literals = tuple(dict.fromkeys(folded(literal) for literal in literals))
        self.number_of = {literal: number for number, literal in enumerate(self.literals)}
        self.hits: list[tuple[int, int]] = []
        self.databases: dict[bool, Any] = {}

    def find(self, block: bytes, first_only: bool = False) -> list[tuple[int, int]]:
        """Give (end of the match, literal's number) in order; `first_only` gives each literal at most once."""
        if first_only not in self.databases:
            self.databases[first_only] = compile_hyperscan(self.literals, first_only) or compile_re2(self.literals)
        database = self.databases[first_only]
        if not hasattr(database, "scan"):
            return self.find_slowly(database, block, first_only)
        self.hits = []
        database.scan(block, match_event_handler=self.note)
        return self.hits

    def note(self, number: int, start: int, end: int, flags: int, context: object) -> None:
        """Keep one match."""
        self.hits.append((end, number))

    def find_slowly(self, pattern: Any, block: bytes, first_only: bool) -> list[tuple[int, int]]:
        """Do the same with RE2, one literal a place."""
        found: list[tuple[int, int]] = []
        seen: set[int] = set()
        for match in pattern.finditer(block):
            number = self.number_of[match.group().lower()]
            if not first_only or number not in seen:
                seen.add(number)
                found.append((match.end(), number))
        return found


def folded(literal: str) -> bytes:
    """Give the form in which a string is looked up: UTF-8, ASCII letters small."""
    return literal.encode().lower()


def compile_hyperscan(literals: Sequence[bytes], once: bool) -> Any:
    """Build the automaton over all strings, None without Hyperscan; `once` stops each one's reports after its first."""
    try:
        import hyperscan
    except ImportError:
        return None

    flags = hyperscan.HS_FLAG_CASELESS | (hyperscan.HS_FLAG_SINGLEMATCH if once else 0)
    database = hyperscan.Database()
    expressions = [escaped(literal) for literal in literals]
    numbers = list(range(len(literals)))
    database.compile(expressions=expressions, ids=numbers, elements=len(numbers), flags=[flags] * len(numbers))
    return database


def compile_re2(literals: Sequence[bytes]) -> Any:
    """Build one pattern over all strings."""
    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = 64 << 20
    options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(b"|".join(map(escaped, literals)), options)


def escaped(literal: bytes) -> bytes:
    """Write a string as a pattern that means just that, for both engines."""
    return b"".join(bytes([byte]) if chr(byte).isalnum() and byte < 128 else b"\\x%02x" % byte for byte in literal)
