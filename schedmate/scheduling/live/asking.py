"""Ask something of the loop that is up, and wait for its answer."""

import time
from contextlib import closing
from pathlib import Path

from schedmate.errors import SchedMateError
from schedmate.history.live import LiveStore
from schedmate.scheduling.live.presence import poke, require_up

PATIENCE_S = 15.0


def ask(data_dir: Path, kind: str, target: int = 0, argument: str = "") -> str:
    """Ask something of the loop, wait for the answer and give it; without a loop nothing is asked."""
    with closing(LiveStore(data_dir)) as store:
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
