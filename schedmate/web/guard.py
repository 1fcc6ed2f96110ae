"""Stands before every page: under which name one comes, who one is, how much and how slowly one may send.

What is refused here has touched nothing else. Whatever is answered bears the headers that keep a browser from running
anything that is not a file of ours.
"""

import asyncio
import time
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from schedmate.web.figures import Served
from schedmate.web.people import People, Person, Session
from schedmate.web.site import ANYWHERE, Site

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with none at all a browser would call the origin of our own forms null
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
MOST_TARGET, MOST_HEAD = 4096, 16 << 10

MOST_BODY = 64 << 10
"""Bytes that are taken where nothing is uploaded."""
READ_S = 20.0
"""For the next piece of what comes; `serving.py` looks at what goes."""
UPLOADS = frozenset({"/diagnose", "/api/v1/diagnose/upload", "/api/v1/track/upload"})
OPEN = frozenset({"/sign-in"})


class Guard:
    """Lets through who may come in, and tells the pages who it is (`scope["person"]`, `scope["session"]`)."""

    def __init__(self, app: ASGIApp, site: Site, people: People, served: Served) -> None:
        self.app = app
        self.site = site
        self.people = people
        self.served = served

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Judge one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        line = RequestLine(scope, receive, send, self.most_of(scope["path"]), self.served)
        try:
            headers = Headers(scope=scope)
            self.look_up(scope, headers)
            refused = self.refusal(scope, headers)
            await (refused or self.app)(scope, line.receive, line.send)
        except HTTPException as error:
            await line.refuse(error.status_code, error.detail)

    def most_of(self, path: str) -> int:
        """Say how many bytes a request may bring."""
        return self.site.upload_bytes if path in UPLOADS else MOST_BODY

    def look_up(self, scope: Scope, headers: Headers) -> None:
        """Find out who it is: by the token of a machine, or the cookie of a browser."""
        person: Person | None = None
        session: Session | None = None
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            person = self.people.holder(token.strip())
        elif key := cookie_of(headers.getlist("cookie"), self.site.cookie):
            session = self.people.session(key)
            person = session.person if session else None
        scope["person"], scope["session"] = person, session

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Say no, if that is the answer."""
        hosts, path = headers.getlist("host"), scope["path"]
        if len(hosts) != 1 or hosts[0].lower() not in self.names(scope):
            return PlainTextResponse("this server is not called by that name; --name gives it another\n", 421)
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MOST_TARGET:
            return PlainTextResponse("the address is too long\n", 414)
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEAD:
            return PlainTextResponse("these are too many headers\n", 431)
        if scope["method"] not in {"GET", "HEAD", "POST"}:
            return PlainTextResponse("only GET, HEAD and POST are known here\n", 405, {"allow": "GET, HEAD, POST"})
        if scope["method"] == "POST" and not self.is_own(headers, self.names(scope)):
            return PlainTextResponse("this form was sent by another site\n", 403)
        size = headers.get("content-length", "0")
        if not size.isdecimal() or int(size[:20]) > self.most_of(path):
            return PlainTextResponse("that is more than is taken here\n", 413)
        return None

    def names(self, scope: Scope) -> frozenset[str]:
        """Say by which names one may come: on all addresses also by the one that was dialled."""
        address, port = scope.get("server") or ("", 0)
        if self.site.host not in ANYWHERE or not address:
            return self.site.hosts
        return self.site.hosts | {f"[{address}]:{port}" if ":" in address else f"{address}:{port}"}

    def is_own(self, headers: Headers, names: frozenset[str]) -> bool:
        """Tell whether a form was sent from a page of ours, as far as the browser tells; a program tells nothing."""
        origin = headers.get("origin")
        if origin is not None and origin not in {f"{self.site.scheme}://{host}" for host in names}:
            return False
        return headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}


class RequestLine:
    """What comes and goes of one request, with its limits."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, most: int, served: Served) -> None:
        self.scope = scope
        self._receive = receive
        self._send = send
        self.left = most
        self.served, self.began_s = served, time.monotonic()
        self.has_all = False
        self.has_begun = False

    async def receive(self) -> Message:
        """Take the next piece; when all has come, wait for the end as long as it takes."""
        if self.has_all:
            return await self._receive()
        try:
            async with asyncio.timeout(READ_S):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, "that took too long") from None
        if message["type"] == "http.request":
            self.left -= len(message.get("body", b""))
            if self.left < 0:
                raise HTTPException(413, "that is more than is taken here")
            self.has_all = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """Pass on a piece of the answer, with the headers that each bears."""
        if message["type"] == "http.response.start":
            self.has_begun = True
            self.served.count(message["status"], time.monotonic() - self.began_s)
            message = {**message, "headers": [*message.get("headers", []), *self.added(message.get("headers", []))]}
        await self._send(message)

    def added(self, there: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Give the headers that every answer bears; nothing but our files is kept by anybody."""
        names = {name.lower() for name, _ in there}
        kept = {} if b"cache-control" in names else {"cache-control": "no-store"}
        return [(name.encode(), value.encode()) for name, value in (HEADERS | kept).items()]

    async def refuse(self, status: int, words: str) -> None:
        """Say no, if nothing has been said yet."""
        if not self.has_begun:
            await PlainTextResponse(f"{words}\n", status, {"connection": "close"})(self.scope, self._receive, self.send)


def cookie_of(lines: Iterable[str], name: str) -> str:
    """Read one cookie; empty where it is not there, or nobody can read them."""
    for line in lines:
        try:
            found = SimpleCookie(line).get(name)
        except CookieError:
            continue
        if found is not None:
            return found.value
    return ""
