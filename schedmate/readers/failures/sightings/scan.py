"""Look for everything in a log that a catalogue entry, a traceback or an error level makes worth weighing."""

import re
from collections import Counter, deque
from collections.abc import Iterator
from itertools import islice, pairwise

import re2

from schedmate.knowledge.catalogue import Failure
from schedmate.readers.failures.lines.exceptions import AFTERMATH, SHELLS, STOPS
from schedmate.readers.failures.lines.glued_bars import behind_a_bar
from schedmate.readers.failures.lines.line_cleaner import cleaned
from schedmate.readers.failures.lines.run_boundaries import Boundaries
from schedmate.readers.failures.lines.steps import TALLIES
from schedmate.readers.failures.lines.tracebacks import Raised, TracebackReader, with_causes, with_originals
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.failures.sightings.sighting import Findings, Sighting
from schedmate.readers.lines import NOT_KNOWN, STACK_HEAD, Line, Own
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import MAX_LINE_BYTES

BLOCK_BYTES, PIECE_BYTES = 1 << 18, 1 << 14
"""A log is read by the block; where each line counts, it is searched by the piece."""
READ_WHOLE_BYTES = 64 << 20
"""Up to here every piece is searched; in a longer log that is done near the ends and near the last progress."""
HEAD_BYTES, NEAR_BYTES = 4 << 20, 12 << 20
SURE_WEIGHT = 0.7
TRACEBACK_BYTES = 1 << 18
MAX_TRACEBACKS = 256

MANY_RAISED, RAISED_IN_A_FLOOD = 1024, 8
"""Where tracebacks flood the log, a few are read behind each head that was kept, and all behind the last."""
FOLDED = rb"\n"
"""How a traceback is written that stands in one line with all that it says."""
TIRED_AFTER = 200
"""A literal seen on so many lines is looked at once a block from then on: nothing new is to be learned from a flood."""
KEEP_FIRST, KEEP_LAST = 24, 64
MAX_TEMPLATES = 50_000
READS_LIKE_ERROR = "reads like an error"
FATAL_LEVEL = "F"
GRAVE_LEVELS = frozenset({FATAL_LEVEL, "ERROR"})

VARYING = re.compile(rb"[Rr]ank[ _]?\d+|\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?|0x[0-9a-fA-F]+|\d{4,}|\d+\.\d+")
GENERIC = re2.compile(
    r"(?:^|[\s\[(|:\"'])(?:ERROR|FATAL|CRITICAL|PANIC|Fatal|fatal|panic|Error|error|[A-Z]\w{2,60}(?:Error|Exception))"
    r"(?:\(\d+\))?"
    r"[\]:!)|]|^(?:ERROR|FATAL|CRITICAL)\b|^F \S+\.\w+:\d+\]|F0000 00:00:"
    r"|\b(?:cannot|[Kk]illed|[Aa]borted|not found|[Ff]ailed)\b"
    r"|\b[Cc]ritical error\b"
    r"|\b[Ee]rror (?:in|creating|starting|running|loading|opening|reading|writing|connecting|executing|while)\b"
    r"|\b[Ee]rror response\b"
)

NONE_SO_FAR = late_re2(
    r"\b(?:[Ff]ailed|[Ff]ailures?|[Ee]rrors?|[Kk]illed|[Aa]borted)(?: \w{1,20}){0,2}\s?[=:]\s?0\b"
    r"|\b(?:0|no|none) (?:failed|failures|errors|killed|aborted)\b"
    r"|\bto (?:fix|resolve|avoid|suppress|silence) (?:this|the|that) error\b:?"
)
"""A tally that counts nothing bad, and advice about what is printed as a warning."""


def reads_like_error(text: str) -> bool:
    """Tell a line that calls something an error, other than by counting none."""
    if not GENERIC.search(text):
        return False
    if not NONE_SO_FAR.search(text) and not TALLIES.search(text):
        return True
    return bool(GENERIC.search(NONE_SO_FAR.sub("", TALLIES.sub("|", text))))


