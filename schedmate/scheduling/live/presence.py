"""Is a loop up, and only one: a lock that the kernel takes back with the process, and a pipe that wakes it."""

import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from schedmate.clusters.runner.processes import start_ticks
from schedmate.clusters.waiting import wake, wake_path
from schedmate.errors import SchedMateError
from schedmate.history.database import LOCK_NAME
from schedmate.tools.locks import is_locked
from schedmate.tools.own_folder import claim

LOOKERS_S = 2.0
"""How long a loop that comes up waits for those who look whether one is up: each has the lock for a moment."""


class LoopError(SchedMateError):
    """Say that the loop is not up, or that it is up already."""


def lock_file(data_dir: Path) -> Path:
    """Name the file that a loop holds locked while it is up."""
    return data_dir / LOCK_NAME


class Presence:
    """A loop's hold on its store: a lock on a file, which is made anew if somebody removes it."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.turn = secrets.token_hex(8)
        """What the store is to hold as long as this loop is the one."""
        self.handle = locked(data_dir)

    def look(self) -> None:
        """See that the lock's file is still the one that is held; who took another in its place is the loop now."""
        while not is_file_of(self.handle, self.data_dir):
            handle = locked(self.data_dir)
            os.close(self.handle)
            self.handle = handle

    def close(self) -> None:
        """Let go."""
        os.close(self.handle)


@contextmanager
def presence(data_dir: Path) -> Iterator[Presence]:
    """Be the one loop of a store; a second is refused."""
    held = Presence(data_dir)
    try:
        held.look()
        yield held
    finally:
        held.close()


def locked(data_dir: Path) -> int:
    """Lock the file, made if it is not there, and put this process's number into it."""
    try:
        claim(data_dir)
        # Private, as whoever can open a file can lock it, and so keep every loop from coming up.
        handle = os.open(lock_file(data_dir), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        hint = "name another directory in SCHEDMATE_DATA_DIR"
        raise LoopError(f"{data_dir} cannot be used: {error.strerror}", hint) from error
    try:
        os.fchmod(handle, 0o600)
        take(handle, data_dir)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    except BaseException:
        os.close(handle)
        raise
    return handle


def is_file_of(handle: int, data_dir: Path) -> bool:
    """Tell whether a file is the one that stands there under the lock's name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(handle), os.stat(lock_file(data_dir), follow_symlinks=False))
    return False


def take(handle: int, data_dir: Path) -> None:
    """Take the lock; who merely looks whether it is held has it for a moment, another loop for good."""
    deadline = time.monotonic() + LOOKERS_S
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            told = os.pread(handle, 32, 0).decode(errors="replace").strip()
            is_alive = told.isdecimal() and start_ticks(int(told)) > 0
            if is_alive or time.monotonic() > deadline:
                raise LoopError(
                    f"a loop is up already on {data_dir} (process {told})",
                    "end it with: schedmate down; or give this one a SCHEDMATE_DATA_DIR of its own",
                ) from None
        time.sleep(0.02)


def is_up(data_dir: Path) -> bool:
    """Tell whether a loop is up."""
    return is_locked(lock_file(data_dir))


def myself() -> str:
    """Name this process as no other is named in this boot."""
    return name_of(os.getpid())


def whoever_is_up(data_dir: Path) -> str:
    """Name the loop that is up, so that what is meant for it reaches no later one; empty while it has not said so."""
    try:
        pid = lock_file(data_dir).read_text().strip()
    except OSError:
        return ""
    return name_of(int(pid)) if pid.isdecimal() else ""


def name_of(pid: int) -> str:
    """Name a process by its number and its start."""
    return f"{pid}/{start_ticks(pid)}"


def poke(data_dir: Path) -> None:
    """Wake the loop, if it is up."""
    wake(wake_path(data_dir))


def require_up(data_dir: Path) -> None:
    """Refuse what only a loop can do."""
    if not is_up(data_dir):
        raise LoopError(f"no loop is up on {data_dir}", "start one with: schedmate up")


def wait_until_down(data_dir: Path, within_s: float) -> bool:
    """Wait for the loop's end."""
    deadline = time.monotonic() + within_s
    while is_up(data_dir):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
