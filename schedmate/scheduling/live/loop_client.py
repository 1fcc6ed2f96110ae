"""Ask something of the loop that is up, one's own or the machine's, and wait for its answer."""

import time

from schedmate.errors import SchedMateError
from schedmate.scheduling.live.stores import Store

PATIENCE_S = 15.0


def ask_of(store: Store, kind: str, target: int = 0, argument: str = "") -> str:
    """Ask something of the loop, wait for the answer and give it; without a loop nothing is asked."""
    store.require_loop()
    return answer_to(store, store.ask(kind, target, argument))


def answer_to(store: Store, request: int) -> str:
    """Wake the loop for what was asked of it, and wait for the answer."""
    store.wake()
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
