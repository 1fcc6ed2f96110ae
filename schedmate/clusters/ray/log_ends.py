"""How jobs ended that others handed to Ray (`ray job submit`), asked of its job server; needs no Ray here."""

import json
import re
import threading
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

import httpx

from schedmate.clusters.log_ends import LogEnd
from schedmate.errors import InputError
from schedmate.readers.failures.exit_codes import said_of_end

LOGS = "/tmp/ray/session_latest/logs/job-driver-*.log"
"""Where a head keeps what the drivers of submitted jobs print."""
EVERY_S = 5.0
LIMIT_S = 10.0

FIRST_S, AGAIN_S = 5.0, 0.5
"""So long the first look waits for an answer, and so soon a server that has not answered yet is asked again."""
MOST_BYTES = 256 << 20
MOST = 200_000
LOG = re.compile(r"job-driver-(.+)\.log")
NOT_HERE = (
    "no log here is of a job that Ray's job server knows: name the logs (job-driver-*.log, in the head's session)"
)
OVER = frozenset({"SUCCEEDED", "FAILED", "STOPPED"})


class RayEnds:
    """Asks every few seconds, in a thread of its own; a log is its job's by its name, wherever it lies."""

    def __init__(self, address: str, every_s: float = EVERY_S, first_s: float = FIRST_S) -> None:
        if not re.fullmatch(r"https?://\S+", address):
            raise InputError(f"'{address}' is no address of a job server", "as in: --ray http://127.0.0.1:8265")
        self.url = address.rstrip("/") + "/api/jobs/"
        self.every_s, self.first_s = every_s, first_s
        self.known: dict[str, LogEnd] = {}
        self.jobs: frozenset[str] = frozenset()
        """All that the server told of last."""
        self.said, self.trouble = "", ""
        self.over = threading.Event()
        self.answered = threading.Event()
        self.has_waited = False
        threading.Thread(target=self.ask_on, name="ray-ends", daemon=True).start()

    def ask_on(self) -> None:
        """Ask until told to stop."""
        while not self.over.is_set():
            try:
                self.take(json.loads(self.ask()))
                self.trouble = ""
                self.answered.set()
            except (httpx.HTTPError, ValueError, TypeError, RecursionError) as error:
                self.trouble = f"Ray's job server does not answer ({type(error).__name__})"
            self.over.wait(self.every_s if self.answered.is_set() else min(AGAIN_S, self.every_s))

    def ask(self) -> bytes:
        """Fetch the list of jobs, as long as it is of a size that lists have."""
        found = bytearray()
        with httpx.stream("GET", self.url, timeout=LIMIT_S) as answer:
            answer.raise_for_status()
            for part in answer.iter_bytes():
                found += part
                if len(found) > MOST_BYTES:
                    raise ValueError("too long")
        return bytes(found)

    def take(self, jobs: Any) -> None:  # Any: JSON of the job server
        """Take an answer in; an end that the server has forgotten stays known."""
        if not isinstance(jobs, list):
            raise TypeError("no list of jobs")
        told = [job for job in jobs if isinstance(job, dict) and isinstance(job.get("submission_id"), str)]
        named = {str(job["submission_id"]): job for job in told}
        self.jobs = frozenset(named)
        for name, job in named.items():
            end = end_of(job)
            if end is None:
                self.known.pop(name, None)
            else:
                self.known[name] = end
        while len(self.known) > MOST:
            del self.known[next(iter(self.known))]

    def look(self, paths: Iterable[str], now_s: float) -> None:
        """Say so where none of the logs is of a job that the server knows; a first look waits for the first answer."""
        if not self.has_waited:
            self.has_waited = True
            if not self.answered.wait(self.first_s) and not self.trouble:
                self.trouble = f"Ray's job server does not answer within {self.first_s:g} s"
        followed = (LOG.fullmatch(PurePath(path).name) for path in paths)
        is_strange = bool(self.jobs) and self.jobs.isdisjoint(named[1] for named in followed if named)
        self.said = self.trouble or (NOT_HERE if is_strange else "")

    def end_of(self, path: str) -> LogEnd | None:
        """Give how the job of a log ended, by the last answer."""
        named = LOG.fullmatch(PurePath(path).name)
        return self.known.get(named[1]) if named else None

    def close(self) -> None:
        """Stop asking; a question that is under way is not waited for."""
        self.over.set()


def end_of(job: Mapping[str, Any]) -> LogEnd | None:  # Any: JSON of the job server
    """Read how a job ended; None while it is not over."""
    status, code = str(job.get("status")).upper(), job.get("driver_exit_code")
    if status not in OVER:
        return None
    return LogEnd(
        said_of_end(code if isinstance(code, int) else None, status), status == "SUCCEEDED", status == "STOPPED"
    )
