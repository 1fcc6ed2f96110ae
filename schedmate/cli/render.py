"""What all commands share when they write for people."""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from schedmate.tools.plain_text import plain

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

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


def bar_may_show() -> bool:
    """Tell whether a bar disturbs nothing: a program that reads our output mostly writes to the same terminal."""
    if sys.stdout is None or not sys.stderr.isatty():
        return False
    try:
        return not stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):  # closed, or a stand-in without a file behind it
        return True


@contextmanager
def progress(what: str, total: int | None = None, as_bytes: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on a terminal; hears of what is done and of how much there is."""
    with bar_of(what, total, as_bytes) as (bar, task):
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def bar_of(what: str, total: int | None, as_bytes: bool) -> "Iterator[tuple[Progress, TaskID]]":
    """Make the bar, which goes when all is done."""
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    shown = console(stderr=True)
    counter = DownloadColumn() if as_bytes else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), counter, TimeRemainingColumn())
    # The bar's library takes over what is printed beside it. A pipe or a file must get that itself, unwrapped.
    beside = sys.stdout.isatty()
    with Progress(*columns, console=shown, disable=not bar_may_show(), transient=True, redirect_stdout=beside) as bar:
        yield bar, bar.add_task(what, total=total)


def counted(items: Iterable[T], what: str, total: int) -> Iterator[T]:
    """Hand items on behind a bar that counts them; on a terminal it makes room for what is said of each."""
    shares = sys.stdout.isatty()
    with bar_of(what, total, False) as (bar, task):
        for done, item in enumerate(items, 1):
            if shares:
                bar.stop()
            yield item
            bar.update(task, completed=done)
            if shares and done < total:
                bar.start()
