"""Pods that recovery was asked about: a file that only grows, beside the checkpoints of their plans."""

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from schedmate.choices import RecoveryMode
from schedmate.clusters.pod_site import PodFacts, PodSite
from schedmate.errors import InputError
from schedmate.graphs.approve import APPROVE
from schedmate.graphs.state import Fields
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.scheduling.recovery.pods import PodActions, steps_of
from schedmate.scheduling.recovery.your_loop import Recoveries, RecoveryInput, open_recoveries
from schedmate.schemas import Diagnosis
from schedmate.tools.own_folder import claim

FILE_NAME, CHECKPOINTS = "recoveries.jsonl", "recoveries.sqlite3"


class PodFailure(NamedTuple):
    """A pod's death, and how far recovery was to go."""

    key: str
    """Names this very death and the mode."""
    mode: RecoveryMode
    pod: PodFacts
    failure: str
    """What it died of."""
    at_s: float

    @property
    def job(self) -> str:
        """Name what the pods that follow each other have in common."""
        return f"{self.pod.name.partition('/')[0]} {self.pod.owner or self.pod.name}"


class PodFailures:
    """What was begun and answered; one process at a time."""

    def __init__(self, folder: Path, rules: Rules, tell: Callable[[str], None]) -> None:
        self.folder = folder
        self.rules = rules
        self.tell = tell
        self.known: dict[str, PodFailure] = {}
        for entry in read(folder / FILE_NAME):
            if "begun" in entry:
                with suppress(TypeError, KeyError):
                    pod = PodFacts(**{**entry["begun"]["pod"], "command": tuple(entry["begun"]["pod"]["command"])})
                    one = PodFailure(**{**entry["begun"], "pod": pod})
                    self.known[one.key] = one

    def begin(
        self, site: PodSite, pod: PodFacts, diagnosis: Diagnosis, mode: RecoveryMode
    ) -> tuple[PodFailure, Fields]:
        """Start on a death, or go on where it was left; give what became of the steps."""
        key, name = f"{pod.uid}.{pod.restarts}.{mode}", diagnosis.failure_id or diagnosis.category
        failure = self.known.get(key) or PodFailure(key, mode, pod, name, time.time())
        if key not in self.known:
            self.write({"begun": {**failure._asdict(), "pod": pod._asdict()}})
            self.known[key] = failure
        given: RecoveryInput = {
            "job": 0, "job_id": pod.name, "run": pod.restarts + 1, "nodes": [pod.node] if pod.node else [],
            "diagnosis": diagnosis.model_dump(mode="json"), "mode": mode, "name": pod.owner,
            "command": [*pod.command], "past": [{"failure": one.failure} for one in self.before(failure)],
        }  # fmt: skip
        with self.recoveries(site, failure) as recoveries:
            return failure, shown(recoveries, key, recoveries.begin(key, given))

    def before(self, failure: PodFailure) -> Sequence[PodFailure]:
        """List the earlier deaths of a pod's job within the breaker's window, oldest first; each counts once."""
        since_s = failure.at_s - self.rules.recovery.window_s
        deaths = {
            (one.pod.uid, one.pod.restarts): one
            for one in self.known.values()
            if one.job == failure.job and since_s <= one.at_s <= failure.at_s and one.mode != "observe"
        }
        deaths.pop((failure.pod.uid, failure.pod.restarts), None)
        return sorted(deaths.values(), key=lambda one: one.at_s)

    def answer(self, site: PodSite, pod: str, action: int, answer: str, actor: str) -> Fields:
        """Hand over a person's word on a step: one that is proposed, or one that lacks evidence."""
        failure = self.last_of(pod)
        with self.recoveries(site, failure) as recoveries:
            waiting = recoveries.proposed(failure.key)
            if waiting is None and answer == APPROVE:
                self.write({"said": answer, "failure": failure.key, "action": action, "by": actor, "at_s": time.time()})
                return shown(recoveries, failure.key, recoveries.vouch(failure.key, action))
            if waiting is None or waiting["action"] != action:
                asked = f"action {waiting['action']} waits" if waiting else "nothing waits"
                raise InputError(f"action {action} of {pod} is not proposed: {asked}", "schedmate kubernetes list")
            self.write({"said": answer, "failure": failure.key, "action": action, "by": actor, "at_s": time.time()})
            return shown(recoveries, failure.key, recoveries.answer(failure.key, waiting["id"], answer))

    def undo(self, site: PodSite, pod: str, action: int, actor: str) -> str:
        """Take a step back."""
        failure = self.last_of(pod)
        with self.recoveries(site, failure) as recoveries:
            words = recoveries.undo(failure.key, action)
            self.write({"said": "undo", "failure": failure.key, "action": action, "by": actor, "at_s": time.time()})
            return words

    def steps(self, site: PodSite, failure: PodFailure) -> Fields:
        """Give what became of a failure's steps."""
        with self.recoveries(site, failure) as recoveries:
            return shown(recoveries, failure.key, recoveries.state(failure.key))

    def last_of(self, pod: str) -> PodFailure:
        """Give the latest death of a pod that recovery was to act on."""
        found = [one for one in self.known.values() if one.pod.name == pod and one.mode != "observe"]
        if not found:
            raise InputError(
                f"recovery was not asked about {pod}", f"schedmate kubernetes recover {pod} --mode suggest"
            )
        return max(found, key=lambda one: one.at_s)

    @contextmanager
    def recoveries(self, site: PodSite, failure: PodFailure) -> "Iterator[Recoveries]":
        """Open the plans with the hands for one failure."""
        acts = PodActions(site, self.rules, failure.pod, failure.key, self.tell)
        with open_recoveries(acts, self.folder / CHECKPOINTS, steps_of(site, failure.pod)) as opened:
            yield opened

    def write(self, entry: dict[str, object]) -> None:
        """Append a line before anything is done."""
        with open(self.folder / FILE_NAME, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def open_pod_failures(folder: Path, rules: Rules, tell: Callable[[str], None]) -> Iterator[PodFailures]:
    """Open the folder for this process alone."""
    claim(folder)
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError("another recovery of pods is at work here", "try again when it is done") from None
        yield PodFailures(folder, rules, tell)
    finally:
        os.close(handle)


def shown(recoveries: Recoveries, key: str, final: Fields) -> Fields:
    """Add the question that waits to what became of the steps."""
    return {"steps": final.get("steps", []), "proposed": recoveries.proposed(key)}


def read(path: Path) -> Iterator[dict[str, Any]]:  # Any: a line of JSON
    """Read all lines; one that a kill cut off is none."""
    with suppress(FileNotFoundError), open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            with suppress(ValueError):
                entry = json.loads(line)
                if isinstance(entry, dict):
                    yield entry
