"""What is told of a job: that it died, hangs, computes nonsense, slows down, or was not dead after all."""

from typing import Literal

from pydantic import Field

from schedmate.schemas import Diagnosis, Evidence, Noun

Kind = Literal["died", "stalled", "silent", "not_a_number", "diverged", "slower", "behind", "went_on"]

URGENT: frozenset[Kind] = frozenset({"died", "stalled", "not_a_number", "diverged", "slower", "behind", "went_on"})
"""What people are sent. A job that falls silent may just have ended: that is shown, and sent to nobody."""


class WatchEvent(Noun):
    """One thing that went wrong with one job, as its logs tell it."""

    id: str = Field(description="the same for every channel and after every restart: sent twice, it is one event")
    kind: Kind
    job: str = Field(description="the job's log; of a job of many logs, what their names have in common")
    log: str = Field(description="the log that shows it; of a job of many logs, the first fault's")
    at_s: float = Field(description="when it was noticed, in seconds since 1970")
    user: str = Field("", description="who owns the log")
    said: str = Field(description="the whole event in one line")
    step: int | None = None
    cause: str = Field("", description="equal in jobs that died of one cause")
    diagnosis: Diagnosis | None = None
    evidence: tuple[Evidence, ...] = ()
