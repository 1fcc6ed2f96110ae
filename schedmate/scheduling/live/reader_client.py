"""Readings that may ask a model, and do without one that does not answer: what hung once delays no other."""

from collections.abc import Callable
from typing import Protocol

from schedmate.choices import EngineChoice
from schedmate.workers.worker import Result
from schedmate.workers.worker_pool import BUILT_IN, WorkerPool

LIMIT_S = 120.0
"""Time for a reading with no model in it."""
REST_S = 600.0
"""After a reading that hung no other asks the model for so long: each would cost its time limit."""


class TellsTime(Protocol):
    """Who knows the time."""

    def now_s(self) -> float: ...


class ReaderClient:
    """Asks the pool; an answer that a model kept from coming is asked for again without one."""

    def __init__(
        self,
        pool: WorkerPool,
        clock: TellsTime,
        engine: EngineChoice,
        model_limit_s: float,
        say: Callable[[str], None],
        took: Callable[[str, float, str], None] = lambda kind, took_s, by: None,
    ) -> None:
        self.pool = pool
        self.clock = clock
        self.engine = engine
        self.model_limit_s = model_limit_s
        self.say = say
        self.took = took
        """Hears what was read, how long that took in all, and who answered."""
        self.rests_until_s = 0.0

    def ask(self, message: Result, done: Callable[[Result], None], urgent: bool = False) -> None:
        """Have something read; `done` gets the answer, or `{"error": ...}` when not even the built-in had one."""
        now_s = self.clock.now_s()
        done = self.timed(str(message.get("kind", "")), now_s, done)
        if self.engine == BUILT_IN or now_s < self.rests_until_s:
            self.ask_built_in(message, done, urgent)
            return

        def answered(answer: Result) -> None:
            if "error" not in answer:
                done(answer)
                return
            if answer.get("gone"):
                self.rest(answer["error"])
            self.ask_built_in(message, done, urgent)

        limit_s = self.model_limit_s
        self.pool.ask(message | {"engine": self.engine, "limit_s": limit_s}, limit_s, answered, now_s, urgent)

    def timed(self, kind: str, asked_s: float, done: Callable[[Result], None]) -> Callable[[Result], None]:
        """Have it noted how long an answer took."""

        def answered(answer: Result) -> None:
            self.took(kind, self.clock.now_s() - asked_s, answered_by(answer))
            done(answer)

        return answered

    def ask_built_in(self, message: Result, done: Callable[[Result], None], urgent: bool) -> None:
        """Ask for what needs no server."""
        asked = message | {"engine": BUILT_IN, "limit_s": LIMIT_S}
        self.pool.ask(asked, LIMIT_S, done, self.clock.now_s(), urgent)

    def rest(self, why: str) -> None:
        """Leave the model alone for a while; those who wait for their turn with it do without it, too."""
        now_s = self.clock.now_s()
        if now_s >= self.rests_until_s:
            self.say(f"a reading was given up ({why}): the model is not asked for {REST_S / 60:.0f} min")
        self.rests_until_s = now_s + REST_S
        for task in self.pool.waiting:
            task.message |= {"engine": BUILT_IN, "limit_s": LIMIT_S}
            task.limit_s = LIMIT_S


def answered_by(answer: Result) -> str:
    """Say who answered: built-in, model, both; or that nobody did."""
    if "error" in answer:
        return "error"
    told = [value.get("engine") for value in answer.values() if isinstance(value, dict)]
    return next((str(engine) for engine in told if engine), BUILT_IN)
