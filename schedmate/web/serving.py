"""Serve the application: a socket of its own, no connection that keeps silent, an end with whoever started it."""

import asyncio
import os
import socket
import ssl
import sys
from collections.abc import Callable
from dataclasses import replace
from threading import Thread

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from schedmate.errors import InputError
from schedmate.web.app import build_app
from schedmate.web.guard import MOST_HEAD
from schedmate.web.site import Site

HEAD_S = 15.0
"""For the whole head of a request."""
TAKE_S = 30.0
"""For taking what was asked for, until hardly anything of it waits any more, and for a closed connection to be gone."""
MOST_CONNECTIONS = 400


class Impatient(H11Protocol):
    """Closes a connection on which no whole request comes in time, or whose answers nobody takes."""

    taking_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self.head_timer = self.loop.call_later(HEAD_S, self.hang_up)

    def data_received(self, data: bytes) -> None:
        """Wait for the next head as soon as something of it has come."""
        super().data_received(data)
        self.head_timer.cancel()
        if not self.is_answering:
            self.head_timer = self.loop.call_later(HEAD_S, self.hang_up)

    def pause_writing(self) -> None:
        """Begin to wait until somebody takes what was written."""
        super().pause_writing()
        self.taking_timer = self.loop.call_later(TAKE_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Somebody did."""
        super().resume_writing()
        if self.taking_timer is not None:
            self.taking_timer.cancel()

    def on_response_complete(self) -> None:
        """Where that was the last answer, give little time for taking it: what is closed stays until it is taken."""
        super().on_response_complete()
        if self.transport.is_closing():
            self.leave()

    def timeout_keep_alive_handler(self) -> None:
        """Wait for no other request."""
        super().timeout_keep_alive_handler()
        self.leave()

    @property
    def is_answering(self) -> bool:
        """Tell whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def hang_up(self) -> None:
        """Close, unless a request has come whole meanwhile."""
        if not self.is_answering and not self.transport.is_closing():
            self.transport.close()
            self.leave()

    def leave(self) -> None:
        """Be gone after a while, whether or not all was taken."""
        if self.taking_timer is None or self.taking_timer.cancelled():
            self.taking_timer = self.loop.call_later(TAKE_S, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self.head_timer.cancel()
        if self.taking_timer is not None:
            self.taking_timer.cancel()
        super().connection_lost(exc)


def bind(site: Site) -> tuple[socket.socket, Site]:
    """Take the port, before anything is printed of it; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in site.host else socket.AF_INET
    sock = socket.socket(family)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((site.host, site.port))
        sock.listen(256)  # who opens the address as soon as it is printed waits for the answer
    except OSError as error:
        sock.close()
        where = f"{site.host}:{site.port}"
        raise InputError(f"cannot listen on {where}: {error.strerror or error}", "choose another --port") from error
    return sock, replace(site, port=sock.getsockname()[1])


def check_certificate(site: Site) -> None:
    """See that certificate and key can be used, before anybody is told an address."""
    if site.certificate is None:
        return
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(site.certificate, site.key, lambda: "")  # a key with a password is asked nobody for
    except (OSError, ValueError) as error:
        names = f"{site.certificate} and {site.key}"
        raise InputError(f"{names} cannot be used for TLS: {error}", "both are PEM; the key has no password") from error


def serve(site: Site, announce: Callable[[Site], None], ends_with_input: bool = False) -> None:
    """Serve until interrupted; `announce` hears of the port that was taken."""
    check_certificate(site)
    sock, site = bind(site)
    server = server_of(site)
    if ends_with_input:
        Thread(target=end_with_input, args=(server,), daemon=True).start()
    announce(site)
    with sock:
        server.run([sock])


def server_of(site: Site) -> uvicorn.Server:
    """Make the server of a site whose port is known."""
    return uvicorn.Server(
        uvicorn.Config(
            build_app(site), http=Impatient, ws="none", log_level="error", access_log=False, server_header=False,
            timeout_keep_alive=10, timeout_graceful_shutdown=2, limit_concurrency=MOST_CONNECTIONS,
            h11_max_incomplete_event_size=MOST_HEAD, proxy_headers=False,
            ssl_certfile=site.certificate, ssl_keyfile=str(site.key) if site.key else None,
        )
    )  # fmt: skip


def end_with_input(server: uvicorn.Server) -> None:
    """Leave as soon as whoever started us has gone."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    server.should_exit = True
