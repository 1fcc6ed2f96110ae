"""Read the lines that are learned from: those written for it, the catalogue's samples, and what loggers print."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from evals.embedding.log_lines import fill, read_statements
from schedmate.knowledge.catalogue import Failure, load_catalogue
from schedmate.readers.failures.sightings.plain_words import ENTRIES, NOTHING

MATERIAL = Path(__file__).parent / "material"
HARMLESS = frozenset({"progress", "other", "warning"})
SEED, FILLED = 3, 2

Lines = list[tuple[str, str]]
"""Each line's kind, and its text."""


def hands() -> dict[str, Lines]:
    """Give the lines of each hand: one file each, the kind and the line beside each other."""
    return {path.stem: read_lines(path) for path in sorted(MATERIAL.glob("*.tsv"))}


def read_lines(path: Path) -> Lines:
    """Read one hand's lines."""
    rows = (row.partition("\t") for row in path.read_text("utf-8").split("\n") if row)
    return [(kind, text) for kind, _, text in rows]


def of_all_hands(names: Sequence[str]) -> Lines:
    """Join the lines of hands, the catalogue's and the loggers'."""
    told = hands()
    return [*(line for name in names for line in told[name]), *of_the_catalogue(), *of_loggers()]


def of_the_catalogue() -> Iterator[tuple[str, str]]:
    """Give the samples of entries that state a cause, and of those that state none."""
    for entry in load_catalogue():
        if entry.role == "root" and entry.weight and kind_of(entry) in ENTRIES:
            yield from ((kind_of(entry), text) for text in entry.samples)
        elif entry.role != "root" or not entry.weight:
            yield from ((NOTHING, text) for text in entry.samples)
        if entry.daemon:
            yield from ((NOTHING, text) for text in entry.near_misses)


def kind_of(entry: Failure) -> str:
    """Name the kind of fault that an entry states."""
    part = entry.subcategory or "other"
    return f"{entry.category}/{part}" if entry.category == "infrastructure" else entry.category


def of_loggers() -> Iterator[tuple[str, str]]:
    """Fill the statements by which systems tell progress, settings and warnings."""
    draw = Random(SEED)
    for statement in read_statements(held_out=False):
        if statement.label in HARMLESS:
            yield from ((NOTHING, fill(statement.wording, draw)) for _ in range(FILLED))
