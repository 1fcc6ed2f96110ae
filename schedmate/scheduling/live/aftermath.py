"""What follows a failure: the log is read beside the loop, the answer is kept, and recovery decides."""

import json
from collections.abc import Callable
from typing import Protocol

from schedmate.clusters import LiveJob
from schedmate.clusters.managed import ManagedCluster
from schedmate.history.live import LiveStore
from schedmate.readers.failures.exit_codes import said_of_end
from schedmate.scheduling.live.reader_client import ReaderClient
from schedmate.scheduling.recovery.hold import place_of
from schedmate.scheduling.view import Action
from schedmate.scheduling.virtual_cluster import VirtualCluster
from schedmate.schemas import Diagnosis
from schedmate.workers.worker import Result


class Recovers(Protocol):
    """Who decides what becomes of a job that was diagnosed."""

    def take(self, number: int, run: int) -> None: ...


class Aftermath:
    """Has every failed run diagnosed; what was interrupted is asked again."""

    def __init__(
        self,
        cluster: ManagedCluster,
        store: LiveStore,
        readings: ReaderClient,
        recovery: Recovers,
        say: Callable[[str], None],
        tells: bool = True,
    ) -> None:
        self.cluster = cluster
        self.store = store
        self.readings = readings
        self.recovery = recovery
        self.say = say
        self.tells = tells
        """Whether a job's users hear of its diagnosis through the engine, too."""
        for row in store.jobs(("examined",)):
            self.examine(row.id)

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """Nothing has failed yet."""

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Nothing has failed yet."""

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """Have a failure read."""
        if status == "failed" and self.store.runs(job.number):  # an engine may give a job up that never ran
            self.examine(job.number)

    def examine(self, number: int) -> None:
        """Ask for a diagnosis of a job's last run."""
        row = self.store.job(number)
        last = self.store.runs(number)[-1]
        run, log = last.run, self.cluster.facts(number, last.run).log
        if not log:
            self.answered(number, run, {"error": "there is no log of its own that may be read"})
            return
        asked: Result = {"kind": "diagnose", "log": log, "workdir": row.workdir}
        asked["exited"] = said_of_end(last.code, last.reason)
        since_s = row.first_start_s or row.submit_s
        asked |= {"as": row.runs_as} if row.runs_as else {}
        asked |= {"since_s": since_s, "is_alone": not self.store.others_in(row.workdir, number, since_s)}
        self.readings.ask(asked, lambda answer: self.answered(number, run, answer), urgent=True)

    def answered(self, number: int, run: int, answer: Result) -> None:
        """Keep the diagnosis, and let recovery decide."""
        store = self.store
        if store.job(number).state != "examined":
            return  # cancelled meanwhile
        if "error" in answer:
            self.cluster.give_up(number, f"not diagnosed: {answer['error']}"[:300])
            self.say(f"job {store.name_of(number)} failed; its log was not diagnosed: {answer['error']}")
            return
        diagnosis = Diagnosis.model_validate(answer["diagnosis"])
        known = self.cluster.facts(number, run).evidence
        diagnosis = diagnosis.model_copy(update={"notes": (*diagnosis.notes, *known)})
        metrics = json.loads(store.job(number).metrics or "{}")
        failure = diagnosis.failure_id or diagnosis.category
        store.update_run(number, run, failure=failure, progress=metrics.get("step"))
        # A run that died before its first checkpoint leaves the one that it began from.
        checkpoint = answer["checkpoint"] or store.job(number).checkpoint
        store.update(number, diagnosis=diagnosis.model_dump_json(), checkpoint=checkpoint)
        self.say(f"job {store.name_of(number)} failed: {summary(diagnosis)}")
        self.recovery.take(number, run)
        if self.tells:
            self.cluster.tell(number, f"{failure} {place_of(diagnosis).rstrip(': ')}".rstrip())


def summary(diagnosis: Diagnosis) -> str:
    """Say in one line what it was; the log's own words are cut short and made harmless to a terminal."""
    where = f" on {diagnosis.root_host}" if diagnosis.root_host else ""
    quote = "".join(letter for letter in diagnosis.root_excerpt.strip()[:120] if letter.isprintable())
    return f"{diagnosis.failure_id or diagnosis.category}{where}" + (f" | {quote}" if quote else "")
