"""The helper's side of a pool: one JSON line in, one out; it is ended from the other side when it is late."""

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from threading import Event, Thread

from schedmate.errors import SchedMateError
from schedmate.models.call_counts import CALLS
from schedmate.tools.memory_limit import TOO_MUCH, keep_small
from schedmate.workers.worker import Result

LAST_WORDS_S = 1.0
"""What has been asked is answered if that takes no longer."""
CLOSED = (
    "its owner may not read SchedMate's own installation, and what is his is read by nobody else: install it where all"
    " accounts may read it, as in /opt"
)


class Asker(Thread):
    """Hears the one who asks; should he be gone, nobody would end a reading that hangs, nor what it has started."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.lines: SimpleQueue[str] = SimpleQueue()
        self.is_idle = Event()
        self.start()

    def run(self) -> None:
        """Read on while others work."""
        for line in sys.stdin:
            self.lines.put(line)
        self.lines.put("")
        if not self.is_idle.wait(LAST_WORDS_S):
            os.killpg(0, signal.SIGKILL) if os.getpgrp() == os.getpid() else os._exit(1)

    def next(self) -> str:
        """Wait for work; empty when there will be no more."""
        self.is_idle.set()
        line = self.lines.get()
        self.is_idle.clear()
        return line


def answer_all(work: Mapping[str, Callable[[Result], Result]], become: Callable[[Result], None] | None = None) -> None:
    """Answer by kind until nobody asks any more; `become` makes this process the account whose things it is to read."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = sys.stdout
    sys.stdout = sys.stderr
    asker, first = Asker(), os.geteuid()
    while line := asker.next():
        asked = json.loads(line)
        if become is not None and asked["kind"] == "become":
            become(asked["who"])  # an account that is gone ends this process, and nothing is read
            continue
        if asked["kind"] != "step":  # what a step starts on a node may take what it needs
            keep_small()
        try:
            answer = work[asked["kind"]](asked)
        except SchedMateError as error:
            answer = {"error": error.message}
        except MemoryError:
            answer = {"error": TOO_MUCH}
        except ImportError as error:
            answer = {"error": CLOSED if os.geteuid() != first else f"{type(error).__name__}: {error}"}
        except Exception as error:  # a reader's own fault must not end the loop's
            answer = {"error": f"{type(error).__name__}: {error}"}
        if calls := CALLS.drained():
            answer |= {"model_calls": calls}
        try:
            answers.write(json.dumps(answer) + "\n")
            answers.flush()
        except BrokenPipeError:  # the loop has been killed; the next one asks again
            os._exit(0)
