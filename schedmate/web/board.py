"""The loop's own view, asked for while somebody looks: at most every two seconds, however many look."""

import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from schedmate.errors import SchedMateError
from schedmate.history.live import Changes, LiveStore
from schedmate.history.overviews import forget_question
from schedmate.scheduling.live.loop_client import NoAnswer, answer_to
from schedmate.scheduling.live.presence import is_up
from schedmate.scheduling.live.stores import OwnStore

FRESH_S, STALE_S = 2.0, 10.0
"""No sooner than the one is asked again if anything has changed, and after the other in any case."""
BUSY = "the loop is busy: this is what it said last"

PATIENCE_S = 3.0
"""How long a page waits for the loop; one that is busy shows what it said last."""


@dataclass(frozen=True)
class SeenBoard:
    """What the loop said, and when."""

    is_up: bool = False
    at_s: float | None = None
    mode: str = ""
    nodes: list[dict[str, Any]] = field(default_factory=list)
    queues: list[dict[str, Any]] = field(default_factory=list)
    trouble: str = ""

    @property
    def policy(self) -> str:
        """Name the policy."""
        return ", ".join(dict.fromkeys(one["policy"] for one in self.queues))

    @property
    def expected(self) -> dict[int, dict[str, Any]]:
        """Give what is known of those who wait, by number; `place` is where they stand."""
        return {
            job["job"]: job | {"place": place if queue["ordered"] else None}
            for queue in self.queues
            for place, job in enumerate(queue["first"], 1)
        }


class BoardKeeper:
    """Keeps the last board; one thread at a time asks for the next."""

    def __init__(self, data_dir: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.data_dir = data_dir
        self.clock = clock
        self.lock = threading.Lock()
        self.board = SeenBoard()
        self.asked_s = -STALE_S
        self.changes: Changes | None = None

    def look(self) -> SeenBoard:
        """Give the board as it is, or was a moment ago."""
        if self.clock() - self.asked_s >= FRESH_S and self.lock.acquire(blocking=self.board.at_s is None):
            try:
                if self.is_due():
                    self.board = self.asked()
                    self.asked_s = self.clock()
            finally:
                self.lock.release()
        return self.board

    def is_due(self) -> bool:
        """Tell whether to ask again."""
        age_s = self.clock() - self.asked_s
        if age_s >= STALE_S or self.changes is None:
            return True
        return age_s >= FRESH_S and self.changes.are_new()

    def asked(self) -> SeenBoard:
        """Ask the loop, and take its question back; nothing but an answer is left of it."""
        if not is_up(self.data_dir):
            return SeenBoard()
        try:
            with closing(OwnStore(self.data_dir)) as store:
                store.connection.execute("PRAGMA synchronous=NORMAL")  # a question may be lost
                request = store.ask("board")
                try:
                    told = answer_to(store, request, PATIENCE_S).data
                finally:
                    forget_question(store.connection, request)
            if self.changes is None:
                self.changes = Changes(LiveStore(self.data_dir))
            self.changes.are_new()  # our own question is no news
        except NoAnswer:
            return replace(self.board, is_up=True, trouble=BUSY)
        except SchedMateError as error:
            return replace(self.board, is_up=True, trouble=error.message)
        return SeenBoard(True, time.time(), told["mode"], told["nodes"], told["queues"])
