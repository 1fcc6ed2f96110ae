"""A real Chroma server (`chroma run`) on this machine, a process that tests may stop, kill and replace."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

STARTS_S = 120.0
TRIES = 5
RUN = "import sys; from chromadb.cli.cli import app; sys.argv[0] = 'chroma'; app()"


class ChromaServer:
    """Listens on one port for as long as the object is used; each start may have another directory."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, folder: Path) -> None:
        """Start on the port used before, at first on one that is free, and wait until it answers."""
        for _ in range(TRIES if not self.port else 1):
            self.port = self.port or free_port()
            command = [sys.executable, "-c", RUN, "run", "--path", str(folder), "--host", "127.0.0.1", "--port"]
            environment = {**os.environ, "ANONYMIZED_TELEMETRY": "False"}
            self.process = subprocess.Popen(
                [*command, str(self.port)], cwd=folder.parent, env=environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            if self.answers():
                return
            self.kill()
            self.port = 0
        raise RuntimeError("no Chroma server started")

    def answers(self) -> bool:
        """Wait for a heartbeat; a process that has ended gives none."""
        deadline = time.monotonic() + STARTS_S
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                if httpx.get(f"{self.url}/api/v2/heartbeat", timeout=5).is_success:
                    return True
            except httpx.HTTPError:
                time.sleep(0.05)
        return False

    def send(self, number: signal.Signals) -> None:
        """Stop it, or let it go on."""
        self.process.send_signal(number)

    def kill(self) -> None:
        """End it for good."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
