"""Find many fixed strings in gigabytes of bytes, caring for neither case nor their number.

Hyperscan looks for all of them at once at memory speed. Where its wheel is not to be had, RE2 does the same work more
slowly; both take linear time whatever the log holds.
"""

from collections.abc import Sequence
from typing import Any

import re2


class LiteralScanner:
    """Report where any of a set of ASCII strings stands in a block; several readings of one place may be reported."""

    def __init__(self, literals: Sequence[str]) -> None:
        self.literals = tuple(dict.fromkeys(literal.lower() for literal in literals))
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
            number = self.number_of[match.group().decode("ascii").lower()]
            if not first_only or number not in seen:
                seen.add(number)
                found.append((match.end(), number))
        return found


def compile_hyperscan(literals: Sequence[str], once: bool) -> Any:
    """Build the automaton over all strings, None without Hyperscan; `once` stops each one's reports after its first."""
    try:
        import hyperscan
    except ImportError:
        return None

    flags = hyperscan.HS_FLAG_CASELESS | (hyperscan.HS_FLAG_SINGLEMATCH if once else 0)
    database = hyperscan.Database()
    expressions = [re2.escape(literal).encode("ascii") for literal in literals]
    numbers = list(range(len(literals)))
    database.compile(expressions=expressions, ids=numbers, elements=len(numbers), flags=[flags] * len(numbers))
    return database


def compile_re2(literals: Sequence[str]) -> Any:
    """Build one pattern over all strings."""
    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = 64 << 20
    options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(b"|".join(re2.escape(literal).encode("ascii") for literal in literals), options)
