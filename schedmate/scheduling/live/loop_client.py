"""Ask something of the loop that is up, one's own or the machine's, and wait for its answer."""

import time
from contextlib import closing
from pathlib import Path

from schedmate.errors import SchedMateError
from schedmate.history.live import LiveStore
from schedmate.scheduling.live.presence import is_up, poke, require_up
from schedmate.scheduling.live.visitor import Store

PATIENCE_S = 15.0


def ask(data_dir: Path, kind: str, target: int = 0, argument: str = "") -> str:
    """Ask something of the loop of a store; without a loop nothing is asked."""
    with closing(LiveStore(data_dir)) as store:
        return ask_of(store, kind, target, argument)


def ask_of(store: Store, kind: str, target: int = 0, argument: str = "") -> str:
    """Ask something of the loop, wait for the answer and give it; without a loop nothing is asked."""
    require_loop(store)
    return answer_to(store, store.ask(kind, target, argument))


def answer_to(store: Store, request: int) -> str:
    """Wake the loop for what was asked of it, and wait for the answer."""
    wake(store)
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


def loop_is_up(store: Store) -> bool:
    """Tell whether a loop takes what is asked; who was let in at its door has met it."""
    return not isinstance(store, LiveStore) or is_up(store.data_dir)


def require_loop(store: Store) -> None:
    """Refuse what only a loop can do."""
    if isinstance(store, LiveStore):
        require_up(store.data_dir)


def wake(store: Store) -> None:
    """Wake the loop, if it is up; a door does so by itself."""
    if isinstance(store, LiveStore):
        poke(store.data_dir)