def scan(log: LogFile, near: int | None = None, source: int = 0, year: int = 1970, own: Own = NOT_KNOWN) -> Findings:
    """Scan a log. A long one is searched at its ends and around `near`; all the rest only if no cause stands there."""
    walk = Walk(log, source, year, own)
    close = close_ranges(log.size, near)
    for start, end in close:
        walk.take_range(start, end, PIECE_BYTES)
    findings = walk.finish()
    if len(close) > 1 and not states_cause(findings, near):
        for (_, start), (end, _) in pairwise(close):
            walk.take_range(start, end, BLOCK_BYTES)
        findings = walk.finish()
    return findings


def close_ranges(size: int, near: int | None) -> list[tuple[int, int]]:
    """Name the parts of a log in which every line counts; one range where that is the whole log."""
    if size <= READ_WHOLE_BYTES:
        return [(0, size)]
    wanted = [(0, HEAD_BYTES), (size - NEAR_BYTES, size)]
    if near is not None:
        wanted.append((max(0, near - NEAR_BYTES), min(size, near + NEAR_BYTES)))
    ranges: list[tuple[int, int]] = []
    for start, end in sorted(wanted):
        if ranges and start <= ranges[-1][1]:
            ranges[-1] = ranges[-1][0], max(end, ranges[-1][1])
        else:
            ranges.append((start, end))
    return ranges


def states_cause(findings: Findings, near: int | None) -> bool:
    """Tell whether the first cause is at hand: a root near the last progress, where the healthy part ends."""
    if near is None:
        return False
    roots = [item.start for item in findings.sightings if item.failure and is_sure_root(item.failure)]
    roots += [item.start for item in findings.raised if item.fatal and item.name not in AFTERMATH | SHELLS | STOPS]
    return any(near < start < near + NEAR_BYTES for start in roots)


def is_sure_root(failure: Failure) -> bool:
    """Tell an entry that states a cause by itself."""
    return failure.role == "root" and failure.weight >= SURE_WEIGHT and not failure.general


def pieces(block: bytes, size: int) -> Iterator[tuple[int, int]]:
    """Cut a block at line ends into pieces of about a size."""
    low = 0
    while low < len(block):
        high = block.find(b"\n", min(low + size, len(block))) + 1 or len(block)
        yield low, high
        low = high


