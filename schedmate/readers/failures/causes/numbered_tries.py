"""Walk back from what was tried in vain to its first try: lines that name the same thing and the number of a try."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.lines import Line, Speaker
from schedmate.readers.templates import mask_line
from schedmate.tools.late_patterns import late, late_re2
from schedmate.tools.raw_lines import RawLine

BACK_BYTES, MOST_LINES = 1 << 20, 2_000
"""How far before the end of all tries the first one may stand, and how many lines that name the thing are looked at."""
THING = late(
    r"(?:/[\w.@+~-]{2,80}){2,24}|\b[a-z][\w-]{5,62}(?=(?:\.[a-z][\w-]{0,62}){1,8}\.(?:local|internal|lab|lan|com|org|net|edu|io|dev|cloud)\b)|\b\d{1,3}(?:\.\d{1,3}){3}[:<]\d{2,5}\b"
)
"""What one waits for or asks again: a file, the first part of a host's full name, an address."""
TRY = late(
    r"(?i)\b(?:try|attempt|retry|tries|attempts|retries|trying again|retrying)\W{0,3}(?:(?:no\.?|number) )?#?"
    r"(?P<n>\d{1,4})\b"
)
"""How a program numbers its tries."""
WELL = late_re2(
    r"(?i)\b(?:connected|resolved|found|ok|ready|succeeded|success|recovered|restored|available|mounted|back)\b"
)

UNWELL = late_re2(r"(?i)\b(?:not|n't|cannot|never|no|un\w+|without|failed|error)\b")
"""What ends a series of tries: the thing was there; and what says that it was not."""
LEAST_TRIES, BETWEEN_LINES = 3, 12
"""Fewer are no series, and so many other lines end one."""
NAME_GOES_ON, PATH_GOES_ON = late(rb"[\w-]"), late(rb"[\w-]|[./]\w")
"""How the name of another thing goes on that begins so; a host may be told with its domain or without."""


def first_try(root: Sighting, case: JobCase) -> Sighting:
    """Give the first of the numbered tries that end in the root; what had been got in the end is another series."""
    own, thing = case.own(root), named_in(root)
    if TRY.search(root.line.text) and (root.raised is None or root.raised.start != root.start):
        return first_of_its_words(root, own)
    if not thing or root.failure is None:
        return root
    first, reached, seen, places = None, 0, set[tuple[str, Speaker]](), [head_of(root)]
    for raw, line in islice(naming(thing, root, own), MOST_LINES):
        told = TRY.search(line.text)
        if told is None:
            if is_well(line):
                break
            continue
        number, said = int(told["n"]), (line.text, line.speaker)
        if first is not None and (said in seen or number > reached + (reached > 1)):
            break  # of several processes that try at once one may be a try behind
        first, reached = raw, number
        seen.add(said)
        places.append(raw.number)
    if first is None or reached > 1 or len(seen) < LEAST_TRIES or went_on_behind(places):
        return root
    return replace(root, number=first.number, start=first.start, line=own.cleaner.take(first))


def head_of(root: Sighting) -> int:
    """Give the number of the line in which the root, or its stack, begins."""
    return root.raised.head_number if root.raised else root.number


def went_on_behind(places: Sequence[int]) -> bool:
    """Tell an end that is farther from the last try than twice what any two tries were from each other: it was got
    over, though nobody says so. The places stand from the end on.
    """
    gaps = [later - earlier for later, earlier in pairwise(places)]
    return gaps[0] > 2 * max(gaps[1:]) + BETWEEN_LINES


def is_well(line: Line) -> bool:
    """Tell that a thing was there."""
    return WELL.search(line.text) is not None and not UNWELL.search(line.text)


def first_of_its_words(root: Sighting, own: FailureReading) -> Sighting:
    """Give the first try of a series in the words of one of them: there may be more than a scan keeps."""
    words, first = mask_line(root.line.text), root
    for raw in islice(own.log.lines_backward(root.start, own.attempt.start), MOST_LINES):
        line = own.cleaner.take(raw)
        if mask_line(line.text) == words:
            first = replace(root, number=raw.number, start=raw.start, line=line)
        elif first.number - raw.number > BETWEEN_LINES or is_well(line):
            break
    return first


def named_in(root: Sighting) -> bytes:
    """Give the thing that a line, or the message of an exception, speaks of."""
    found = THING.search(root.raised.message if root.raised else root.line.text)
    return found[0].encode() if found else b""


def naming(thing: bytes, root: Sighting, own: FailureReading) -> Iterator[tuple[RawLine, Line]]:
    """Walk back over the lines of the run that name a thing."""
    low = max(own.attempt.start, root.start - BACK_BYTES)
    block = own.log.window(low, root.start)
    place, goes_on = block.rfind(thing), PATH_GOES_ON if thing.startswith(b"/") else NAME_GOES_ON
    while place >= 0:
        raw = own.log.line_at(low + place)
        if not goes_on.match(block, place + len(thing)):
            yield raw, own.cleaner.take(raw)
        place = block.rfind(thing, 0, max(0, min(place, raw.start - low)))
