"""Tell whose lines stand in the middle of a stack: another writer's, who goes on whatever becomes of the program.

A sidecar's heartbeats, a scraper, an uploader write where the program writes. No program says anything between two
calls of its own stack, so what does is no sign that it lives.
"""

from itertools import islice

from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.stack_lines import ANY_STACK_HEAD, is_call
from schedmate.readers.templates import mask_line

MOST_LINES = 400
"""So many lines a stack, and what others say in it, may have; of a repeated fault the first and the last count."""
BETWEEN_CALLS = 3
"""So many lines stand between two calls of one stack at most, those of its source left out."""
SOURCE_INDENT = 2
"""What is moved in by so much belongs to the call above it."""


def said_amid(first: Sighting, last: Sighting, reading: FailureReading) -> set[str]:
    """Give the lines, without their figures, that stand between two calls of a fault's stack.

    Steps are no other writer's: another rank of the job makes them, if not this one.
    """
    return said_in(first, reading) | (said_in(last, reading) if last.begins > first.begins else set())


def said_in(item: Sighting, reading: FailureReading) -> set[str]:
    """Give what stands between the calls of the stack with which a fault begins, and of those close behind it."""
    found: set[str] = set()
    since: list[str] | None = None
    rows = islice(reading.log.lines(item.begins, reading.part_of(item.start).end), MOST_LINES)
    for line in map(reading.cleaner.take, rows):
        if is_call(line.text):
            found.update(since if since is not None and len(since) <= BETWEEN_CALLS else ())
            since = []
        elif ANY_STACK_HEAD.search(line.text):
            since = None
        elif since is not None and line.text and line.indent < SOURCE_INDENT and not is_progress(line.text):
            since.append(mask_line(line.text))
    return found