class Walk:
    """The state of one scan: what each template of a line turned out to be, and which literals have become a flood."""

    def __init__(self, log: LogFile, source: int, year: int, own: Own) -> None:
        self.log, self.source, self.year, self.own = log, source, year, own
        self.entries = ready_entries()
        self.templates: dict[bytes, str] = {}
        self.seen_on: Counter[int] = Counter()
        self.kept: dict[str, tuple[list[int], deque[int]]] = {}
        self.heads: list[int] = []
        self.told = Boundaries()
        self.read_bytes = 0

    def take_range(self, start: int, end: int, piece_bytes: int) -> None:
        """Search a range piece by piece, from the line that begins in it."""
        if start:
            start = self.log.buffer.find(b"\n", start - 1, start + MAX_LINE_BYTES) + 1 or start
        for offset, block in self.log.blocks(start, end, BLOCK_BYTES):
            for low, high in pieces(block, piece_bytes):
                self.take_piece(offset + low, block[low:high], tired_too=low == 0)

    def take_piece(self, start: int, piece: bytes, tired_too: bool) -> None:
        """Look at each line that holds a literal; of one that floods the log, now and then at the first line.

        At a log's end all count anew: each step may be `completed`, and one of the last lines say that the run is.
        """
        self.read_bytes += len(piece)
        if start + len(piece) > self.log.size - PIECE_BYTES:
            self.seen_on.clear()
        hits = self.entries.scanner.find(piece)
        fresh = [(stop, number) for stop, number in hits if self.seen_on[number] < TIRED_AFTER]
        places = {stop - 1 for stop, _ in (hits if tired_too else fresh)}
        small = piece.lower() if fresh else b""
        for stop, number in fresh:
            again = list(islice(places_of(small, self.entries.scanner.literals[number], stop), TIRED_AFTER))
            self.seen_on[number] += 1 + len(again)
            places.update(again)
        done_to = -1
        for place in sorted(places):
            if place >= done_to:
                low, done_to = line_around(piece, place)
                self.take_line(start + low, piece[low:done_to])

    def take_line(self, start: int, raw: bytes) -> None:
        """Sort a line: a traceback's head, a restart, something to weigh, or nothing, as lines like it were."""
        if STACK_HEAD.encode() in raw:
            self.heads.append(start)
            if FOLDED not in raw:
                return
        self.told.note(start, raw, self.own)
        template = VARYING.sub(b"#", raw[:512])
        if template not in self.templates:
            if len(self.templates) >= MAX_TEMPLATES:
                self.templates.clear()
            self.templates[template] = self.kind_of(raw)
        if kind := self.templates[template]:
            first, last = self.kept.setdefault(kind, ([], deque(maxlen=KEEP_LAST)))
            (first if len(first) < KEEP_FIRST else last).append(start)

    def kind_of(self, raw: bytes) -> str:
        """Name the entry that fits a line, or say that it reads like an error; an empty name for nothing."""
        line = self.cleaned(raw)
        if found := self.entries.match(line.text):
            return found[0].id
        return READS_LIKE_ERROR if line.level in GRAVE_LEVELS or reads_like_error(line.text) else ""

    def cleaned(self, raw: bytes) -> Line:
        """Take the prefixes off a line, and the bar that it was printed behind."""
        return behind_a_bar(cleaned(raw, self.year, self.own), self.year, self.own)

    def finish(self) -> Findings:
        """Read what was kept once more and closely, put tracebacks together and order everything."""
        starts = sorted(start for first, last in self.kept.values() for start in (*first, *last))
        sightings = [self.sighting(start) for start in starts]
        return Findings(
            sightings, with_causes(with_originals(self.read_tracebacks())), self.told.in_order(), self.read_bytes
        )

    def sighting(self, start: int) -> Sighting:
        """Read one line: lines of one template may still differ in what an entry looks for."""
        raw = self.log.line_at(start)
        line = self.cleaned(raw.raw)
        failure, named = self.entries.match(line.text) or (None, {})
        return Sighting(self.source, raw.number, raw.start, line, failure, named)

    def read_tracebacks(self) -> Iterator[Raised]:
        """Read on from each traceback's head until no rank is in the middle of one."""
        heads = sorted(self.heads)
        if len(heads) > MAX_TRACEBACKS:
            heads = heads[: MAX_TRACEBACKS // 4] + heads[-3 * MAX_TRACEBACKS // 4 :]
        reader, reached, number, total = TracebackReader(), -1, 0, 0
        for head in heads:
            if head < reached:
                continue
            here = 0
            for line in self.log.lines(self.log.bounds(max(0, head - 2))[0], head + TRACEBACK_BYTES):
                if raised := reader.take(line.number, line.start, cleaned(line.raw, self.year, self.own)):
                    here, total = here + 1, total + 1
                    yield raised
                reached, number = line.start + 1, line.number
                flood = total > MANY_RAISED and here >= RAISED_IN_A_FLOOD and head != heads[-1]
                if flood or (line.start > head and reader.idle()):
                    break
            else:
                if head + TRACEBACK_BYTES >= self.log.size:
                    yield from reader.cut_off(number)


def places_of(text: bytes, literal: bytes, start: int) -> Iterator[int]:
    """Give where a string ends, each time it stands behind a place."""
    while (start := text.find(literal, start)) >= 0:
        start += len(literal)
        yield start - 1


def line_around(block: bytes, place: int) -> tuple[int, int]:
    """Find the line for the eye around a place in a block."""
    low = max(block.rfind(b"\n", 0, place), block.rfind(b"\r", 0, place)) + 1
    feed = block.find(b"\n", place)
    high = feed if feed >= 0 else len(block)
    back = block.find(b"\r", place, high)
    high = back if back >= 0 else high
    return max(low, place - MAX_LINE_BYTES), min(high, place + MAX_LINE_BYTES)
