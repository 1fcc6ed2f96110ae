"""What the commands that talk to the loop share: the store, and a request with its answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from schedmate.cli.saying import say

if TYPE_CHECKING:
    from schedmate.history.live import LiveStore

JOB = "The job's number, or what the cluster calls it, as 48213_7."
"""Help for the argument of every command that takes a job."""


@contextmanager
def live_store(only_look: bool = False) -> "Iterator[LiveStore]":
    """Open the store that the settings name; who only looks needs no right to write."""
    from schedmate.history.live import LiveStore
    from schedmate.settings import get_settings

    store = LiveStore(get_settings().data_dir, only_look=only_look)
    try:
        yield store
    finally:
        store.close()


def ask(kind: str, target: int = 0, argument: str = "") -> str:
    """Ask something of the loop of the settings' store, and give its answer."""
    from schedmate.scheduling.live.asking import ask as ask_loop
    from schedmate.settings import get_settings

    return ask_loop(get_settings().data_dir, kind, target, argument)


def show(kind: str, target: int = 0, argument: str = "") -> None:
    """Ask and print the answer."""
    say(ask(kind, target, argument))
