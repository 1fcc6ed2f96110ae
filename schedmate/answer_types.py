"""The answers that --json prints and that are no noun of their own: `schedmate.answers` lists all."""

from pydantic import BaseModel, ConfigDict, Field

from schedmate.schemas import Diagnosis, SimilarJob


class Answer(BaseModel):
    """What all share: no field that is not named here."""

    model_config = ConfigDict(extra="forbid")


class Failed(Answer):
    """A log that could not be read, in its place among the others."""

    log: str
    error: str
    hint: str


class RunOfJob(Answer):
    """One run of a job: where, from when to when, how it ended."""

    run: int
    placement: dict[str, int]
    """for each node the slots, as bits"""
    began_s: float | None
    ended_s: float | None
    outcome: str
    code: int | None


class Before(Answer):
    """A job that waits before another."""

    job: int
    job_id: str
    name: str
    user: str
    slots: int
    expected_s: float | None
    waited_s: float


class Standing(Answer):
    """Where a waiting job stands in the queue."""

    policy: str
    waiting: int
    position: int | None
    before: list[Before]
    expected_s: float | None
    waits_for: str
    expected_start_in_s: float | None


class Why(Answer):
    """Why a job waits, how it gets on, why it died."""

    job: int
    job_id: str
    state: str
    reason: str
    facts: list[str]
    queue: Standing | None
    diagnosis: Diagnosis | None


class Node(Answer):
    """A node of the loop."""

    node: str
    slots: int
    kind: str
    state: str
    reason: str
    by: str
    action: int | None
    jobs: list[str]


class Setting(Answer):
    """One setting, masked where it is a secret."""

    name: str
    value: str
    source: str
    about: str


class Submitted(Answer):
    """A job that was handed in."""

    job: int
    loop_is_up: bool
    """false where it waits for `schedmate up`"""


class TrailEntry(Answer):
    """One thing that happened to a recovery step."""

    at_s: float
    event: str
    detail: str
    actor: str


class Pruned(Answer):
    """What `history prune` forgot, or would."""

    matching: int
    removed: int


class Reindexed(Answer):
    """What `history reindex` made."""

    workloads: int
    vectors: str
    elapsed_s: float
    notes: list[str]


class Remembered(Answer):
    """What a person said of a failure."""

    number: int
    made_at: str
    class_: str = Field(alias="class")
    failure_id: str | None
    log: str
    line: str


class SiteFailure(Answer):
    """A failure that this site added."""

    place: str
    id: str
    category: str


class SiteFormat(Answer):
    """A log format that this site added."""

    place: str
    format: str


class ProposalRecord(Answer):
    """What an assistant proposes; `verdict` is empty while it waits for a person."""

    number: int
    made_s: float
    kind: str
    target: str
    why: str
    verdict: str
    actor: str


class PodQuestion(Answer):
    """A step of a pod's recovery that waits for a person, and what would be done."""

    id: str
    job: int
    action: int
    kind: str
    target: str
    words: str
    answers: list[str]


class SiteTrouble(Answer):
    """What is wrong with a file of this site's; it is not used."""

    place: str
    error: str


class SiteMatch(Answer):
    """A line of a log that one of this site's failures matches."""

    line: int
    id: str
    quote: str


class SimilarJobs(Answer):
    """The past jobs most like one."""

    similar: list[SimilarJob]
    source: str


class FailuresSummary(Answer):
    """Failures of the last hours, counted."""

    since_hours: float
    jobs_ended: int
    jobs_failed: int
    by_class: dict[str, int]
    by_failure: dict[str, int]
    by_node: dict[str, int]
    by_user: dict[str, int]
