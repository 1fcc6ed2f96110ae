"""Read the last lines of a log by their words, where nothing in it reads like an error: those behind the last step."""

from collections.abc import Iterator
from itertools import islice

from schedmate.readers.failures.lines.line_cleaner import Cleaner
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.failures.sightings.loudness import is_handled, is_news
from schedmate.readers.failures.sightings.machine_trouble import NEIGHBOURS
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.logfile import LogFile

MOST_LINES, MOST_BYTES = 8, 1 << 12

WEIGHT = 0.2
"""How much such a line counts: little, as no entry knows it and it does not even call itself an error."""


def by_their_words(log: LogFile, source: int, cleaner: Cleaner, last_step: int | None) -> Iterator[Sighting]:
    """Give those of the last lines whose plain words tell of a fault or an end, last first."""
    behind = 0 if last_step is None else log.bounds(last_step)[1]
    lowest = max(behind, log.size - MOST_BYTES)
    for raw in islice(log.lines_backward(log.size, lowest), MOST_LINES):
        line = cleaner.take(raw)
        if not line.text or line.level in {"I", "W"} or is_handled(line.text) or is_news(line.text):
            continue
        if line.host is not None and NEIGHBOURS.search(line.text):
            continue
        entries = ready_entries()
        found = entries.match_daemon(line.text)
        if found and found[0].role == "health" and not found[0].general:
            continue
        if not found or not found[0].weight:
            found = entries.worded(line.text.encode("utf-8", "replace"))
        if found and found[0].role != "health":
            known = found[0]._replace(weight=min(found[0].weight, WEIGHT), wording=False)
            yield Sighting(source, raw.number, raw.start, line, known, found[1])
