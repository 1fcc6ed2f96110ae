"""The pipe through which everybody wakes the loop, and the pipes of its helpers, waited for all at once."""

import os
import select
from collections.abc import Callable
from pathlib import Path

from schedmate.errors import SchedMateError

Run = tuple[int, int]


class Pipes:
    """Sleeps until something is said; calls back whoever serves the pipe that speaks."""

    def __init__(self, path: Path) -> None:
        self.wake = open_fifo(path)
        self.named: set[Run] = set()
        """Runs that have said of themselves that they have ended."""
        self.poll = select.poll()
        self.served: dict[int, Callable[[], None]] = {}
        self.serve(self.wake, self.hear)

    def serve(self, pipe: int, work: Callable[[], None]) -> None:
        """Call `work` whenever there is something to read."""
        self.served[pipe] = work
        self.poll.register(pipe, select.POLLIN)

    def leave(self, pipe: int) -> None:
        """Watch a pipe no more."""
        self.poll.unregister(pipe)
        del self.served[pipe]

    def sleep(self, most_s: float) -> bool:
        """Wait, and serve who speaks; tell whether a helper was among them."""
        ready = [pipe for pipe, _ in self.poll.poll(most_s * 1000)]
        for pipe in ready:
            if pipe in self.served:
                self.served[pipe]()
        return any(pipe != self.wake for pipe in ready)

    def hear(self) -> None:
        """Read who woke us."""
        try:
            data = os.read(self.wake, 65536)
        except BlockingIOError:
            return
        for word in data.split():
            number, _, run = word.partition(b"/")
            if number.isdigit() and run.isdigit():
                self.named.add((int(number), int(run)))

    def nudge(self) -> None:
        """Wake ourselves, as from within a signal."""
        os.write(self.wake, b"\n")

    def close(self) -> None:
        """Let go of the pipe; those of the helpers are theirs."""
        os.close(self.wake)


def open_fifo(path: Path) -> int:
    """Open the pipe through which everybody wakes the loop; it is never at its end."""
    try:
        os.mkfifo(path, 0o600)
    except FileExistsError:
        pass
    except OSError as error:
        raise SchedMateError(f"{path} cannot be made: {error}", "put SCHEDMATE_DATA_DIR on a local disk") from error
    return os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
