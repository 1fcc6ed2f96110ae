"""What an assistant proposes to do, and what a person said to it: an append-only file beside the store."""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, get_args

from schedmate.errors import InputError, StoreError
from schedmate.tools.own_folder import claim
from schedmate.tools.plain_text import plain

FILE_NAME = "proposals.jsonl"
Kind = Literal["cancel", "release", "drain", "resume"]
MOST_WAITING, MOST_TARGET, MOST_WHY = 100, 200, 1000


class AssistantProposal(NamedTuple):
    """One proposal; `verdict` is empty while it waits."""

    number: int
    made_s: float
    kind: Kind
    target: str
    why: str
    verdict: str = ""
    actor: str = ""


class ProposalFile:
    """Any number of processes may propose and decide; who decides first decides."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.path = data_dir / FILE_NAME

    def add(self, kind: str, target: str, why: str) -> AssistantProposal:
        """Write a proposal down; nothing is done."""
        target, why = plain(target.strip())[:MOST_TARGET], plain(why.strip())[:MOST_WHY]
        if kind not in get_args(Kind):
            raise InputError(f"'{kind[:40]}' cannot be proposed", f"there are: {', '.join(get_args(Kind))}")
        if not target or not why:
            raise InputError("a proposal needs a target and a reason")
        with self.opened() as file:
            known = read(file)
            if sum(not one.verdict for one in known.values()) >= MOST_WAITING:
                raise InputError(f"{MOST_WAITING} proposals wait already", "a person decides: schedmate proposals list")
            made = AssistantProposal(max(known, default=0) + 1, time.time(), kind, target, why)  # type: ignore[arg-type]
            write(file, {"propose": made._asdict()})
        return made

    def all_of_them(self) -> list[AssistantProposal]:
        """List proposals, oldest first."""
        if not self.path.exists():
            return []
        with self.opened() as file:
            return [*read(file).values()]

    def decide(self, number: int, verdict: Literal["approved", "rejected"], actor: str) -> AssistantProposal:
        """Note a person's word on a proposal; a second word on it is refused."""
        with self.opened() as file:
            found = read(file).get(number)
            if found is None:
                raise InputError(f"there is no proposal {number}", "see: schedmate proposals list")
            if found.verdict:
                raise InputError(f"proposal {number} was {found.verdict} by {found.actor}")
            write(file, {"decide": {"number": number, "verdict": verdict, "actor": actor, "at_s": time.time()}})
        return found._replace(verdict=verdict, actor=actor)

    @contextmanager
    def opened(self) -> Iterator[IO[str]]:
        """Open the file for reading and appending, by oneself alone."""
        try:
            claim(self.data_dir)
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be opened: {error.strerror}", "see SCHEDMATE_DATA_DIR") from error
        with os.fdopen(handle, "r+", encoding="utf-8", errors="replace") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file


def read(file: IO[str]) -> dict[int, AssistantProposal]:
    """Read all entries; a line that a kill cut off is none."""
    found: dict[int, AssistantProposal] = {}
    file.seek(0)
    for line in file:
        try:
            entry: dict[str, Any] = json.loads(line)
            if made := entry.get("propose"):
                found[int(made["number"])] = AssistantProposal(**made)
            elif word := entry.get("decide"):
                number = int(word["number"])
                found[number] = found[number]._replace(verdict=str(word["verdict"]), actor=str(word["actor"]))
        except (ValueError, TypeError, KeyError, AttributeError):
            continue
    return found


def write(file: IO[str], entry: dict[str, Any]) -> None:
    """Append a line; one that was cut off before it is ended first."""
    size = file.seek(0, os.SEEK_END)
    ends = size == 0 or os.pread(file.fileno(), 1, size - 1) == b"\n"
    file.write(("" if ends else "\n") + json.dumps(entry) + "\n")
    file.flush()
    os.fsync(file.fileno())
