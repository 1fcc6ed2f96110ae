"""Look for everything in a log that a catalogue entry, a traceback or an error level makes worth weighing."""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import re2

from schedmate.knowledge.catalogue import Failure, load_catalogue
from schedmate.readers.failures.attempts import RESTART, RESTART_WORDS
from schedmate.readers.failures.tracebacks import HEAD, Raised, TracebackReader
from schedmate.readers.lines import Line, clean
from schedmate.tools.literals import LiteralScanner, folded
from schedmate.tools.logfile import MAX_LINE_BYTES, LogFile

BLOCK_BYTES = 1 << 18
READ_WHOLE_BYTES = 64 << 20
"""Up to here every block is read in full; in a longer log that is done near the ends and near the last progress."""
NEAR_BYTES = 16 << 20
TRACEBACK_BYTES = 1 << 18
MAX_TRACEBACKS = 256
TIRED_AFTER = 400
"""A literal seen on so many lines is looked at once a block from then on: nothing new is to be learned from a flood."""
KEEP_FIRST, KEEP_LAST = 24, 200
MAX_TEMPLATES = 50_000

VARYING = re.compile(rb"\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?|0x[0-9a-fA-F]+|\d{4,}|\d+\.\d+")
GENERIC_WORDS = ("error", "fatal", "exception", "critical", "panic", "failed", "abort", "killed", "not found", "cannot")
GENERIC = re2.compile(
    r"(?:^|[\s\[(|:])(?:ERROR|FATAL|CRITICAL|PANIC|Fatal|fatal|panic|Error|error|[A-Z]\w{2,60}(?:Error|Exception))(?:\(\d+\))?"
    r"[\]:!)|]|^(?:ERROR|FATAL|CRITICAL)\b|\b(?:cannot|[Kk]illed|[Aa]borted|not found|[Ff]ailed)\b"
)


@dataclass(frozen=True, slots=True)
class Sighting:
    """One line worth weighing: where it stands, what it says, and the catalogue entry it fits, if any."""

    source: int
    number: int
    start: int
    line: Line
    failure: Failure | None
    named: dict[str, str] = field(default_factory=dict)
    raised: Raised | None = None


@dataclass(slots=True)
class Findings:
    """What a scan brought: sightings in order, tracebacks, and how many bytes and blocks were looked at."""

    sightings: list[Sighting] = field(default_factory=list)
    raised: list[Raised] = field(default_factory=list)
    restarts: list[int] = field(default_factory=list)
    read_bytes: int = 0


class Catalogue:
    """The entries made ready: one scanner over all their literals, patterns compiled when first needed."""

    def __init__(self, failures: Sequence[Failure]) -> None:
        self.failures = tuple(failures)
        self.compiled: dict[str, Any] = {}
        self.scanner = LiteralScanner(
            [*GENERIC_WORDS, HEAD, *RESTART_WORDS, *(text for item in failures for text in item.literals)]
        )
        self.entries_of: dict[int, list[Failure]] = defaultdict(list)
        for failure in failures:
            for literal in failure.literals:
                self.entries_of[self.scanner.number_of[folded(literal)]].append(failure)
        self.head = self.scanner.number_of[folded(HEAD)]
        self.restarts = {self.scanner.number_of[folded(word)] for word in RESTART_WORDS}

    def pattern(self, failure: Failure) -> Any:
        """Compile an entry's pattern on first use: most are never needed."""
        if failure.pattern not in self.compiled:
            self.compiled[failure.pattern] = re2.compile(failure.pattern)
        return self.compiled[failure.pattern]

    def match(self, text: str) -> tuple[Failure, dict[str, str]] | None:
        """Give the entry that fits a cleaned line best: the specific before the general, then the surest."""
        best: tuple[tuple[bool, float, int], Failure, dict[str, str]] | None = None
        entries = {}
        for _, number in self.scanner.find(text.encode("utf-8", "replace")):
            entries.update({entry.id: entry for entry in self.entries_of.get(number, ())})
        for failure in entries.values():
            rank = (not failure.general, failure.weight, max(map(len, failure.literals), default=0))
            if best and rank <= best[0]:
                continue
            if found := self.pattern(failure).search(text):
                best = rank, failure, {key: value for key, value in found.groupdict().items() if value}
        return best and (best[1], best[2])


@lru_cache(maxsize=1)
def ready_catalogue() -> Catalogue:
    """Make the shipped catalogue ready once a process."""
    return Catalogue(load_catalogue())


