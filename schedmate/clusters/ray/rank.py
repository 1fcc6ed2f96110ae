"""One node's part of a run on Ray: a detached actor that keeps the runner of the job's command, which dies with it.

The actor is all that Ray knows of the job. What was begun and how it ended stands in the run's folder, which all nodes
see (`clusters.runner.run_job` says in which files), so that it outlives the actor, the loop and Ray itself.
"""

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

from schedmate.clusters.local.runs import send
from schedmate.clusters.runner import run_job
from schedmate.clusters.runner.processes import start_ticks
from schedmate.clusters.runner.records import Record, read_record
from schedmate.tools.python_children import standalone

APART = 'exec <&- 2>/dev/null; "$0" "$@" >&- & echo $!'
"""Ray kills the children of a worker that ends; the runner is none of them, and follows the worker in its own way."""
TELL_S = 0.3
"""How often lines are handed on."""
MOST_BYTES = 1 << 20


class Rank:
    """Starts the runner at once; a run that has begun before is not begun again."""

    def __init__(self, folder: str, told: Record) -> None:
        self.folder = folder
        self.told = told
        """`rank` and `node`; `teller`, where several ranks write one log, is the name of the actor that writes it."""
        self.lock = threading.Lock()
        me = os.getpid()
        command = standalone(run_job.__file__, folder, str(me), str(start_ticks(me)))
        self.runner = int(subprocess.check_output(["sh", "-c", APART, *command], start_new_session=True, cwd="/"))
        self.ticks = start_ticks(self.runner)
        threading.Thread(target=self.follow, daemon=True).start()

    def signal(self, number: int) -> bool:
        """Send a signal to the job's processes, if they are still those that were started; tell if they got it."""
        return send(Path(self.folder), signal.Signals(number))

    def append(self, path: str, text: bytes) -> None:
        """Add lines of any rank to the one log; one actor writes it, since not every file system keeps two apart."""
        with self.lock, open(path, "ab") as log:
            log.write(text)

    def follow(self) -> None:
        """Hand the job's lines on until it has ended, then say that all is told."""
        sent, has_ended = 0, False
        while not has_ended:
            time.sleep(TELL_S)
            has_ended = start_ticks(self.runner) != self.ticks
            while self.told["teller"] and (read := self.hand_on(sent, is_last=has_ended)):
                sent += read
        (Path(self.folder) / "told").touch()

    def hand_on(self, start: int, is_last: bool) -> int:
        """Hand on whole lines, with rank and node in words that Ray's own logs have; give how many bytes they were."""
        import ray

        record = read_record(Path(self.folder) / "job") or {"pid": 0}
        with suppress(OSError), open(f"{self.folder}/own.log", "rb") as log:
            log.seek(start)
            text = log.read(MOST_BYTES)
            whole = text if is_last or len(text) == MOST_BYTES else text[: text.rfind(b"\n") + 1]
            if not whole:
                return 0
            mark = f"[rank{self.told['rank']}] (job pid={record.get('pid', 0)}, ip={self.told['node']}) ".encode()
            lines = b"".join(mark + line + b"\n" for line in whole.removesuffix(b"\n").split(b"\n"))
            if self.told["rank"] == 0:
                self.append(self.told["log"], lines)
            else:
                with suppress(Exception):  # whoever writes the log has gone: what this rank said stands in its own file
                    teller = ray.get_actor(self.told["teller"])
                    ray.get(teller.append.remote(self.told["log"], lines), timeout=10)
            return len(whole)
        return 0
