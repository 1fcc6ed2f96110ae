"""The paper's filter: from the end of a log backwards, keep the lines that the Log Classifier calls progress."""

from typing import TYPE_CHECKING, NamedTuple

from schedmate.readers.lines import visible
from schedmate.readers.templates import mask_line
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import RawLine

if TYPE_CHECKING:
    from schedmate.readers.line_classes import LineClassifier

BATCH_LINES = 256
"""Lines that are classified together: an embedder takes many at little more than the price of one."""
MAX_LINES = 100_000
"""A log that has no progress in so many lines from its end has none that is worth waiting for."""
MAX_CHARS = 500


class ProgressLine(NamedTuple):
    """A line that tells of training progress."""

    number: int
    text: str


def last_progress_lines(log: LogFile, classifier: "LineClassifier", most: int) -> list[ProgressLine]:
    """Give the last lines of progress in the order they were printed; each template is classified once."""
    found: list[ProgressLine] = []
    batch: list[RawLine] = []
    for seen, line in enumerate(log.lines_backward()):
        batch.append(line)
        if len(batch) == BATCH_LINES:
            found += progress_among(classifier, batch)
            batch = []
        if len(found) >= most or seen >= MAX_LINES:
            break
    found += progress_among(classifier, batch)
    return found[:most][::-1]


def progress_among(classifier: "LineClassifier", lines: list[RawLine]) -> list[ProgressLine]:
    """Keep what is progress."""
    texts = [visible(line.raw).strip() for line in lines]
    verdicts = classifier.classify_templates([mask_line(text) for text in texts])
    return [
        ProgressLine(line.number, text[:MAX_CHARS])
        for line, text, verdict in zip(lines, texts, verdicts, strict=True)
        if verdict.label == "progress"
    ]
