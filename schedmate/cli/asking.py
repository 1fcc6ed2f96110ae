"""What the commands that talk to the loop share: the store, and a request with its answer."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from schedmate.cli.saying import say

if TYPE_CHECKING:
    from schedmate.history.live import LiveStore

PATIENCE_S = 15.0
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
    """Ask something of the loop, wait for the answer and give it; without a loop nothing is asked."""
    from schedmate.errors import SchedMateError
    from schedmate.scheduling.live.presence import poke, require_up

    with live_store() as store:
        require_up(store.data_dir)
        request = store.ask(kind, target, argument)
        poke(store.data_dir)
        deadline = time.monotonic() + PATIENCE_S
        while (answer := store.answer_to(request)) is None:
            if time.monotonic() > deadline:
                raise SchedMateError(
                    "the loop has not answered yet; it has the request", "schedmate jobs shows what came of it"
                )
            time.sleep(0.02)
    if answer.startswith("error: "):
        raise SchedMateError(answer.removeprefix("error: "))
    return answer


def show(kind: str, target: int = 0, argument: str = "") -> None:
    """Ask and print the answer."""
    say(ask(kind, target, argument))
