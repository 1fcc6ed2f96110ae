"""Chroma's files, told whole from broken: Chroma itself checks few of them, and crashes on what a torn one says.

After an addition that changed the graph's files (one in a thousand does) their sums are written down beside them. What
was killed in between does not agree with its sums, and is filled anew like what a disk has spoiled.
"""

import json
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from schedmate.errors import StoreError

SUFFIXES = (".bin", ".pickle")
"""The graph's files."""
DATABASE = "chroma.sqlite3"
"""Checks itself."""
BLOCK = 1 << 20

Seen = dict[str, tuple[int, int]]


def graph_files(folder: Path) -> list[Path]:
    """Name the files of Chroma's graphs."""
    return sorted(path for path in folder.glob("*/*") if path.suffix in SUFFIXES)


def sums_path(folder: Path) -> Path:
    """Name the file of sums: beside Chroma's folder, which is Chroma's own."""
    return folder.with_name(f"{folder.name}.sums")


def look(folder: Path) -> Seen:
    """Take a quick look, by which a change is noticed while nobody else writes."""
    found = {str(path.relative_to(folder)): path.stat() for path in graph_files(folder)}
    return {name: (stat.st_size, stat.st_mtime_ns) for name, stat in found.items()}


def sums(folder: Path) -> dict[str, int]:
    """Read all through."""
    return {str(path.relative_to(folder)): file_sum(path) for path in graph_files(folder)}


def file_sum(path: Path) -> int:
    """Sum up one file, block by block."""
    total = 0
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            total = crc32(block, total)
    return total


def write_sums(folder: Path) -> None:
    """Write down what the files are like now."""
    fresh = sums_path(folder).with_suffix(".fresh")
    fresh.write_text(json.dumps(sums(folder)), "ascii")
    fresh.replace(sums_path(folder))


def check_sums(folder: Path) -> None:
    """Look whether the files are what was left; before there is a graph, there are no sums."""
    if folder.exists() and not (folder / DATABASE).exists():
        raise StoreError(f"{folder / DATABASE} is gone", "it is made anew")
    told: object = {}
    with suppress(OSError, ValueError):
        told = json.loads(sums_path(folder).read_text("ascii"))
    if sums(folder) != told:
        raise StoreError(f"the files in {folder} are damaged, or were left half written", "it is made anew")