def scan(log: LogFile, near: Sequence[int] = (), source: int = 0, year: int = 1970) -> Findings:
    """Scan a log; `near` names offsets around which a long log is read in full."""
    walk = Walk(log, ready_catalogue(), source, year)
    for start, block in log.blocks(block_bytes=BLOCK_BYTES):
        walk.take_block(start, block, first_only=not read_in_full(log.size, start, start + len(block), near))
    return walk.finish()


def read_in_full(size: int, start: int, end: int, near: Sequence[int]) -> bool:
    """Tell whether a block deserves all of its lines looked at."""
    if size <= READ_WHOLE_BYTES or start < NEAR_BYTES // 4 or end > size - NEAR_BYTES:
        return True
    return any(start < place + NEAR_BYTES and end > place - NEAR_BYTES for place in near)


class Walk:
    """The state of one scan: what each template of a line turned out to be, and which literals have become a flood."""

    def __init__(self, log: LogFile, catalogue: Catalogue, source: int, year: int) -> None:
        self.log, self.catalogue, self.source, self.year = log, catalogue, source, year
        self.templates: dict[bytes, bool] = {}
        self.seen_on: Counter[int] = Counter()
        self.kept: dict[str, tuple[list[Sighting], deque[Sighting]]] = {}
        self.heads: list[int] = []
        self.restarts: list[int] = []
        self.read_bytes = 0

    def take_block(self, start: int, block: bytes, first_only: bool) -> None:
        """Look at each line of a block that holds a literal."""
        self.read_bytes += len(block)
        scanner = self.catalogue.scanner
        done_to, this_block = -1, set()
        for stop, number in sorted(scanner.find(block, first_only)):
            if stop <= done_to or (self.seen_on[number] > TIRED_AFTER and number in this_block):
                continue
            this_block.add(number)
            self.seen_on[number] += 1
            low, high = line_around(block, stop - 1)
            done_to = high
            if number == self.catalogue.head or HEAD.encode() in block[low:high]:
                self.heads.append(start + low)
                continue
            raw = block[low:high]
            if number in self.catalogue.restarts and RESTART.search(clean(raw).text):
                self.restarts.append(start + high)
            self.take_line(start + low, raw)

    def take_line(self, start: int, raw: bytes) -> None:
        """Weigh a line unless one like it turned out to be nothing."""
        template = VARYING.sub(b"#", raw[:512])
        if self.templates.get(template, True) and not self.keep(start, raw):
            if len(self.templates) > MAX_TEMPLATES:
                self.templates.clear()
            self.templates[template] = False

    def keep(self, start: int, raw: bytes) -> bool:
        """Keep a line that fits an entry or reads like an error."""
        line = clean(raw, self.year)
        found = self.catalogue.match(line.text)
        if not found and not GENERIC.search(line.text):
            return False
        failure, named = found or (None, {})
        sighting = Sighting(self.source, 0, start, line, failure, named)
        first, last = self.kept.setdefault(failure.id if failure else "", ([], deque(maxlen=KEEP_LAST)))
        (first if len(first) < KEEP_FIRST else last).append(sighting)
        return True

    def finish(self) -> Findings:
        """Put tracebacks together, number the lines and order everything."""
        raised = list(self.read_tracebacks())
        kept = [item for first, last in self.kept.values() for item in (*first, *last)]
        kept.sort(key=lambda item: item.start)
        sightings = [replace(item, number=self.log.line_number(item.start)) for item in kept]
        return Findings(sightings, raised, self.restarts, self.read_bytes)

    def read_tracebacks(self) -> Iterator[Raised]:
        """Read on from each traceback's head until no rank is in the middle of one."""
        heads = self.heads
        if len(heads) > MAX_TRACEBACKS:
            heads = heads[: MAX_TRACEBACKS // 4] + heads[-3 * MAX_TRACEBACKS // 4 :]
        reader, reached = TracebackReader(), -1
        for head in heads:
            if head < reached:
                continue
            for line in self.log.lines(self.log.bounds(max(0, head - 2))[0], head + TRACEBACK_BYTES):
                if raised := reader.take(line.number, line.start, clean(line.raw, self.year)):
                    yield raised
                reached = line.start + 1
                if line.start > head and reader.idle():
                    break


def line_around(block: bytes, place: int) -> tuple[int, int]:
    """Find the line for the eye around a place in a block."""
    low = max(block.rfind(b"\n", 0, place), block.rfind(b"\r", 0, place)) + 1
    feed = block.find(b"\n", place)
    high = feed if feed >= 0 else len(block)
    back = block.find(b"\r", place, high)
    high = back if back >= 0 else high
    return max(low, place - MAX_LINE_BYTES), min(high, place + MAX_LINE_BYTES)
