"""Which index answers a question: the one that the setting names; else our own files; else the store itself.

`auto` names Chroma as long as the history is small enough for it to be opened in a second, and our own files beyond.
These stand in wherever Chroma cannot be had; where another process owns it without a word, as they know as much.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from schedmate.history.chroma_directory import OwnedElsewhere
from schedmate.history.indexing import CHROMA_FOLDER, Index, Vectorises, open_index

MOST_IN_CHROMA = 100_000
"""Workloads up to which Chroma is opened in about a second, and filled in a minute; see docs/history.md."""
OURS = "built-in"


def ways(setting: str, count: int) -> tuple[str, ...]:
    """Name the indexes to ask of so many workloads, the first that can answer first."""
    chosen = setting or "auto"
    if chosen == "auto":
        chosen = "chroma" if count <= MOST_IN_CHROMA else OURS
    return (OURS,) if chosen == OURS else (chosen, OURS)


def make_room(data_dir: Path, setting: str, count: int, note: Callable[[str], None]) -> None:
    """Delete what Chroma held of a history that has outgrown it, and say once that our files have taken over."""
    folder = data_dir / CHROMA_FOLDER
    if setting not in {"", "auto"} or count <= MOST_IN_CHROMA or not os.access(folder, os.R_OK | os.X_OK):
        return
    from schedmate.history.chroma_embedded import retire

    if [parent for parent in folder.iterdir() if retire(parent)]:
        note(
            f"the history holds {count:,} workloads, more than the {MOST_IN_CHROMA:,} that are kept in Chroma: "
            "from now on our own files are asked, and what Chroma held is deleted"
        )


@contextmanager
def open_to_write(
    data_dir: Path, setting: str, count: int, vectoriser: Vectorises, note: Callable[[str], None]
) -> Iterator[tuple[str, Index]]:
    """Open the index in charge, or our own files where another process owns it; name which."""
    make_room(data_dir, setting, count, note)
    for way in ways(setting, count):
        with ExitStack() as stack:
            try:
                index = stack.enter_context(open_index(data_dir, way, vectoriser, note))
            except OwnedElsewhere:
                note("another process owns Chroma's directory, and adds what is new; these are our own files")
                continue
            yield way, index
            return
