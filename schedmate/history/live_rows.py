"""The running loop's rows as the rest of the house sees them: jobs, runs, requests, recovery steps."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

State = Literal["pending", "running", "examined", "held", "completed", "failed", "cancelled"]

SLACK_S, SLACK_SHARE = 2.0, 0.01
"""How far wall and monotonic clock may lie apart before one of them is taken to have been set."""
Parts = tuple[tuple[str, int], ...]


def slots_in(parts: Parts) -> int:
    """Count the slots of a place."""
    return sum(mask.bit_count() for _, mask in parts)


MOST_SLOTS = MOST_CPUS = 1 << 20
MOST_MEMORY_GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Submission:
    """What a user hands in."""

    command: tuple[str, ...]
    workdir: str
    environment: Mapping[str, str]
    slots: int = 1
    share: float = 1.0
    """How much of its slots the job will use, by its owner's word; below 1 it may be packed with another."""
    name: str = ""
    user: str = ""
    vc: str = ""
    kind: str = ""
    git_branch: str = ""
    alone: bool = False
    """Whether its slots are to be nobody else's, whatever it is expected to leave of them."""
    memory_gib: float = 0.0
    """Most main memory that it may take; 0: as much as there is."""
    cpus: int = 0
    """Processors that it may run on; 0: all."""
    most_slots: int = 0
    """The most that it can use, where others lie idle; 0: `slots`, neither more nor fewer."""
    account: str = ""
    """Who hands it in, as the operating system knows him; empty: whoever owns this process."""
    runs_as: str = ""
    """As whom it runs, as JSON (`clusters/as_user.py`); empty: as the loop itself."""

    def is_possible(self) -> bool:
        """Tell numbers that some machine could have; no infinity and no NaN is one of them."""
        can_grow = self.most_slots == 0 or (self.share == 1 and self.slots < self.most_slots <= MOST_SLOTS)
        fits = 0 < self.slots <= MOST_SLOTS and 0 < self.share <= 1 and 0 <= self.cpus < MOST_CPUS
        return can_grow and fits and 0 <= self.memory_gib < MOST_MEMORY_GIB


@dataclass(frozen=True, slots=True)
class LiveRow:
    """A job as the store has it."""

    id: int
    token: str
    """Tells this submission from every other, in this store or any."""
    name: str
    user: str
    vc: str
    kind: str
    slots: int
    share: float
    command: tuple[str, ...]
    workdir: str
    environment: dict[str, str]
    git_branch: str
    submit_s: float
    state: State
    reason: str
    packable: bool
    checkpoint: str
    preemptions: int
    served_s: float
    first_start_s: float | None
    end_s: float | None
    estimate: str
    workload: str
    metrics: str
    diagnosis: str
    hardware: str
    memory_gib: float
    cpus: int
    most_slots: int
    account: str
    """Who handed it in, as the operating system knew him."""
    runs_as: str
    engine_id: str
    """What the engine calls it; empty where that is its number."""

    @property
    def job_id(self) -> str:
        """Name the job as its users know it."""
        return self.engine_id or str(self.id)


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of a job: from the intent to start it to its end."""

    job: int
    run: int
    kind: str
    parts: Parts
    partner: int | None
    intended_s: float
    stopping: str
    began_s: float | None
    ended_s: float | None
    outcome: str
    code: int | None
    failure: str
    """What a diagnosis called it."""
    progress: float | None
    """The last step that its log told of."""
    log: str
    """Where it writes, if the engine says so."""
    reason: str
    """Why it ended, in the engine's own words."""
    ran_s: float | None
    """How long it ran by a clock that nobody sets; None where nobody measured it."""

    @property
    def took_s(self) -> float | None:
        """Give how long it ran: as measured, else by the wall; None while it runs, and where that is nonsense."""
        if self.ran_s is not None or self.ended_s is None:
            return self.ran_s
        wall_s = self.ended_s - (self.began_s or self.intended_s)
        return wall_s if wall_s >= 0 else None

    @property
    def clock_was_set(self) -> bool:
        """Tell whether the wall says something else than was measured."""
        if self.ran_s is None or self.ended_s is None or self.began_s is None:
            return False
        return abs(self.ended_s - self.began_s - self.ran_s) > SLACK_S + SLACK_SHARE * self.ran_s


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asks of the loop."""

    id: int
    kind: str
    target: int
    argument: str
    actor: str = ""
    """Who asks, as the operating system knows him."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the loop says to a request."""

    words: str = ""
    """What was done, or why nothing was."""
    ok: bool = True
    data: Any = None  # whatever JSON holds
    """What was asked for, where that is more than words."""


@dataclass(frozen=True, slots=True)
class ActionRow:
    """A recovery step with the last thing that happened to it."""

    id: int
    made_s: float
    job: int
    run: int
    place: int
    kind: str
    target: str
    reason: str
    mode: str
    event: str
    at_s: float
    detail: str
    nodes: tuple[str, ...] = ()
    """What a check found at fault, or what was really isolated."""
    cleared: tuple[str, ...] = ()
    """What a check found in order."""


def action_row(row: sqlite3.Row) -> ActionRow:
    """Turn a row into a step."""
    values = dict(row)
    values["nodes"], values["cleared"] = tuple(json.loads(values["nodes"])), tuple(json.loads(values["cleared"]))
    return ActionRow(**values)


def live_row(row: sqlite3.Row) -> LiveRow:
    """Turn a row into a job."""
    values = dict(row)
    values["command"] = tuple(json.loads(values["command"]))
    values["environment"] = json.loads(values["environment"])
    values["packable"] = bool(values["packable"])
    return LiveRow(**values)


def run_row(row: sqlite3.Row) -> RunRow:
    """Turn a row into a run."""
    values = dict(row)
    values["parts"] = tuple((name, mask) for name, mask in json.loads(values["parts"]))
    return RunRow(**values)
