"""The pages under load: ten thousand jobs, fifty viewers while the store changes."""

import os
import re
import subprocess
import sys
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import Figure
from benchmarks._viewers import PATHS, PAUSE_S, TOKEN
from benchmarks.up import QUEUED, RUNNING, fill
from schedmate.history.live import LiveStore
from schedmate.tools.python_children import module_command

VIEWERS, EACH = 50, 12
GOAL_MS = 200.0


class Server:
    """`schedmate web` on a store, in a process of its own."""

    def __init__(self, folder: Path) -> None:
        ours = os.pathsep.join(sys.path)  # what is measured is what is asked, whichever version is installed
        tokens = {"PYTHONPATH": ours, "SCHEDMATE_WEB_TOKEN_VIEWER": TOKEN, "SCHEDMATE_DATA_DIR": str(folder)}
        command = [*module_command("schedmate"), "web", "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, **tokens})
        assert self.process.stdout is not None
        found = re.search(rb":(\d+)/", self.process.stdout.readline())
        assert found is not None
        self.port = int(found[1])

    def cpu_s(self) -> float:
        """Give the CPU time that it has taken."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def view(self, times: list[float], path: str) -> None:
        """Be one who looks at a page again and again, as its script does."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        for _ in range(EACH):
            began_s = time.perf_counter()
            connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, answer.status
            times.append((time.perf_counter() - began_s) * 1000)
            time.sleep(PAUSE_S)
        connection.close()


def latencies_ms(folder: Path, store: LiveStore) -> tuple[list[float], float]:
    """Give what each answer took by the wall, and the CPU ms of the server for one."""
    server, times, over = Server(folder), list[float](), threading.Event()
    try:
        server.view([], "/")
        before_s = server.cpu_s()
        viewers = [
            threading.Thread(target=server.view, args=(times, PATHS[place % len(PATHS)])) for place in range(VIEWERS)
        ]
        for viewer in viewers:
            viewer.start()
            time.sleep(PAUSE_S / VIEWERS)
        changing = threading.Thread(target=change, args=(folder, over))
        changing.start()
        for viewer in viewers:
            viewer.join()
        over.set()
        changing.join()
        return sorted(times), (server.cpu_s() - before_s) * 1000 / len(times)
    finally:
        server.close()


def change(folder: Path, over: threading.Event) -> None:
    """Write into the store twice a second, as a loop does whose jobs get on."""
    store = LiveStore(folder)
    number = 0
    while not over.wait(0.5):
        number = number % RUNNING + 1
        store.update(number, metrics=f'{{"step": {number}, "total_steps": 5000, "eta_s": 60.0}}')
    store.close()


def measure() -> list[Figure]:
    """Measure all."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = LiveStore(folder)
        fill(store, folder)
        times, cpu_ms = latencies_ms(folder, store)
        store.close()
    many = f"{RUNNING + QUEUED:,} jobs, {VIEWERS} viewers"
    return [
        Figure(f"{many}: an answer by the wall, median", times[len(times) // 2], "ms"),
        Figure(
            f"{many}: an answer by the wall, p95", times[int(len(times) * 0.95)], "ms", GOAL_MS, less_is_better=True
        ),
        Figure(f"{many}: CPU of the server an answer", cpu_ms, "ms"),
    ]
