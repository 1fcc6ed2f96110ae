"""The door of a shared loop: a socket that all accounts may open, in a process of its own.

Who stands there is asked of the kernel, never of him. What he may see or do is decided here and in the loop by the same
rights; everything that changes something goes into the store as a request, as the commands of a loop of one's own do.
"""

import json
import os
import socket
import stat
import sys
from contextlib import suppress
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingMixIn, UnixStreamServer
from struct import Struct, calcsize
from threading import BoundedSemaphore, Lock, Thread

from schedmate.errors import InputError, SchedMateError
from schedmate.history.live import LiveStore
from schedmate.scheduling.live.messages import Message
from schedmate.scheduling.live.presence import poke
from schedmate.scheduling.live.reception import Reception
from schedmate.scheduling.live.rights import Rights
from schedmate.tools.accounts import account

CREDENTIALS = Struct("3i")

MOST_BYTES = 2 << 20
"""Of one question: a command and an environment; the kernel itself takes no more than half of that."""
MOST_AT_ONCE = 128
MOST_OF_ONE = 6
IDLE_S = 30.0


class Door(ThreadingMixIn, UnixStreamServer):
    """Takes so many at once, and of one account so many; whoever comes beyond that is sent away."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, path: Path, data_dir: Path, rights: Rights) -> None:
        self.data_dir = data_dir
        self.rights = rights
        self.room = BoundedSemaphore(MOST_AT_ONCE)
        self.lock = Lock()
        self.inside: dict[int, int] = {}
        with suppress(FileNotFoundError):
            if stat.S_ISSOCK(os.lstat(path).st_mode):
                os.unlink(path)
        super().__init__(str(path), DoorConnection)
        os.chmod(path, 0o666)

    def enter(self, uid: int) -> bool:
        """Let somebody in, if there is room for him."""
        with self.lock:
            if self.inside.get(uid, 0) >= MOST_OF_ONE or not self.room.acquire(blocking=False):
                return False
            self.inside[uid] = self.inside.get(uid, 0) + 1
            return True

    def leave(self, uid: int) -> None:
        """Make room again."""
        with self.lock:
            self.inside[uid] -= 1
            self.room.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say what went wrong with one visitor; the others are served."""
        sys.stderr.write(f"door: {sys.exc_info()[1]!r}\n")


class DoorConnection(StreamRequestHandler):
    """One connection: questions, a line of JSON each, and their answers."""

    server: Door
    timeout = IDLE_S

    def handle(self) -> None:
        """Answer until he leaves, or is silent for too long."""
        _, uid, gid = CREDENTIALS.unpack(
            self.connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, calcsize("3i"))
        )
        if not self.server.enter(uid):
            self.send({"error": "too many at the door", "hint": "try again"})
            return
        try:
            with suppress(TimeoutError, ConnectionError):
                self.converse(uid, gid)
        finally:
            self.server.leave(uid)

    def converse(self, uid: int, gid: int) -> None:
        """Answer one question after the other."""
        store = LiveStore(self.server.data_dir)
        try:
            reception = Reception(store, self.server.rights, account(uid), uid, gid)
            while line := self.rfile.readline(MOST_BYTES):
                self.answer(reception, line)
                if reception.has_changed:
                    poke(store.data_dir)
                    reception.has_changed = False
        finally:
            store.close()

    def answer(self, reception: Reception, line: bytes) -> None:
        """Answer one question; what is no question is an error, and nothing else."""
        try:
            if not line.endswith(b"\n"):
                raise InputError("the question is too long", f"{MOST_BYTES >> 20} MiB are the limit")
            asked = json.loads(line)
            if not isinstance(asked, dict):
                raise InputError("that is no question")
            if asked.get("verb") == "log":
                self.hand_over(reception.open_log(asked))
                return
            self.send({"answer": reception.answer(asked)})
        except SchedMateError as error:
            self.send({"error": error.message, "hint": error.hint})
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
            self.send({"error": f"that is no question: {type(error).__name__}"})

    def send(self, answer: Message) -> None:
        """Write one line."""
        with suppress(OSError):
            self.wfile.write(json.dumps(answer).encode() + b"\n")

    def hand_over(self, handle: int) -> None:
        """Give an open file to him who may read it."""
        try:
            socket.send_fds(self.connection, [b'{"answer": "log"}\n'], [handle])
        finally:
            os.close(handle)


def end_with_the_loop() -> None:
    """Leave as soon as the loop has gone."""
    sys.stdin.read()
    os._exit(0)


def main() -> None:
    """Stand at the door that the first line of our input describes."""
    told = json.loads(sys.stdin.readline())
    Thread(target=end_with_the_loop, daemon=True).start()
    with Door(Path(told["socket"]), Path(told["data_dir"]), Rights(told["operators"])) as door:
        sys.stdout.write('{"open": true}\n')
        sys.stdout.flush()
        door.serve_forever()


if __name__ == "__main__":
    main()
