"""Class what Algorithm 1 located: the paper hands the lines around it on, here to the built-in's weighing."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.models.embedders.embedder import Embedder
from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.choosing import first_cause
from schedmate.readers.failures.causes.first_cause import CauseVerdict
from schedmate.readers.failures.causes.paper_locator import Chunk, ChunkReader, first_of, locate
from schedmate.readers.failures.causes.weighing import weigh_all
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.unknown_lines import unknown
from schedmate.readers.line_classes import LineClassifier
from schedmate.readers.lines import clean

AROUND_LINES = 200


CLASSIFIERS: dict[str, LineClassifier] = {}
"""One classifier an embedder: making one embeds all class descriptions."""


def line_classifier(embedder: Embedder) -> LineClassifier:
    """Make the classifier once a process."""
    if embedder.name not in CLASSIFIERS:
        CLASSIFIERS[embedder.name] = LineClassifier(embedder)
    return CLASSIFIERS[embedder.name]


def locate_as_paper(readings: Sequence[FailureReading], embedder: Embedder) -> CauseVerdict:
    """Locate with Algorithm 1 alone; nothing outside the window around its chunk is weighed."""
    readers = [ChunkReader(reading.log, reading.attempt, line_classifier(embedder)) for reading in readings]
    chunks = [locate(reader) for reader in readers]
    calls = sum(reader.calls for reader in readers)
    source = first_of(chunks)
    if source is None or (chunk := chunks[source]) is None:
        return CauseVerdict(None, chunks_read=calls)
    stumbles: list[str] = []
    around = suspects_around(chunk, source, readings, stumbles)
    inside = [one for one in around if chunk.first_line <= one.sighting.number <= chunk.last_line]
    root = first_cause(inside, stumbles) or by_context(chunk, readings[source], around, stumbles)
    return CauseVerdict(root, tuple(around), chunks_read=calls, notes=tuple(stumbles))


def suspects_around(
    chunk: Chunk, source: int, readings: Sequence[FailureReading], stumbles: list[str]
) -> list[Suspect]:
    """Weigh what stands within the lines that the paper would hand to a model."""
    first, last = chunk.first_line - AROUND_LINES // 2, chunk.last_line + AROUND_LINES // 2
    near = [item for item in readings[source].suspects() if first <= item.number <= last]
    return weigh_all(JobCase(readings, near, stumbles=stumbles))[0]


def by_context(chunk: Chunk, reading: FailureReading, around: Sequence[Suspect], stumbles: list[str]) -> Sighting:
    """Let the chunk's gravest line be the root, classed by what stands around it."""
    start = reading.log.line_offset(chunk.error_line)
    line = clean(reading.log.line_at(start).raw)
    cause = first_cause(around, stumbles)
    bare = Sighting(reading.source, chunk.error_line, start, line, None)
    return replace(bare, failure=cause.failure) if cause else unknown(bare)
