"""The tools: each one verb, on what may be read, its answer masked; a failed look-up says which command failed."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from schedmate.errors import SchedMateError
from schedmate.schemas import Diagnosis, Estimate, Extraction, Metrics, Noun
from schedmate.tools.masked_json import clean
from schedmate.tools.masking import mask_text
from schedmate.tools.plain_text import plain
from schedmate.tools.roots import Roots

N = TypeVar("N", bound=Noun)
MOST_JOBS = 200
TAIL_BYTES = 1 << 16
MOST_SAID = 2000
State = Literal["pending", "running", "held", "completed", "failed", "cancelled", ""]
Place = Annotated[str, Field(max_length=4096)]
Command = Annotated[str, Field(max_length=1 << 16)]

Job = Annotated[str, Field(max_length=200)]
"""A job's number, or the name that its engine gave it."""
Hours = Annotated[float, Field(gt=0, le=1e6)]
Gpus = Annotated[float, Field(ge=0, le=1e6)]


class ToolFailed(Exception):
    """Say which command failed, why, and what to do next."""


class Tools:
    """What can be asked; every method's docstring is what the assistant reads of it."""

    def __init__(self, roots: Roots, data_dir: Path, may_propose: bool = False) -> None:
        self.may_propose = may_propose
        self.roots = roots
        self.data_dir = data_dir

    @property
    def all_of_them(self) -> tuple[Callable[..., Any], ...]:
        """List the tools."""
        return (
            self.diagnose_log, self.track_log, self.extract_repo, self.advise, self.find_similar_jobs,
            self.list_jobs, self.why_job, self.failures_summary, self.list_actions,
        )  # fmt: skip

    @property
    def proposing(self) -> tuple[Callable[..., Any], ...]:
        """List the tools that write a proposal down for a person; none where that was not allowed."""
        return (self.propose_action,) if self.may_propose else ()

    def diagnose_log(self, path: Place, exited: Job = "") -> Diagnosis:
        """Find why a job died: the first cause with its quoted line, class, faulty part, and what to do.

        path: the log, or the folder of one job's logs. exited: how it ended, where known: 137, "0:9", "TIMEOUT".
        """
        from schedmate import diagnose

        with told(f"schedmate diagnose {path}"):
            return masked(diagnose(self.roots.allowed_whole(path), exited=exited))

    def track_log(self, path: Place, command: Command = "") -> Metrics:
        """Read how a job is getting on: step time, throughput, loss, progress and the time left, each with its line.

        path: the log. command: what started the job; it may tell the end that the log does not.
        """
        from schedmate import track

        with told(f"schedmate track {path}"):
            return masked(track(self.roots.allowed(path), command=command))

    def extract_repo(self, repo: Place, command: Command = "", workdir: Place = ".") -> Extraction:
        """Read what a job is from its source code: model, data, batch, precision, GPUs, each with its file and line.

        repo: the folder of the code. command: what starts the job there; without it the likeliest program is read.
        """
        from schedmate import extract

        with told(f"schedmate extract {repo} --command '{command}'"):
            return masked(extract(self.roots.allowed(repo), command=command, workdir=workdir))

    def advise(self, repo: Place, command: Command = "", user: Job = "", gpus: Gpus = 0) -> Estimate:
        """Estimate from past jobs how long a job will run, what it takes of a GPU, and how likely it fails."""
        from schedmate import advise

        with told(f"schedmate advise {repo} --command '{command}'"):
            return masked(advise(self.roots.allowed(repo), command=command, user=user, gpus=gpus))

    def find_similar_jobs(self, repo: Place, command: Command = "") -> dict[str, Any]:
        """Name the past jobs that are most like this one, and how they went."""
        with told(f"schedmate advise {repo} --command '{command}'"):
            found = self.advise(repo, command)
            if not found.similar:
                raise SchedMateError(
                    "the history holds no job like this one", "schedmate history stats shows what it holds"
                )
            return {"similar": [one.model_dump(mode="json") for one in found.similar], "source": found.source}

    def list_jobs(
        self,
        state: State = "",
        after: Annotated[int, Field(ge=0, lt=1 << 63)] = 0,
        limit: Annotated[int, Field(ge=1, le=MOST_JOBS)] = 50,
    ) -> dict[str, Any]:
        """List the jobs that `schedmate up` knows, by state if one is named; `after` goes on behind a job's number."""
        from schedmate.scheduling.live.job_account import record

        with told("schedmate jobs --all --json"), self.store() as store:
            states = (state,) if state else ()
            rows = store.jobs(states, after=after, limit=limit)
            return clean({"jobs": [record(row, store) for row in rows], "next_after": rows[-1].id if rows else None})

    def why_job(self, job: Job) -> dict[str, Any]:
        """Say why a job waits, how it is getting on, or why it died, and what was done about it."""
        from schedmate.scheduling.live.job_account import facts_of, record, stands

        with told(f"schedmate why {job}"), self.store() as store:
            row = store.job(store.number_of(job))
            return clean({"facts": facts_of(row, store, stands(row, store)), "job": record(row, store)})

    def failures_summary(self, since_hours: Hours = 168.0) -> dict[str, Any]:
        """Count the failures of the last hours by class, failure, node and user, as `schedmate up` saw them."""
        from schedmate.mcp.summary import summary

        with told("schedmate jobs --all --json"), self.store() as store:
            return clean(summary(store, since_hours))

    def list_actions(self, job: Job = "") -> dict[str, Any]:
        """List what recovery did or proposes, and what a person said to it; of one job, or the latest of all."""
        with told("schedmate actions --json"), self.store() as store:
            rows = store.actions(job=store.number_of(job) if job else None)[-MOST_JOBS:]
            fields = [{name: getattr(row, name) for name in row.__slots__} for row in rows]
            return clean({"actions": [one | {"job_id": store.name_of(one["job"])} for one in fields]})

    def propose_action(
        self, action: Literal["cancel", "release", "drain", "resume"], target: Job, why: Place
    ) -> dict[str, Any]:
        """Propose a step to the operators; nothing is done until a person approves it, and you cannot.

        action: cancel or release a job, drain or resume a node. target: the job's number, or the node's name.
        why: the reason, with the line that it rests on.
        """
        from schedmate.history.proposals import ProposalFile

        with told("schedmate proposals"):
            if action in ("cancel", "release"):
                with self.store() as store:
                    store.number_of(target)
            made = ProposalFile(self.data_dir).add(action, target, why)
            return {
                "proposal": made.number,
                "waits_for": "a person",
                "approved_with": f"schedmate proposals approve {made.number}",
            }

    def log_tail(self, path: str) -> str:
        """Give the end of a log, its secrets masked."""
        from schedmate.tools.logfile import open_log

        with told(f"schedmate diagnose {path}"), open_log(str(self.roots.allowed(path))) as log:
            text = log.window(max(0, log.size - TAIL_BYTES), log.size).decode("utf-8", "replace")
            return mask_text(plain(text))

    @contextmanager
    def store(self) -> "Iterator[Any]":
        """Open the store of jobs, to look at it alone."""
        from schedmate.scheduling.live.stores import OwnStore

        store = OwnStore(self.data_dir, only_look=True)
        try:
            yield store
        finally:
            store.close()


@contextmanager
def told(command: str) -> Iterator[None]:
    """Let a failure say what was tried: an empty answer would be taken for a finding."""
    try:
        yield
    except SchedMateError as error:
        hint = f" ({error.hint})" if error.hint else ""
        raise ToolFailed(said(f"`{command[:300]}` failed: {error.message}{hint}")) from None
    except (OSError, ValueError, OverflowError, RecursionError, sqlite3.Error) as error:
        raise ToolFailed(said(f"`{command[:300]}` failed: {type(error).__name__}: {error}")) from None


def said(words: str) -> str:
    """Make words of others fit to be told: no secrets, no control characters, and not all of very many."""
    return mask_text(plain(words[:MOST_SAID]))


def masked(noun: N) -> N:
    """Mask the secrets of every text in an answer."""
    return type(noun).model_validate(clean(noun.model_dump(mode="json")))
