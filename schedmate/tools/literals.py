"""Find many fixed strings in gigabytes of bytes, caring for neither case nor their number.

Hyperscan looks for all of them at once at memory speed. Where its wheel is not to be had, RE2 does the same work more
slowly; both take linear time whatever the log holds.
"""

from collections.abc import Sequence
from platform import machine
from typing import Any

import re2

from schedmate.knowledge.disk_cache import kept


class LiteralScanner:
    """Tell which of a set of strings stand in a block, and where the first of each ends; ASCII case does not matter."""

    def __init__(self, literals: Sequence[str], kept_as: str = "literals") -> None:
        self.kept_as = kept_as
        self.literals = tuple(dict.fromkeys(folded(literal) for literal in literals))
        self.number_of = {literal: number for number, literal in enumerate(self.literals)}
        self.hits: list[tuple[int, int]] = []
        self.database: Any = None

    def find(self, block: bytes) -> list[tuple[int, int]]:
        """Give (end of its first match, literal's number) for each literal that is there."""
        if self.database is None:
            self.database = compile_hyperscan(self.literals, self.kept_as) or compile_re2(self.literals)
        if not hasattr(self.database, "scan"):
            return self.find_slowly(block)
        self.hits = []
        self.database.scan(block, match_event_handler=self.note)
        return self.hits

    def note(self, number: int, start: int, end: int, flags: int, context: object) -> None:
        """Keep one match."""
        self.hits.append((end, number))

    def find_slowly(self, block: bytes) -> list[tuple[int, int]]:
        """Do the same with RE2: a set says which literals are there, then each is looked for."""
        small = block.lower()
        return [
            (small.find(self.literals[number]) + len(self.literals[number]), number)
            for number in present(self.database, small)
        ]


def folded(literal: str) -> bytes:
    """Give the form in which a string is looked up: UTF-8, ASCII letters small."""
    return literal.encode().lower()


def compile_hyperscan(literals: Sequence[bytes], kept_as: str) -> Any:
    """Take the automaton over all strings, each reported once a block, kept or built; None without Hyperscan."""
    try:
        import hyperscan
    except ImportError:
        return None
    of = b"\n".join((getattr(hyperscan, "__version__", "").encode(), machine().encode(), *literals))
    try:
        database = hyperscan.loadb(kept(kept_as, of, lambda: hyperscan.dumpb(built(literals))), hyperscan.HS_MODE_BLOCK)
        database.scratch = hyperscan.Scratch(database)
    except hyperscan.HyperscanError:  # kept by a machine whose processor is another
        return built(literals)
    return database


def built(literals: Sequence[bytes]) -> Any:
    """Build the automaton."""
    import hyperscan

    flags = hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_SINGLEMATCH
    database = hyperscan.Database()
    expressions = [escaped(literal) for literal in literals]
    numbers = list(range(len(literals)))
    database.compile(expressions=expressions, ids=numbers, elements=len(numbers), flags=[flags] * len(numbers))
    return database


def compile_re2(literals: Sequence[bytes]) -> Any:
    """Build one set over all strings, which are small already."""
    options = re2.Options()
    options.max_mem = 256 << 20
    options.encoding = re2.Options.Encoding.LATIN1
    options.literal = True
    patterns = re2.Set.SearchSet(options)
    for literal in literals:
        patterns.Add(literal)
    patterns.Compile()
    return patterns


def present(database: Any, block: bytes) -> Sequence[int]:
    """List the numbers of an RE2 set's strings that stand in a block; the set itself gives None for none."""
    return database.Match(block.lower()) or ()


def escaped(literal: bytes) -> bytes:
    """Write a string as a pattern that means just that."""
    return b"".join(bytes([byte]) if chr(byte).isalnum() and byte < 128 else b"\\x%02x" % byte for byte in literal)
