"""What one web server is: which store, which folders, who may do what, under which names it is called."""

import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from schedmate.tools.roots import Roots
from schedmate.web.people import Person

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

ANYWHERE = frozenset({"0.0.0.0", "::"})
"""All addresses of this machine."""
UPLOAD_BYTES = 256 << 20


@dataclass(frozen=True)
class Site:
    """What the command line says."""

    data_dir: Path
    people: Sequence[Person]
    host: str = "127.0.0.1"
    port: int = 0
    roots: Roots | None = None
    """Below which logs and code may be read that no job of the store has; none: nothing else is read."""
    acts: bool = False
    """Whether operators may act here."""
    names: Sequence[str] = field(default_factory=tuple)
    """Other names under which it is called, as a proxy's."""
    certificate: Path | None = None
    key: Path | None = None
    upload_bytes: int = UPLOAD_BYTES

    @property
    def scheme(self) -> str:
        """Say how it is spoken to."""
        return "https" if self.certificate else "http"

    @property
    def cookie(self) -> str:
        """Name the cookie; a browser sends it to all ports of a host, so that it bears the port."""
        return f"schedmate_{self.port}"

    @property
    def hosts(self) -> frozenset[str]:
        """List what may stand in a Host header: who comes by another name was led here by somebody else."""
        known = {self.host, self.called, *self.names} | (LOOPBACK if self.host in LOOPBACK else set())
        bare = {f"[{name}]" if ":" in name else name for name in known}
        default = {"http": 80, "https": 443}[self.scheme]
        plain = bare if self.port == default or self.names else set()
        return frozenset({f"{name}:{self.port}" for name in bare} | plain)

    @property
    def called(self) -> str:
        """Say by which name others come: on all addresses by that of this machine."""
        return (*self.names, socket.gethostname().lower())[0] if self.host in ANYWHERE else self.host

    def address(self, token: str) -> str:
        """Give the address that is printed once; opening it leaves a cookie."""
        host = f"[{self.called}]" if ":" in self.called else self.called
        return f"{self.scheme}://{host}:{self.port}/?token={token}"
