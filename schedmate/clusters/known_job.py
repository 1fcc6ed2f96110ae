"""A job that was looked up by its id, with the caller's own rights: where it wrote, how it ended."""

import os
from typing import NamedTuple

from schedmate.errors import InputError
from schedmate.readers.failures.exit_codes import said_of_end


class KnownJob(NamedTuple):
    """What an engine knows of a job."""

    name: str
    log: str
    workdir: str
    command: str
    state: str
    """How it ended, in the engine's word; empty while it has not."""
    reason: str
    code: int | None
    nodes: tuple[str, ...]
    limit: str
    evidence: tuple[str, ...] = ()
    """What the engine knows of its end beside the log, a line each."""

    @property
    def exited(self) -> str:
        """Say how it ended, as `diagnose --exited` takes it; empty while it runs."""
        return said_of_end(self.code, self.state) if self.state else ""


def log_there(known: KnownJob) -> str:
    """Give a job's log; say why where there is none to be read here."""
    if not known.log:
        raise InputError(
            f"job {known.name} wrote to a terminal, not to a log", "schedmate diagnose reads any saved copy"
        )
    if not known.workdir:
        raise InputError(f"it is not known where job {known.name} wrote", "name its log")
    if not os.access(known.log, os.R_OK):
        why = "may not be read" if os.path.exists(known.log) else "is not there"
        raise InputError(f"the log of job {known.name}, {known.log}, {why}", "ask its owner, or name a copy of it")
    return known.log
