"""The types of what the API gives beside what commands print, and of its table."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter
from starlette.requests import Request

from schedmate.answer_types import Node
from schedmate.schemas import PastJob

Kind = Literal["string", "integer", "number"]


class Failed(BaseModel):
    """What did not go, and what to do next."""

    error: str
    hint: str = ""


class Queue(BaseModel):
    """Who waits in a virtual cluster, first those that the policy looks at first."""

    vc: str
    policy: str
    ordered: bool
    waiting: int
    first: list[dict[str, Any]]


class NowAnswer(BaseModel):
    """How the loop stands."""

    is_up: bool
    mode: str
    policy: str
    counts: dict[str, int]
    queues: list[Queue]
    nodes: list[Node]
    waits_for_a_person: list[int]


class JobList(BaseModel):
    """Some of the jobs, the newest first."""

    total: int
    page: int
    pages: int
    jobs: list[dict[str, Any]]


class PastJobs(BaseModel):
    """Some of the jobs of the history, the newest first, each as `schedmate history list --json` has it."""

    total: int
    page: int
    pages: int
    jobs: list[PastJob]


class StudyAnswer(BaseModel):
    """A simulation of other policies: how far it is, and what came of it, as `simulate --json` has it."""

    number: str
    policies: list[str]
    nodes: str
    days: int
    begun_s: float
    jobs: int
    done: float
    summaries: list[dict[str, Any]]
    trouble: str
    is_over: bool
    took_s: float


class ActionEntry(BaseModel):
    """One thing that happened to an action."""

    at_s: float
    event: str
    detail: str
    actor: str


class ActionAnswer(BaseModel):
    """An action of recovery with its trail."""

    id: int
    job: int
    job_id: str
    run: int
    kind: str
    target: str
    reason: str
    mode: str
    event: str
    detail: str
    nodes: list[str]
    cleared: list[str]
    harms: str
    answers: list[str]
    trail: list[ActionEntry]


class ActionList(BaseModel):
    """Some of the actions, the latest first, and whether the trail is as it was written."""

    total: int
    page: int
    pages: int
    actions: list[ActionAnswer]
    entries: int
    broken: int | None
    breaker: str
    """What the circuit breaker has refused last, unless it was reset since."""


class CurveAnswer(BaseModel):
    """The curves of a run: pairs of a step, or of a moment, and a value."""

    run: int
    loss: list[tuple[float, float]]
    step_time_s: list[tuple[float, float]]
    gpu_load: list[tuple[float, float]]
    """Shares of 1; where nobody measured it, none."""
    skipped_bytes: int
    """Of the beginning of a long log, which were not read for this."""


class LogAnswer(BaseModel):
    """Some lines of a log."""

    run: int
    at: int
    end: int
    size: int
    lines: list[tuple[int | None, str]]


class Done(BaseModel):
    """What the loop said to what was asked of it."""

    answer: str


@dataclass(frozen=True)
class Word:
    """Something that a question may say."""

    name: str
    about: str
    kind: Kind = "string"
    where: Literal["query", "path", "body"] = "query"
    needed: bool = False


Answering = Callable[[Request, dict[str, Any]], Awaitable[Any]]


@dataclass(frozen=True)
class Question:
    """One thing that can be asked."""

    name: str
    path: str
    about: str
    gives: TypeAdapter[Any]
    answer: Answering
    words: Sequence[Word] = ()
    method: Literal["GET", "POST"] = "GET"
    uploads: bool = False
    """Whether the body is a log itself."""
