"""Read a notice between two rulers as a whole: what its last lines say is done instead, goes for its first ones too."""

from collections.abc import Iterable
from itertools import islice, takewhile

from schedmate.readers.failures.reading import FailureReading
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.raw_lines import RawLine

RULER = late_re2(r"^\W{0,4}(?:-{20,}|={20,}|\*{20,}|#{20,})\W{0,4}$")
"""What Open MPI and others print above and below a notice."""
MOST_LINES = 24
"""How long a notice is at most, to either side."""
DONE_WITHOUT = late_re2(
    r"(?i)\b(?:another|other|a different|the default) [\w-]{1,30} (?:will|is going to) be (?:used|tried|chosen)\b"
    r"|\b(?:may|might|could|will) (?:result in|lead to|have|cause) (?:\w+ )?(?:lower|reduced|degraded|slower|poor)"
    r" performance\b|\bperformance (?:may|might|could|will) be (?:lower|reduced|degraded|poor|suboptimal)\b"
    r"|\b(?:turn|switch)(?:ed)? off this (?:warning|message|notice)\b"
    r"|\b(?:disable|silence|suppress|hide) this (?:warning|message|notice)\b"
    r"|\bthis (?:warning|message|notice) can be (?:disabled|silenced|suppressed|turned off|ignored)\b"
    r"|\bwill be disabled for this (?:job|port|device|run|process)\b"
    r"|\bwill (?:now )?(?:continue|proceed|go on|fall back|be ignored|be skipped)\b"
)
"""How a notice, whose lines are wrapped, says that all goes on: what it is about is not there, and is not needed."""


def is_done_without_in_its_notice(raw: RawLine, own: FailureReading) -> bool:
    """Tell a line of a notice that says what is used instead, or how it can be turned off."""
    part = own.part_of(raw.start)
    above = own.log.lines_backward(raw.start, part.start)
    below = islice(own.log.lines(raw.start, part.end), 1, None)
    before, after = up_to_ruler(above, own), up_to_ruler(below, own)
    if before is None or after is None:
        return False
    said = [*reversed(before), own.cleaner.take(raw).text, *after]
    return bool(DONE_WITHOUT.search(" ".join(text.strip() for text in said)))


def up_to_ruler(rows: Iterable[RawLine], own: FailureReading) -> list[str] | None:
    """Give the lines as far as the next ruler; None where there is none near by."""
    near = [own.cleaner.take(raw).text for raw in islice(rows, MOST_LINES)]
    said = list(takewhile(lambda text: not RULER.search(text), near))
    return said if len(said) < len(near) else None
