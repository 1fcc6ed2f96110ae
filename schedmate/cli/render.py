"""What all commands share when they write for people."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

UNCUT_COLUMNS = 1000
"""A pipe has no width; what reads it wants whole values, not a table squeezed into a terminal's 80 columns."""


def console(stderr: bool = False) -> Console:
    """Give a console that never colours a pipe and never cuts a long value short there."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else UNCUT_COLUMNS
    return Console(stderr=stderr, width=width, highlight=False)


@contextmanager
def progress(what: str, total: int | None = None, as_bytes: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on a terminal; hears of what is done and of how much there is."""
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    shown = console(stderr=True)
    counter = DownloadColumn() if as_bytes else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), counter, TimeRemainingColumn())
    with Progress(*columns, console=shown, disable=not shown.is_terminal, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, total: bar.update(task, completed=done, total=total)
