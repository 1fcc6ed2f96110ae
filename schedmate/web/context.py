"""What every page has at hand: the site, the store, the loop's board, the pulse; and who asks."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from anyio import to_thread
from starlette.requests import Request

from schedmate.scheduling.live.stores import OwnStore
from schedmate.web.board import BoardKeeper
from schedmate.web.curve import Curves
from schedmate.web.figures import Figures, Served
from schedmate.web.people import People, Person, Session
from schedmate.web.pulse import Pulse
from schedmate.web.site import Site
from schedmate.web.store_view import Looking
from schedmate.web.what_if import Studies

T = TypeVar("T")
MOST_KEPT = 64


@dataclass
class Context:
    """The parts, put together once."""

    site: Site
    people: People
    looking: Looking
    boards: BoardKeeper
    pulse: Pulse
    studies: Studies
    curves: Curves = field(default_factory=Curves)
    figures: Figures = field(default_factory=Figures)
    served: Served = field(default_factory=Served)
    kept: OrderedDict[tuple[object, ...], "asyncio.Future[str]"] = field(default_factory=OrderedDict)
    """Pages as they were made last, or are being made, by what they are made of: many look at the same."""
    csrf_mark: str = field(default_factory=lambda: secrets.token_hex(16))
    """Stands in a kept page where each browser's own word for its forms goes."""
    said_mark: str = field(default_factory=lambda: secrets.token_hex(16))
    """And this where it is told what the loop answered to its last form."""

    async def ask(self, work: Callable[[OwnStore], T]) -> T:
        """Ask the store something, in a thread."""
        return await to_thread.run_sync(lambda: work(self.looking.store()))

    async def once(self, key: tuple[object, ...], make: Callable[[OwnStore], str]) -> str:
        """Give a page that is made once, however many ask for it at the same moment."""
        if key not in self.kept:
            self.kept[key] = asyncio.ensure_future(self.ask(make))
            while len(self.kept) > MOST_KEPT:
                self.kept.popitem(last=False)
        try:
            return await asyncio.shield(self.kept[key])
        except BaseException:
            self.kept.pop(key, None)
            raise


def context_of(request: Request) -> Context:
    """Give the parts."""
    found: Context = request.app.state.context
    return found


def person_of(request: Request) -> Person | None:
    """Tell who asks."""
    found: Person | None = request.scope["person"]
    return found


def session_of(request: Request) -> Session | None:
    """Give the browser's session; a program with a token has none."""
    found: Session | None = request.scope["session"]
    return found


def address_of(request: Request) -> str:
    """Tell from where somebody comes."""
    return request.client.host if request.client else "an unknown address"
