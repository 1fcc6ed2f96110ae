"""How long to wait before a model is asked again, and when to stop asking."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Protocol, TypeVar

from schedmate.counts import how_many
from schedmate.errors import ModelFailed

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0

Result = TypeVar("Result")


class PatienceClock(Protocol):
    """Time as a part that tests bring themselves."""

    def now_s(self) -> float:
        """Give the seconds since 1970."""

    async def sleep(self, seconds: float) -> None:
        """Wait without holding up others."""


class SystemClock:
    """The real time."""

    def now_s(self) -> float:
        """Give the seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait without holding up others."""
        await asyncio.sleep(seconds)


class Passing(Exception):
    """Say that a failure may pass, and how long the server wishes to be left alone where it said so."""

    def __init__(self, failure: ModelFailed, wait_s: float | None = None) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.wait_s = wait_s


@dataclass
class Patience:
    """Try again while failures may pass: doubling waits with jitter, or what the server asks for, within bounds."""

    attempts: int
    clock: PatienceClock = field(default_factory=SystemClock)
    jitter: random.Random = field(default_factory=random.Random)

    async def keep_trying(self, call: Callable[[], Awaitable[Result]]) -> Result:
        """Make the call until it succeeds, fails for good, or the tries are used up."""
        attempt = 1
        while True:
            try:
                return await call()
            except Passing as passing:
                if attempt >= self.attempts or (passing.wait_s or 0) > LONGEST_WAIT_S:
                    note(passing, attempt)
                    raise passing.failure from passing
                await self.clock.sleep(self.wait_s(attempt, passing.wait_s))
                attempt += 1

    def wait_s(self, attempt: int, asked_s: float | None) -> float:
        """Spread the tries of many callers, so that they do not all come back at once."""
        if asked_s is not None:
            return asked_s * (1 + self.jitter.random() / 10)
        return float(min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (attempt - 1)) * self.jitter.uniform(0.5, 1))


def note(passing: Passing, attempts: int) -> None:
    """Add to a failure how often it was tried, and what the server asked for."""
    if attempts > 1:
        passing.failure.message += f" (tried {how_many(attempts, 'time')})"
    if passing.wait_s is not None and passing.wait_s > LONGEST_WAIT_S:
        passing.failure.message += f"; it asks to be left alone for {passing.wait_s:.0f} s"


def asked_wait_s(headers: Mapping[str, str], clock: PatienceClock) -> float | None:
    """Read Retry-After, in seconds or as a date; None where it says nothing usable."""
    text = headers.get("retry-after", "").strip()
    try:
        wait_s = float(text)
    except ValueError:
        try:
            wait_s = max(0.0, parsedate_to_datetime(text).timestamp() - clock.now_s())
        except (ValueError, OverflowError):
            return None
    return wait_s if 0 <= wait_s < float("inf") else None
