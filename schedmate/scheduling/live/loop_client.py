"""Ask something of the loop that is up, one's own or the machine's, and wait for its answer."""

import time

from schedmate.errors import SchedMateError
from schedmate.history.live_rows import Answer
from schedmate.scheduling.live.stores import Store

PATIENCE_S = 15.0


class NoAnswer(SchedMateError):
    """Say that the loop is busy: it has the request, and will come to it."""


def ask_of(store: Store, kind: str, target: int = 0, argument: str = "") -> Answer:
    """Ask something of the loop, wait for the answer and give it; without a loop nothing is asked."""
    store.require_loop()
    return answer_to(store, store.ask(kind, target, argument))


def answer_to(store: Store, request: int, patience_s: float | None = None) -> Answer:
    """Wake the loop for what was asked of it, and wait for the answer; a refusal is raised."""
    store.wake()
    deadline = time.monotonic() + (PATIENCE_S if patience_s is None else patience_s)
    while (answer := store.answer_to(request)) is None:
        if time.monotonic() > deadline:
            raise NoAnswer("the loop has not answered yet; it has the request", "schedmate jobs shows what came of it")
        time.sleep(0.02)
    if not answer.ok:
        raise SchedMateError(answer.words)
    return answer
