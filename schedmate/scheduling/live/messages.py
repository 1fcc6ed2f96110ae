"""What the loop, its helpers and those who ask it write to each other: one JSON object a line."""

from typing import Any, TypedDict

Message = dict[str, Any]  # Any: what another process wrote; who reads a field says of what type it has to be


class QueuedJob(TypedDict):
    """What orders a job that waits."""

    job: int
    job_id: str
    name: str
    user: str
    slots: int
    expected_s: float | None
    """None where nobody knows."""
    waited_s: float


class Standing(TypedDict):
    """Where a job stands that waits."""

    policy: str
    waiting: int
    position: int | None
    """None where the policy has no order."""
    before: list[QueuedJob]
    """The first of those before it."""
    expected_s: float | None
    waits_for: str
    expected_start_in_s: float | None


class QueueBoard(TypedDict):
    """Who waits in a virtual cluster."""

    vc: str
    policy: str
    ordered: bool
    waiting: int
    first: list[QueuedJob]


class Board(TypedDict):
    """What the loop tells of itself to those who look on."""

    mode: str
    nodes: list[Message]
    queues: list[QueueBoard]


class TimesSlower(TypedDict):
    """How much longer a step takes beside another job, with the bounds of what was measured."""

    ratio: float
    low: float
    high: float


class Save(TypedDict):
    """A run's latest checkpoint."""

    path: str
    at_s: float


class News(TypedDict):
    """What is new of a run whose log is followed."""

    metrics: Message
    slow: TimesSlower | None
    hardware: Message | None
    saved: Save | None
    load: list[tuple[float, float]] | None
    """How busy its GPUs were since they are sampled: moments and shares of 1; None where that is nothing new."""
