"""So many calls to one model server at once, whichever of this user's processes on this machine make them.

A slot is a locked file: a process that dies, however it dies, gives its slots back.
"""

import asyncio
import fcntl
import hashlib
import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

LOOK_S = 0.05
"""How often a call that waits looks again, at the most; a model's answer takes many times as long."""


class Slots:
    """The slots of one server."""

    def __init__(self, cache_dir: Path, url: str, count: int) -> None:
        self.folder = cache_dir / "model-slots" / hashlib.sha256(url.encode()).hexdigest()[:16]
        self.count = count

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Wait for a slot, and have it for a while; where there can be no files there is no limit."""
        held = await self.take()
        try:
            yield
        finally:
            if held is not None:
                os.close(held)

    async def take(self) -> int | None:
        """Lock a free slot's file."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            while True:
                for number in random.sample(range(self.count), self.count):
                    with suppress(BlockingIOError):
                        return self.lock(number)
                await asyncio.sleep(LOOK_S * random.uniform(0.5, 1))
        except OSError:
            return None

    def lock(self, number: int) -> int:
        """Lock one slot's file, or say that it is taken."""
        file = os.open(self.folder / str(number), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise
        return file
