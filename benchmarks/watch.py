"""The watch at scale: ten thousand logs, all growing or idle, and how long it takes until a death is told."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import Figure
from schedmate.watching.events import WatchEvent
from schedmate.watching.journal import Journal
from schedmate.watching.service import WatchOptions, WatchService

LOGS = 10_000
LOOKS = 5
DEATH = b'Traceback (most recent call last):\n  File "t.py", line 1, in <module>\nIndexError: list index out of range\n'


def line(step: int) -> bytes:
    """Print a step."""
    return f"step {step}/100000 loss {3 - step / 1e5:.4f} step_time 10.0 s\n".encode()


def measure() -> list[Figure]:
    """Have one watch look at ten thousand logs, by a clock that is played."""
    with TemporaryDirectory() as name:
        folder, now_s = Path(name), time.time()
        (folder / "logs").mkdir()
        for number in range(LOGS):
            (folder / "logs" / f"{number}.out").write_bytes(b"".join(map(line, range(1, 20))))
        told: list[WatchEvent] = []
        watch = WatchService(
            WatchOptions((str(folder / "logs"),)), Journal(folder / "watch.jsonl", now_s), told.append, now_s
        )
        began_s = time.process_time()
        watch.look(now_s)
        first_s = time.process_time() - began_s
        while any(job.is_dirty for job in watch.jobs.values()):
            watch.look(now_s)
        idle_s = cpu_s_of_looks(watch, now_s, lambda step: None)
        growing_s = cpu_s_of_looks(watch, now_s + 60, lambda step: grow(folder, step))
        died_s = now_s + 200
        with (folder / "logs" / "7.out").open("ab") as log:
            log.write(DEATH)
        at_s = died_s
        while not told and at_s < died_s + 60:
            at_s += 1.0
            watch.look(at_s)
            while watch.pool.busy:
                watch.pipes.sleep(0.1)
                watch.pool.tend(at_s)
        watch.close()
        assert told, "the death was not told within a minute"
    return [
        Figure("first look at 10,000 logs", first_s, "CPU s"),
        Figure("a look, 10,000 idle logs", idle_s, "CPU s"),
        Figure("a look, 10,000 logs that all grew", growing_s, "CPU s"),
        Figure(
            "from a job's last line to its death being told", told[0].at_s - died_s if told else 1e9, "s", 30.0, True
        ),
    ]


def cpu_s_of_looks(watch: WatchService, now_s: float, before: Callable[[int], None]) -> float:
    """Give the CPU seconds of one look."""
    spent_s = 0.0
    for look in range(LOOKS):
        before(look)
        began_s = time.process_time()
        watch.look(now_s + 10 * look)
        spent_s += time.process_time() - began_s
    return spent_s / LOOKS


def grow(folder: Path, step: int) -> None:
    """Let every job print a step."""
    for number in range(LOGS):
        handle = os.open(folder / "logs" / f"{number}.out", os.O_WRONLY | os.O_APPEND)
        os.write(handle, line(20 + step))
        os.close(handle)
