"""What the loop of a shared machine does beside its own: it sees to it that the door is open, and where things lie."""

import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from schedmate.errors import SchedMateError
from schedmate.scheduling.live.messages import Message
from schedmate.tools.python_children import INTERPRETER, OURS
from schedmate.workers.worker import Pipes, Worker

MODULE = "schedmate.scheduling.live.door"
DATA, LOGS, SOCKET = "/var/lib/schedmate", "/var/log/schedmate", "/run/schedmate/socket"
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Doorkeeper:
    """Keeps a process at the door; one that dies is replaced, and the loop does not feel it."""

    def __init__(
        self, pipes: Pipes, socket: Path, data_dir: Path, operators: Sequence[str], say: Callable[[str], None]
    ) -> None:
        self.pipes = pipes
        self.told = {"socket": str(socket), "data_dir": str(data_dir), "operators": list(operators)}
        self.say = say
        self.helper = self.open()

    def open(self) -> Worker:
        """Put somebody at the door."""
        helper = Worker(MODULE, self.pipes, self.hear)
        helper.send(self.told)
        return helper

    def hear(self, word: Message) -> None:
        """Hear that the door is open."""
        self.say(f"the door is open at {self.told['socket']}")

    def tend(self) -> None:
        """Replace who has gone."""
        self.helper.flush()
        if self.helper.gone:
            self.say("the door has fallen shut; opening it again")
            self.helper = self.open()

    def close(self) -> None:
        """Shut the door; what was handed in stays."""
        self.helper.end()


def prepare(socket: Path, logs: Path) -> None:
    """Make the folders that all accounts pass through, and refuse what would not be safe, or would not work."""
    if os.geteuid():
        raise SchedMateError("a shared loop runs each job as its submitter: only root can", "see docs/shared.md")
    for folder, mode in ((socket.parent, 0o755), (logs, 0o711)):
        folder.mkdir(parents=True, exist_ok=True, mode=mode)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid or found.st_mode & OTHERS_WRITE:
            raise SchedMateError(
                f"{folder} is not root's alone to write in", f"chown root {folder}; chmod {mode:o} {folder}"
            )
        folder.chmod(mode)
    for path in (OURS, Path(os.__file__), Path(INTERPRETER)):
        closed = next((part for part in (path.resolve(), *path.resolve().parents) if not is_open(part)), None)
        if closed is not None:
            raise SchedMateError(
                f"{closed} is closed to other accounts, as which logs and code are read",
                "install SchedMate where all may read it, as in /opt/schedmate",
            )


def is_open(path: Path) -> bool:
    """Tell whether everybody may pass, or read."""
    mode = path.stat().st_mode
    return bool(mode & (stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH))
