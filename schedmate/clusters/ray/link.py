"""The loop's end of the line to Ray: orders out, the last news in, and a new agent when one has died or hangs."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from schedmate.clusters.managed import Unreachable
from schedmate.clusters.runner.records import Record
from schedmate.tools.python_children import OURS, module_command, safe_path

AGENT = "schedmate.clusters.ray.agent"

FIRST_S = 60.0
"""Ray takes its time to be imported, and to be found."""
SILENT_S = 10.0
"""An agent that has said nothing for so long has lost the head."""
AGAIN_S = 5.0
REFUSED_S = 1.0


class RayLink:
    """What was heard last holds until something else is heard."""

    def __init__(self, address: str, prefix: str) -> None:
        self.address = address
        self.prefix = prefix
        self.news: dict[str, Any] = {}  # Any: what the agents wrote; who reads a field says of what type it has to be
        self.heard_s = 0.0
        self.begun_s = 0.0
        self.asked_s = 0.0
        """When it was last asked whether there is a head at all."""
        self.serial = 0
        self.base = 0
        """Orders before this one were given to an agent that is gone."""
        self.keep: tuple[str, ...] | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self.rest, self.unsent = b"", b""
        self.begin()

    def begin(self) -> None:
        """Start an agent."""
        self.begun_s = time.monotonic()
        self.base, self.rest, self.unsent = self.serial, b"", b""
        command = [*module_command(AGENT), self.address, self.prefix]
        quiet = {"RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_DEDUP_LOGS": "0"}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
            cwd=OURS, env={**os.environ, **safe_path(), **quiet},
        )  # fmt: skip
        assert self.process.stdin is not None
        os.set_blocking(self.process.stdin.fileno(), False)
        os.set_blocking(self.pipe, False)
        if self.keep is not None:
            self.hold(self.keep)

    @property
    def pipe(self) -> int:
        """Name the end to be watched."""
        assert self.process is not None
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def wait_for_news(self) -> None:
        """Wait for the first word of Ray; where nobody listens at its address none will come."""
        refused = is_refused(self.address)
        while not self.news:
            if refused or self.process is None or time.monotonic() - self.begun_s > FIRST_S:
                self.end()
                raise Unreachable(
                    f"no Ray cluster answers at {self.address}", "ray start --head; --option address=HOST:PORT"
                )
            time.sleep(0.05)
            self.read()

    def read(self) -> bool:
        """Take in what has come; tell whether there was news."""
        if self.process is None:
            return False
        fresh = False
        while True:
            try:
                data = os.read(self.pipe, 1 << 20)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if not data:
                self.end()
                break
            *lines, self.rest = (self.rest + data).split(b"\n")
            for line in lines:
                self.news, self.heard_s, fresh = json.loads(line), time.monotonic(), True
        return fresh

    def tend(self) -> None:
        """Replace an agent that has died or fallen silent, once there is a head: one begun too early misses it."""
        self.flush()
        now_s = time.monotonic()
        silent = now_s - max(self.heard_s, self.begun_s) > (SILENT_S if self.heard_s > self.begun_s else FIRST_S)
        if self.process is not None and silent:
            self.end()
        if self.process is None and now_s - max(self.begun_s, self.asked_s) > AGAIN_S:
            self.asked_s = now_s
            if not is_refused(self.address):
                self.begin()

    @property
    def trouble(self) -> str:
        """Say that Ray does not answer; empty while it does."""
        is_current = self.process is not None and self.heard_s > self.begun_s
        if is_current and time.monotonic() - self.heard_s < SILENT_S:
            return ""
        return f"Ray at {self.address} does not answer"

    def order(self, do: str, **words: object) -> int:
        """Give an order; one that is lost is given again by whoever sees that nothing came of it."""
        self.serial += 1
        if self.process is not None:
            self.unsent += json.dumps({"do": do, "serial": self.serial, **words}).encode() + b"\n"
            self.flush()
        return self.serial

    def flush(self) -> None:
        """Send what the agent takes now; one that hangs must not hold us up."""
        with suppress(OSError):
            while self.unsent and self.process is not None and self.process.stdin is not None:
                self.unsent = self.unsent[os.write(self.process.stdin.fileno(), self.unsent) :]

    def hold(self, names: Iterable[str]) -> None:
        """Say which runs' groups are still needed."""
        self.keep = tuple(names)
        self.order("keep", names=self.keep)

    def is_done(self, serial: int) -> bool:
        """Tell whether what is known of Ray is from after an order; one whose agent died was maybe never heard."""
        if serial <= self.base:
            return self.heard_s > self.begun_s
        return not self.trouble and int(self.news["serial"]) >= serial

    def nodes(self) -> Mapping[str, Record]:
        """Give the nodes that are alive, by name; of two with one name the address tells which is meant."""
        found: dict[str, dict[str, Any]] = {}
        for node in self.news["nodes"]:
            name = node["name"] if node["name"] not in found else f"{node['name']}-{node['id'][:6]}"
            found[name] = node
        return found

    def end(self) -> None:
        """Let go of the agent, if need be by force."""
        if self.process is None:
            return
        process, self.process = self.process, None
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def is_refused(address: str) -> bool:
    """Tell whether the host says that nobody listens there; one that says nothing may be slow."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=REFUSED_S).close()
    except ConnectionRefusedError:
        return True
    except (OSError, ValueError, OverflowError):
        return False
    return False
