"""Waiting for everything at once: the helpers' pipes, the pipe by which others wake the loop, the engine's news."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from schedmate.clusters.base import Clock, Ended, Event, FoundRunning, Learned, NodeDown, NodeUp, Submitted, Withdrawn
from schedmate.errors import SchedMateError
from schedmate.workers.worker import Poll

ORDER = {FoundRunning: 0, Ended: 0, NodeDown: 1, NodeUp: 1, Submitted: 2, Withdrawn: 2, Learned: 3}
"""Within a moment; those of one rank stay as they came, so that a job handed in and cancelled is not handed in last."""


class Waiting(Poll):
    """Sleeps for an engine: `look` posts what has happened, and is called at every wake-up, and every so often."""

    def __init__(self, wake: Path, clock: Clock, look: Callable[[], None], every_s: float) -> None:
        super().__init__()
        self.clock = clock
        self.look = look
        self.every_s = self.pause_s = every_s
        self.posted: list[Event] = []
        self.words: set[bytes] = set()
        """What those who woke us have written; the engine takes from it what it understands."""
        self.wake = open_fifo(wake)
        self.serve(self.wake, self.hear)

    def wait(self, until_s: float | None) -> list[Event]:
        """Sleep until something is posted; `[]` at the time that was named, and when a pipe has spoken."""
        heard = False
        while True:
            if not self.posted:
                self.pause_s = self.every_s  # unless the look asks for less
                self.look()
            if self.posted:
                events, self.posted = sorted(self.posted, key=lambda event: ORDER[type(event)]), []
                return events
            rest_s = self.pause_s if until_s is None else min(self.pause_s, until_s - self.clock.now_s())
            if heard or rest_s <= 0:
                return []
            heard = self.sleep(rest_s)

    def hear(self) -> None:
        """Read who woke us."""
        try:
            self.words.update(os.read(self.wake, 65536).split())
        except BlockingIOError:
            return

    def nudge(self) -> None:
        """Wake ourselves, as from within a signal."""
        os.write(self.wake, b"\n")

    def close(self) -> None:
        """Let go of the wake pipe; the helpers' are theirs."""
        os.close(self.wake)


def wake_path(data_dir: Path) -> Path:
    """Name the pipe through which the loop of a store is woken."""
    return data_dir / "jobs" / "wake"


def wake(path: Path) -> None:
    """Wake whoever waits, if anybody does."""
    with suppress(OSError):
        pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        os.write(pipe, b"\n")
        os.close(pipe)


def open_fifo(path: Path) -> int:
    """Open the pipe through which everybody wakes the loop; it is never at its end."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        os.mkfifo(path, 0o600)
    except FileExistsError:
        pass
    except OSError as error:
        raise SchedMateError(f"{path} cannot be made: {error}", "put SCHEDMATE_DATA_DIR on a local disk") from error
    return os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
