"""Tell a part of the machine that said shortly after its trouble that it was back: a link that went down and up."""

import re
from collections.abc import Iterator
from itertools import islice

from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.lines import Line

AFTER_BYTES, MOST_LINES, MOST_S = 1 << 16, 400, 300.0
OPPOSITES = {"down": "up", "lost": "restored", "not responding": "ok", "offline": "online", "inactive": "active"}

ENOUGH = {"attempting to reclaim": "without evicting"}
"""What a keeper of a host begins, and how it says that this was enough."""

NUMBERED = re.compile(r"\d")
KERNEL = re.compile(r"(?:kernel: )?\[ *\d{1,9}\.\d{3,6}\] |kernel: ")


def came_back(item: Sighting, own: FailureReading) -> bool:
    """Look on for the opposite of what was said of the same part: in the same words, or of the same thing of it."""
    text = words_of(item.line)
    if item.raised is None and any(begun in text and was_enough(item, own, said) for begun, said in ENOUGH.items()):
        return True
    place, bad = max(((text.rfind(bad), bad) for bad in OPPOSITES), key=lambda found: found[0])
    if item.raised or place < 0:
        return False
    good = OPPOSITES[bad]
    wanted, thing = text[:place] + good, thing_of(text[:place])
    for line in lines_behind(item, own, good):
        if line.host != item.line.host or line.clock != item.line.clock:
            continue
        said = words_of(line)
        if said.startswith(wanted) or (thing and said.startswith(f"{thing} {good}")):
            return (line.time_s or 0.0) - (item.line.time_s or 0.0) <= MOST_S
    return False


def was_enough(item: Sighting, own: FailureReading, words: str) -> bool:
    """Tell that the same host said soon that what it had begun was enough."""
    behind = lines_behind(item, own, words.split()[0])
    return any(line.host == item.line.host and words in words_of(line) for line in behind)


def lines_behind(item: Sighting, own: FailureReading, word: str) -> Iterator[Line]:
    """Give those of the lines close behind one that hold a word: only they are worth cleaning."""
    rows = islice(own.log.lines(item.start, min(own.log.size, item.start + AFTER_BYTES)), 1, MOST_LINES)
    wanted = word.encode()
    return (own.cleaner.take(raw) for raw in rows if wanted in raw.raw.lower())


def thing_of(words: str) -> str:
    """Give a part, which has a number in its name, and what of it is spoken of: `osc-0f: connection`; else nothing."""
    part, colon, rest = words.rpartition(": ")
    return f"{part}: {rest.split(' ', 1)[0]}" if colon and rest and NUMBERED.search(part) else ""


def words_of(line: Line) -> str:
    """Give what a line says without the kernel's own clock, in one case."""
    return KERNEL.sub("", line.text, count=1).lower()
