"""Readers beside the loop: a few processes that read code and logs, each reading limited in time.

A reading that hangs (a model server that never answers, a file system that is gone) loses its process and says so;
scheduling goes on meanwhile with what is known.
"""

import json
import os
import select
import signal
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from schedmate.models.call_counts import LOST, CallCounts
from schedmate.settings import get_settings
from schedmate.tools.python_children import start_helper

Result = dict[str, Any]  # Any: what a helper wrote; who reads a field says of what type it has to be
MOST_BYTES = 8 << 20

BUILT_IN = "built-in"
"""The engine that asks no model."""


class Pipes(Protocol):
    """Whoever waits for many things at once, and calls back."""

    def serve(self, pipe: int, work: Callable[[], None]) -> None: ...
    def leave(self, pipe: int) -> None: ...


class Poll:
    """Waits for the helpers' answers, where there is nothing else to wait for."""

    def __init__(self) -> None:
        self.poll = select.poll()
        self.served: dict[int, Callable[[], None]] = {}

    def serve(self, pipe: int, work: Callable[[], None]) -> None:
        """Call `work` whenever there is something to read."""
        self.served[pipe] = work
        self.poll.register(pipe, select.POLLIN)

    def leave(self, pipe: int) -> None:
        """Watch a pipe no more."""
        self.poll.unregister(pipe)
        del self.served[pipe]

    def wait(self, most_s: float) -> None:
        """Serve who speaks, for at most so long."""
        for pipe, _ in self.poll.poll(most_s * 1000):
            if pipe in self.served:
                self.served[pipe]()


class Worker:
    """A process that answers JSON lines with JSON lines; it ends with us, whatever ends us."""

    def __init__(self, module: str, pipes: Pipes, hear: Callable[[Result], None], owner: str = "") -> None:
        self.owner = owner
        """As whom it reads, as JSON; empty: as the loop itself."""
        self.pipes = pipes
        self.hear = hear
        self.rest = b""
        self.process = start_helper(module)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.entry, self.pipe = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self.entry, False)
        os.set_blocking(self.pipe, False)
        self.unsent = b""
        pipes.serve(self.pipe, self.read)
        self.gone = False

    def send(self, message: Result) -> None:
        """Hand over a line; a helper that has died is noticed when it is read."""
        self.unsent += json.dumps(message).encode() + b"\n"
        self.flush()

    def flush(self) -> None:
        """Send what the helper takes now; one that hangs must not hold us up."""
        with suppress(OSError):
            while self.unsent and not self.gone:
                self.unsent = self.unsent[os.write(self.entry, self.unsent) :]

    def read(self) -> None:
        """Take in what has come."""
        try:
            data = os.read(self.pipe, 1 << 20)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data or len(self.rest) > MOST_BYTES:
            self.end()
            return
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            with suppress(ValueError):
                self.hear(json.loads(line))

    def end(self) -> None:
        """Let go of the process, if need be by force."""
        if self.gone:
            return
        self.gone = True
        self.pipes.leave(self.pipe)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)  # and what it has started: a test that hangs, say
        self.process.wait()


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
