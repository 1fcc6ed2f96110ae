"""Spare Python the search for garbage where there is none: in what has just been loaded, and in what a process leaves.

Python looks through all objects for those that only hold each other whenever some hundreds more are there, and once
more as it ends. Modules, classes and tables stay, so a start would look through them dozens of times in vain.
"""

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Import or make what stays while the process lives: it is not looked through, neither now nor later.

    What is there already stays, too, so this is for starts, and not for what happens over and over.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def leave_all_at_exit() -> None:
    """Let the system take back all at once what is there when the process ends."""
    atexit.register(gc.freeze)
