"""What the commands that talk to the loop share: the store, and a request with its answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from schedmate.cli.saying import say

if TYPE_CHECKING:
    from pathlib import Path

    from schedmate.history.live_rows import Answer
    from schedmate.scheduling.live.stores import Store

JOB = "The job's number, or its id on the cluster, as 48213_7."
"""Help for the argument of every command that takes a job."""


@contextmanager
def live_store(only_look: bool = False) -> "Iterator[Store]":
    """Open the store that the settings name, or the door of the shared loop; who only looks needs no right to write."""
    from schedmate.settings import get_settings

    store: Store
    if (socket := shared_socket()) is not None:
        from schedmate.scheduling.live.visitor import Visitor

        store = Visitor(socket)
    else:
        from schedmate.scheduling.live.stores import OwnStore

        store = OwnStore(get_settings().data_dir, only_look=only_look)
    is_whole = True
    try:
        yield store
    except Exception as error:
        from schedmate.history.intact import is_damage

        is_whole = not is_damage(error.__cause__ or error)
        raise
    finally:
        if is_whole:  # else what is left of a damaged log would be written into the store
            store.close()


def shared_socket() -> "Path | None":
    """Name the door of the machine's shared loop; none where this account has a loop of its own."""
    from pathlib import Path

    from schedmate.scheduling.live.doorkeeping import SOCKET
    from schedmate.settings import get_settings, source_of

    named = get_settings().socket
    if named == "auto":
        found = Path(SOCKET)
        return found if source_of("data_dir") == "default" and found.is_socket() else None
    return None if named == "none" else Path(named)


def ask(kind: str, target: int = 0, argument: str = "") -> "Answer":
    """Ask something of the loop of the settings' store, or of the shared one, and give its answer."""
    from schedmate.scheduling.live.loop_client import ask_of

    with live_store() as store:
        return ask_of(store, kind, target, argument)


def show(kind: str, target: int = 0, argument: str = "") -> None:
    """Ask and print the answer."""
    say(ask(kind, target, argument).words)
