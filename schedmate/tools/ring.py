"""Send bytes between nodes over plain sockets, and tell whether all of them arrive: `ring_member` on each, told here.

It sees hosts and the network between them, not GPUs and not NVLink. Nothing that is started here outlives the check.
"""

import json
import os
import re
import secrets
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from schedmate.tools import ring_member
from schedmate.tools.python_children import standalone

PROGRAM = ring_member.__file__

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,252}\Z")
"""What a node may be called: a name that could be taken for an option reaches no program."""
MOST_BYTES = 1 << 16
LOOPBACK = "127.0.0.1"


class NodeFailed(Exception):
    """Say which node did not do its part."""


class Partner:
    """A member as the one who asked sees it."""

    def __init__(self, node: str, reach: Sequence[str]) -> None:
        self.node = node
        host = "0.0.0.0" if reach else LOOPBACK
        command = [*(word.replace("{nodes}", node) for word in reach), *standalone(PROGRAM, host)]
        self.heard = b""
        self.answer: dict[str, Any] | None = None
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.entry, self.exit = self.process.stdin, self.process.stdout

    def tell(self, orders: dict[str, Any]) -> None:
        """Hand over what it has to know; one that has died is noticed when it is read."""
        self.answer = None
        with suppress(OSError):
            self.entry.write(json.dumps(orders).encode() + b"\n")
            self.entry.flush()

    def read(self) -> None:
        """Take in what it says; its end before its answer is a failure."""
        data = os.read(self.exit.fileno(), MOST_BYTES)
        self.heard += data
        if not data or len(self.heard) > MOST_BYTES:
            raise NodeFailed(f"{self.node} does not answer")
        if b"\n" not in self.heard:
            return
        line, _, self.heard = self.heard.partition(b"\n")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or "error" in answer:
            words = "" if not isinstance(answer, dict) else str(answer["error"])
            raise NodeFailed(f"{self.node}: {words[:200] or 'speaks nonsense'}")
        self.answer = answer

    def end(self) -> None:
        """Let it go; a launcher takes its remote half with it, because that half loses its input."""
        self.process.kill()
        self.process.wait()
        for stream in (self.entry, self.exit):
            with suppress(OSError):
                stream.close()


def hear_all(partners: Sequence[Partner], deadline_s: float) -> None:
    """Wait until each has answered."""
    while waiting := [partner for partner in partners if partner.answer is None]:
        rest_s = deadline_s - time.monotonic()
        poll = select.poll()
        for partner in waiting:
            poll.register(partner.exit, select.POLLIN)
        ready = {pipe for pipe, _ in poll.poll(max(0.0, rest_s) * 1000)}
        if not ready:
            names = ", ".join(partner.node for partner in waiting[:8])
            raise NodeFailed(f"no answer in time from {names}")
        for partner in waiting:
            if partner.exit.fileno() in ready:
                partner.read()


def fault_in(
    nodes: Sequence[str], reach: Sequence[str], limit_s: float, addresses: Mapping[str, str] | None = None
) -> str:
    """Let bytes go around these nodes; give what went wrong, empty when all arrived.

    `reach` is the start of a command that runs another on a node, `{nodes}`: ssh {nodes}, say; empty: all are here.
    """
    bad = next((node for node in nodes if not NAME.match(node)), None)
    if bad is not None:
        return f"{bad!r} is no name of a node"
    deadline_s, partners = time.monotonic() + limit_s, list[Partner]()
    where = {node: (addresses or {}).get(node, node) if reach else LOOPBACK for node in nodes}
    try:
        for node in nodes:
            partners.append(Partner(node, reach))
        hear_all(partners, deadline_s)
        peers = [[where[partner.node], port_of(partner)] for partner in partners]
        token = secrets.token_hex(16)
        for place, partner in enumerate(partners):
            partner.tell({"place": place, "peers": peers, "token": token})
        hear_all(partners, deadline_s)
    except (NodeFailed, OSError) as error:
        return str(error)
    finally:
        for partner in partners:
            partner.end()
    return ""


def port_of(partner: Partner) -> int:
    """Read where a member listens."""
    port = (partner.answer or {}).get("port")
    if not isinstance(port, int) or not 0 < port < 65536:
        raise NodeFailed(f"{partner.node} does not say where it listens")
    return port
