"""How the job of a log ended, as its engine knows it."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol


class LogEnd(NamedTuple):
    """That a job is over, and how, where that is known."""

    said: str = ""
    """The engine's word and code, as `diagnose --exited` takes them."""
    well: bool = False
    is_meant: bool = False
    """Somebody ended it who may: nothing to call anybody for."""


class KnowsEnds(Protocol):
    """Who may know that the job of a log is over; asked at every look, so that it must answer from memory."""

    said: str
    """Why nothing is known just now; empty where all is well."""

    def look(self, paths: Iterable[str], now_s: float) -> None:
        """Hear which logs are followed."""

    def end_of(self, path: str) -> LogEnd | None:
        """Give the end of the job that wrote a log; None while it runs, or where nothing is known."""

    def close(self) -> None:
        """Let go."""
