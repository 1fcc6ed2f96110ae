"""Tell whether the last run of a log did more than begin: a server that answered, a program that met no bad end."""

from collections.abc import Sequence
from itertools import islice, pairwise

from schedmate.readers.failures.lines.line_cleaner import Cleaner
from schedmate.readers.failures.runs.appended_runs import SHELLS_LINE
from schedmate.readers.failures.runs.attempts import Attempt
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.logfile import LogFile

ANSWERED = late_re2(
    r'"[A-Z]{3,7} /\S* HTTP/\d(?:\.\d)?" [23]\d\d\b|\b(?:[Rr]eceived|[Ff]inished|[Cc]ompleted) request\b'
    r"|\bgeneration throughput\b"
)
"""How a server notes what it did for a client."""
BAD_END = late_re2(
    r"^\++ ?(?:exit|return) [1-9]\d{0,2}\b"
    r"|(?i)\bexit(?:ed|ing|s)?\b.{0,30}\b(?:code|status|with)[ =:]{0,3}-?[1-9]\d{0,2}\b"
    r"|\b(?:failed|failure|abort(?:ed|ing)|killed|terminated|giv(?:es?|ing) up|gave up)\b"
)
"""How a shell's trace, a wrapper or a program tells that no good end was met."""
MOST_SERVERS, MOST_LINES, MOST_BYTES, LAST_LINES = 64, 4000, 1 << 19, 4

LEAST_LINES = 40
"""A run that said so much was at work, steps or not."""
SIGNALS = frozenset(
    {"Killed", "Aborted", "Aborted (core dumped)", "Segmentation fault", "Segmentation fault (core dumped)"}
)
"""How a shell that runs one command tells of the signal that ended it."""


def answered(log: LogFile, served: Sequence[int]) -> list[int]:
    """Give the last places at which a server came up that answered somebody before the next one came up."""
    edges = pairwise([*served[-MOST_SERVERS:], log.size])
    return [place for place, end in edges if has_answered(log, place, end)]


def has_answered(log: LogFile, place: int, end: int) -> bool:
    """Tell whether a request that was served is noted behind a place."""
    rows = islice(log.lines(place, min(end, place + MOST_BYTES)), MOST_LINES)
    return any(ANSWERED.search(raw.raw.decode("utf-8", "replace")) for raw in rows)


def ended_badly(run: Attempt, log: LogFile, cleaner: Cleaner) -> bool:
    """Tell a run whose last lines speak of a bad end in the words of a shell or of a wrapper."""
    filled = (line.text for line in map(cleaner.take, log.lines_backward(run.end, run.start)) if line.text.strip())
    return any(BAD_END.search(text) for text in islice(filled, LAST_LINES))


def is_shells_last_word(item: Sighting, run: Attempt, log: LogFile) -> bool:
    """Tell a shell's word of a signal that ends the log, and with it a run that had said a lot."""
    if not run.holds(item.start) or not (item.line.text in SIGNALS or SHELLS_LINE.search(item.line.text)):
        return False
    if log.window(log.bounds(item.start)[1], run.end).strip():
        return False
    return item.number - log.line_number(run.start) >= LEAST_LINES
