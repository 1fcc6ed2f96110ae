"""Find the first error as the paper does: binary search over chunks of 20 lines with the Log Classifier.

Algorithm 1 as printed goes left while the class of the middle chunk is at most 2, which takes progress for failure;
the text around it says that progress comes before the root cause. So here a chunk counts as an error when its class is
failure.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from schedmate.readers.failures.runs.attempts import Attempt
from schedmate.readers.line_classes import CLASSES, LineClassifier
from schedmate.readers.lines import visible
from schedmate.tools.logfile import LogFile

CHUNK_LINES = 20
FAILURE = 0


@dataclass(frozen=True, slots=True)
class Chunk:
    """The chunk that Algorithm 1 returns, by line numbers, and how often the classifier was called."""

    first_line: int
    last_line: int
    error_line: int
    calls: int


class ChunkReader:
    """Classify a log's chunks by number; each call is counted."""

    def __init__(self, log: LogFile, attempt: Attempt, classifier: LineClassifier) -> None:
        self.log, self.classifier = log, classifier
        self.first_line = log.line_number(attempt.start)
        self.last_line = max(self.first_line, log.line_number(max(attempt.start, attempt.end - 1)))
        self.calls = 0

    def __len__(self) -> int:
        return -(-(self.last_line - self.first_line + 1) // CHUNK_LINES)

    def lines(self, chunk: int) -> list[tuple[int, str]]:
        """Read one chunk: numbers and texts."""
        first = self.first_line + chunk * CHUNK_LINES
        start, end = self.log.line_offset(first), self.log.line_offset(min(first + CHUNK_LINES, self.last_line + 1))
        return [(line.number, visible(line.raw)) for line in self.log.lines(start, end)]

    def class_of(self, chunk: int) -> int:
        """Ask the Log Classifier: 0 failure, 1 warning, 2 progress, 3 other."""
        self.calls += 1
        return CLASSES.index(self.classifier.classify_chunk([text for _, text in self.lines(chunk)]).label)

    def gravest_line(self, chunk: int) -> int:
        """Number the line of a chunk that reads most like an error."""
        lines = self.lines(chunk)
        verdicts = self.classifier.classify([text for _, text in lines])
        leads = [verdict.scores[0] - max(verdict.scores[1:]) for verdict in verdicts]
        return lines[leads.index(max(leads))][0]


def locate(reader: ChunkReader) -> Chunk | None:
    """Run Algorithm 1; None where it returns -1, no failure found."""
    start, end = 0, len(reader) - 1
    while start <= end:
        middle = (start + end) // 2
        if start >= end:
            return found(reader, start) if reader.class_of(start) == FAILURE else None
        if reader.class_of(middle) == FAILURE:
            end = middle
        else:
            start = middle + 1
    return None


def found(reader: ChunkReader, chunk: int) -> Chunk:
    """Name the chunk's lines."""
    first = reader.first_line + chunk * CHUNK_LINES
    last = min(first + CHUNK_LINES - 1, reader.last_line)
    return Chunk(first, last, reader.gravest_line(chunk), reader.calls)


def first_of(chunks: Sequence[Chunk | None]) -> int | None:
    """Choose among ranks' logs: the one whose root stands earliest, as line numbers are all that the paper uses."""
    places = [(chunk.first_line, source) for source, chunk in enumerate(chunks) if chunk]
    return min(places)[1] if places else None
