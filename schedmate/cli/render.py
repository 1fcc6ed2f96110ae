"""What all commands share when they write for people."""

import sys

from rich.console import Console


def console(stderr: bool = False) -> Console:
    """Give a console that never colours a pipe and never cuts a long value short there."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, soft_wrap=not stream.isatty(), highlight=False)
