"""What all commands share when they write for people."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from schedmate.tools.plain_text import plain

T = TypeVar("T")

UNCUT_COLUMNS = 1000
"""A pipe has no width; what reads it wants whole values, not a table squeezed into a terminal's 80 columns."""


class Screen(Console):
    """A console on which text of others does nothing but stand there: neither markup nor a terminal's commands."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Show what would command the terminal; the console's own movements are segments of another kind."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable() or segment.text == "\n":
                yield segment
            else:
                yield Segment(plain(segment.text), segment.style)


def console(stderr: bool = False) -> Console:
    """Give a console that never colours a pipe and never cuts a long value short there."""
    terminal = (sys.stderr if stderr else sys.stdout).isatty()
    width = None if terminal else UNCUT_COLUMNS
    return Screen(stderr=stderr, force_terminal=terminal, width=width, highlight=False, markup=False, emoji=False)


@contextmanager
def progress(what: str, total: int | None = None, as_bytes: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on a terminal; hears of what is done and of how much there is."""
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    shown = console(stderr=True)
    counter = DownloadColumn() if as_bytes else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), counter, TimeRemainingColumn())
    # The bar's library takes over what is printed beside it. A pipe or a file must get that itself, unwrapped.
    beside = sys.stdout.isatty()
    with Progress(
        *columns, console=shown, disable=not shown.is_terminal, transient=True, redirect_stdout=beside
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def counted(items: Iterable[T], what: str, total: int) -> Iterator[T]:
    """Hand items on behind a bar that counts them."""
    with progress(what, total) as advance:
        for done, item in enumerate(items, 1):
            yield item
            advance(done, total)
