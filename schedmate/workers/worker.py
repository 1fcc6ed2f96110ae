"""One helper process, and who waits for what it says: a JSON line in, a JSON line out."""

import json
import os
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from schedmate.tools.python_children import start_helper

Result = dict[str, Any]  # Any: what a helper wrote; who reads a field says of what type it has to be
MOST_BYTES = 8 << 20


class Pipes(Protocol):
    """Whoever waits for many things at once, and calls back."""

    def serve(self, pipe: int, work: Callable[[], None]) -> None: ...
    def leave(self, pipe: int) -> None: ...


class Poll:
    """Waits for whoever writes into a pipe, as helpers do, and has its reader called."""

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

    def sleep(self, most_s: float) -> bool:
        """Serve who speaks, for at most so long; tell whether anybody did."""
        ready = [pipe for pipe, _ in self.poll.poll(most_s * 1000)]
        for pipe in ready:
            if pipe in self.served:
                self.served[pipe]()
        return bool(ready)


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
