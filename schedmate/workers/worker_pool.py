"""Helpers that read code and logs beside whoever asked, each reading limited in time.

A reading that hangs (a model server that never answers, a file system that is gone) loses its process and says so;
who asked goes on meanwhile with what is known.
"""

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from schedmate.models.call_counts import LOST, CallCounts
from schedmate.settings import get_settings
from schedmate.workers.worker import Pipes, Result, Worker

READING_BOUNDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Seconds that readings take, in the buckets in which whoever is monitored counts them."""
BUILT_IN = "built-in"
"""The engine that asks no model."""


@dataclass(slots=True)
class Task:
    """One reading that was asked for."""

    message: Result
    limit_s: float
    done: Callable[[Result], None]
    """Gets the answer, or `{"error": ...}`, with `"gone"` where the helper was lost over it."""
    deadline_s: float = 0.0

    @property
    def kind(self) -> str:
        """Name what is to be read."""
        return str(self.message.get("kind", ""))

    @property
    def may_ask_model(self) -> bool:
        """Tell whether a helper that is lost over it was lost, as far as anybody knows, to a model."""
        settings = get_settings()
        return self.message.get("engine", BUILT_IN) != BUILT_IN and bool(settings.llm or settings.llm_url)


class WorkerPool:
    """Hands readings to helpers, a few at a time, in order."""

    def __init__(self, pipes: Pipes, module: str, helpers: int) -> None:
        self.pipes = pipes
        self.module = module
        self.most = helpers
        self.waiting: deque[Task] = deque()
        self.idle: list[Worker] = []
        self.busy: dict[int, tuple[Worker, Task]] = {}
        self.calls = CallCounts()
        """What the helpers asked models, by the kind of the reading that it was for."""

    def ask(
        self, message: Result, limit_s: float, done: Callable[[Result], None], now_s: float, urgent: bool = False
    ) -> None:
        """Have something read, before all others if it is urgent; `done` is called from within the loop's wait."""
        task = Task(message, limit_s, done)
        self.waiting.appendleft(task) if urgent else self.waiting.append(task)
        self.tend(now_s)

    def tend(self, now_s: float) -> None:
        """Take their work from helpers that have died or are late, and hand out what waits."""
        given_up: list[tuple[Task, str]] = []
        for helper, task in [*self.busy.values()]:
            helper.flush()
            late = now_s > task.deadline_s
            if late or helper.gone:
                del self.busy[id(helper)]
                helper.end()
                given_up.append((task, f"no answer within {task.limit_s:g} s" if late else "the reader died"))
        for task, said in given_up:  # only now, for whoever hears of it may ask for more
            if task.may_ask_model:
                self.calls.note("", task.limit_s, failure=LOST, task=task.kind)
            task.done({"error": said, "gone": True})
        self.idle = [helper for helper in self.idle if not helper.gone]
        while self.waiting and len(self.busy) < self.most:
            task = self.waiting.popleft()
            helper = self.choose(task.message.get("as", ""))
            task.deadline_s = now_s + task.limit_s
            self.busy[id(helper)] = (helper, task)
            helper.send(task.message)

    def choose(self, owner: str) -> Worker:
        """Take a helper that reads as this account; others go where there are too many of them."""
        mine = next((helper for helper in self.idle if helper.owner == owner), None)
        if mine is not None:
            self.idle.remove(mine)
            return mine
        while len(self.idle) >= self.most:
            self.idle.pop(0).end()
        return self.hire(owner)

    def hire(self, owner: str) -> Worker:
        """Start a helper; what is an account's is read by nobody but itself."""
        mine: list[Worker] = []

        def hear(answer: Result) -> None:
            entry = self.busy.pop(id(mine[0]), None)
            if entry is not None:
                self.idle.append(mine[0])
                self.calls.merge(answer.pop("model_calls", []), entry[1].kind)
                entry[1].done(answer)

        mine.append(Worker(self.module, self.pipes, hear, owner))
        if owner:
            mine[0].send({"kind": "become", "who": json.loads(owner)})
        return mine[0]

    def close(self) -> None:
        """End all helpers; what they had is asked again by whoever comes next."""
        for helper in [*self.idle, *(helper for helper, _ in self.busy.values())]:
            helper.end()
