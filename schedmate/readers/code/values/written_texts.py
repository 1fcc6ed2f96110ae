"""Texts that come to stand in files on the way, by a program or a shell: one over another, or behind it."""

from schedmate.readers.code.values.value import Value, join_spots, unknown

MOST_WRITTEN = 50
"""So many files are remembered; what is written into others is as if it were not read again."""
LONGEST = 100_000


def put_behind(before: Value, text: Value) -> Value:
    """Give what a file holds after something was put behind what it held, each line on its own line where it can be.

    What stands in one program, one line below the other, keeps its distance: a text counts its lines from its place.
    """
    if not isinstance(text.data, str) or not isinstance(before.data, str):
        return before if isinstance(text.data, str) and not text.data.strip() else unknown("put behind", before, text)
    gap = 0
    if before.src and text.src and before.src[0].path == text.src[0].path and before.data.endswith("\n"):
        gap = text.src[0].line - before.src[0].line - before.data.count("\n")
    return Value((before.data + "\n" * max(gap, 0) + text.data)[:LONGEST], join_spots(before, text))
