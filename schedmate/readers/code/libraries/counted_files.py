"""How many samples a file of the repository holds: entries of JSON, lines of JSON lines and lists, rows of a table."""

import csv
import json
from io import StringIO

from schedmate.readers.code.values.value import SourceLocation, Value
from schedmate.tools.repository import NotReadable, Repository

LARGEST = 4_000_000


def count_in_file(repository: Repository, path: str) -> Value | None:
    """Count the samples of a file, which is only looked into; nothing where it is no such file or too large."""
    end = path.rpartition(".")[2].lower()
    try:
        text = repository.peek(path, LARGEST)
        count = COUNTS[end](text) if end in COUNTS else None
    except (NotReadable, ValueError, csv.Error, RecursionError):
        return None
    return Value(count, (SourceLocation(path, 1),)) if count else None


def count_lines(repository: Repository, path: str, mark: str = "") -> Value | None:
    """Count the lines of an open file; where comments have a mark, those that are no comment and not empty."""
    try:
        found = repository.peek(path, LARGEST).splitlines()
    except NotReadable:
        return None
    count = sum(1 for line in found if line.strip() and not line.startswith(mark)) if mark else len(found)
    return Value(count, (SourceLocation(path, 1),))


def entries(text: str) -> int | None:
    """Count the entries of a list in JSON, or its lines where each is an entry of its own."""
    try:
        found = json.loads(text)
    except ValueError:
        return lines(text) if text.lstrip().startswith("{") else None
    return len(found) if isinstance(found, list) else None


def lines(text: str) -> int:
    """Count the lines that are not empty."""
    return sum(bool(line.strip()) for line in text.split("\n"))


def rows(text: str) -> int:
    """Count the rows of a table below its head."""
    return sum(1 for row in csv.reader(StringIO(text)) if row) - 1


COUNTS = {"json": entries, "jsonl": lines, "csv": rows, "tsv": lambda text: lines(text) - 1, "txt": lines, "lst": lines}
