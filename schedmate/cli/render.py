"""What all commands share when they write for people."""

import sys

from rich.console import Console

UNCUT_COLUMNS = 1000
"""A pipe has no width; what reads it wants whole values, not a table squeezed into a terminal's 80 columns."""


def console(stderr: bool = False) -> Console:
    """Give a console that never colours a pipe and never cuts a long value short there."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else UNCUT_COLUMNS
    return Console(stderr=stderr, width=width, highlight=False)
