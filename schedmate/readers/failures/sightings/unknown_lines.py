"""Weigh lines that no entry knows: an exception without its stack, what calls itself fatal, what merely failed."""

from dataclasses import replace

from schedmate.knowledge.catalogue import Failure
from schedmate.readers.failures.lines.exceptions import failure_of
from schedmate.readers.failures.lines.tracebacks import bare_exception
from schedmate.readers.failures.sightings.scan import GRAVE_LEVELS
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late_re2

UNKNOWN_WEIGHT, UNKNOWN_GRAVE_WEIGHT, HEADER_WEIGHT = 0.12, 0.3, 0.1
RULER_WEIGHT = 0.02
BARE_EXCEPTION_WEIGHT = 0.45
UNKNOWN_ID = "unknown"
UNKNOWN = Failure(
    id=UNKNOWN_ID,
    pattern="",
    role="root",
    category="script",
    restart="no",
    weight=UNKNOWN_WEIGHT,
    literals=(),
    meaning="No entry of the catalogue knows this line.",
    action="Read the lines around it.",
    source="",
    samples=(),
    near_misses=(),
)
GRAVE = late_re2(
    r"\b(?:FATAL|CRITICAL|PANIC|ERROR|[Ff]atal|panic|[Kk]illed|[Aa]borted|core dumped)\b|^[Ee]rror\b"
    r"|^F \S+\.\w+:\d+\]|F0000 00:00:"
)
KLOG_ERROR = late_re2(r"(?:^|\s)E\d{4} \d\d:\d\d:\d\d\.\d{3,6} ")

OPENERS = (":", "{", "[", "(")
"""How a line ends of which the next ones are the content."""
RULER = late_re2(r"(?:^|\s)[*=#_~-]{8,}$")
"""A line that only frames another."""


def only_carried(item: Sighting) -> Sighting:
    """Know an exception that only carries the news of another, where its stack is not in the log."""
    if item.raised or not item.failure or not item.failure.general:
        return item
    bare = bare_exception(item.number, item.start, item.line)
    plain = failure_of(bare) if bare else None
    return replace(item, failure=plain) if plain and plain.role != "root" else item


def continues_a_record(item: Sighting) -> bool:
    """Tell a line that only goes on with what its program logged before: a frame, an explanation."""
    return item.line.level == "ERROR" and item.line.indent > 1


def introduces(item: Sighting) -> bool:
    """Tell a line that only says what is printed below it."""
    return item.failure is None and item.line.text.endswith(OPENERS)


def is_of_machines(item: Sighting) -> bool:
    """Tell an error, as glog and klog mark one, whose words speak of a machine or a part of it."""
    failure = item.failure
    if failure is None or failure.subcategory in {None, "other"}:
        return False
    return item.line.level == "E" or bool(KLOG_ERROR.search(item.line.text))


def unknown(item: Sighting) -> Sighting:
    """Weigh a line that no entry knows: an exception without its stack, what calls itself fatal, what merely failed.

    Its words may tell its class; how much it counts they do not change.
    """
    if bare := bare_exception(item.number, item.start, item.line):
        plain = failure_of(bare)
        worded = item.failure if item.failure and plain.role == "root" else plain
        return replace(item, failure=worded._replace(weight=BARE_EXCEPTION_WEIGHT))
    if item.failure is None and (RULER.search(item.line.text.rstrip()) or continues_a_record(item)):
        return replace(item, failure=UNKNOWN._replace(weight=RULER_WEIGHT))
    grave = item.line.level in GRAVE_LEVELS or GRAVE.search(item.line.text) or is_of_machines(item)
    weight = HEADER_WEIGHT if introduces(item) else UNKNOWN_GRAVE_WEIGHT if grave else UNKNOWN_WEIGHT
    return replace(item, failure=(item.failure or UNKNOWN)._replace(weight=weight))
