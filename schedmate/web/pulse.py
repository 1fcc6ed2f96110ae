"""Tells all who look on that something has changed: one look at the store for all of them, twice a second."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from schedmate.errors import SchedMateError
from schedmate.history.live import Changes
from schedmate.web.store_view import Looking

LOOK_S = 0.5
HEARTBEAT_S = 15.0
MOST_LISTENERS = 300


class Pulse:
    """Counts the changes; who listens hears each number once, or a heartbeat."""

    def __init__(self, looking: Looking) -> None:
        self.looking = looking
        self.count = 0
        self.listeners = 0
        self.changed = asyncio.Condition()

    async def beat(self) -> None:
        """Look as long as the server is up."""
        changes: Changes | None = None
        while True:
            with suppress(SchedMateError):  # a store that cannot be opened, or is of a later version, may come right
                changes = changes or Changes(self.looking.store())
            if changes is not None and changes.are_new():
                self.count += 1
                async with self.changed:
                    self.changed.notify_all()
            await asyncio.sleep(LOOK_S)

    async def listen(self) -> AsyncIterator[str]:
        """Give what an event stream says."""
        self.listeners += 1
        try:
            yield "retry: 3000\n\n"
            heard = self.count
            while True:
                try:
                    async with asyncio.timeout(HEARTBEAT_S), self.changed:
                        await self.changed.wait_for(lambda: self.count != heard)  # noqa: B023
                    heard = self.count
                    yield f"event: changed\ndata: {heard}\n\n"
                except TimeoutError:
                    yield ": still here\n\n"
                await asyncio.sleep(1.0)
        finally:
            self.listeners -= 1
