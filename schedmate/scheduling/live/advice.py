"""What to expect of a job, asked when it comes: from runs of the same thing at once, else read beside the loop.

The decision that follows the submission does not wait for a reader; when the answer comes the job moves in the queue.
"""

import shlex
from collections.abc import Callable
from pathlib import Path

from schedmate.clusters import Learned, LiveJob
from schedmate.clusters.job_rows import profile_of
from schedmate.clusters.managed import ManagedCluster
from schedmate.history.admission import find_resubmissions
from schedmate.history.expectation import estimate_from, knows_end, resubmissions, told_by_ends
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import LiveRow
from schedmate.scheduling.live.estimates import LiveEstimates
from schedmate.scheduling.live.reader_client import ReaderClient
from schedmate.scheduling.view import Action
from schedmate.scheduling.virtual_cluster import VirtualCluster
from schedmate.schemas import Estimate, Job
from schedmate.workers.worker import Result


class Advice:
    """Asks once a job; what was asked and not answered is asked again after a restart."""

    def __init__(
        self,
        cluster: ManagedCluster,
        store: LiveStore,
        readings: ReaderClient,
        estimates: LiveEstimates,
        say: Callable[[str], None],
        learn: Callable[[int], None] = lambda number: None,
    ) -> None:
        self.cluster = cluster
        self.store = store
        self.readings = readings
        self.estimates = estimates
        self.say = say
        self.learn = learn
        """Is told whose code was read."""

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """Look for runs of the same thing; have the code read where there are none."""
        number = job.number
        row = self.store.job(number)
        if row.estimate or job.placement is not None:
            return
        past = find_resubmissions(self.store.connection, noun_of(row), now_s=self.cluster.now_s())
        evidence = told_by_ends(resubmissions([one for one in past if one.duration_s is not None]))
        if any(map(knows_end, evidence)):
            self.keep(number, estimate_from(evidence, "resubmission"))
            return
        asked: Result = {"kind": "advise", "workdir": row.workdir, "data_dir": str(self.store.data_dir)}
        asked |= {"job": noun_of(row).model_dump(mode="json")}
        if self.cluster.can.scripts and row.engine_id and not row.account:  # others handed it to the engine
            asked["script_of"] = row.engine_id
        if row.runs_as:
            self.ask_owner(number, asked, row.runs_as)
            return
        self.readings.ask(asked, lambda answer: self.answered(number, answer))

    def ask_owner(self, number: int, asked: Result, owner: str) -> None:
        """Have the code read as its owner, who sees no history; then the history asked, where no code is opened."""

        def read(answer: Result) -> None:
            if "error" in answer:
                self.answered(number, answer)
                return
            told = asked | {"kind": "estimate", "extraction": answer["extraction"]}
            self.readings.ask(told, lambda found: self.answered(number, found))

        self.readings.ask(asked | {"kind": "extract", "as": owner}, read)

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """What is learned from an end is learned elsewhere."""

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Nothing to ask."""

    def answered(self, number: int, answer: Result) -> None:
        """Keep what the reader found, and let the job take its new place."""
        if "error" in answer:
            self.say(f"job {self.store.name_of(number)}: its code was not read: {answer['error']}")
            return
        estimate = Estimate.model_validate(answer["estimate"])
        if estimate.workload is not None:
            self.store.update(number, workload=estimate.workload.model_dump_json())
            self.learn(number)
        self.keep(number, estimate.model_copy(update={"workload": None}))

    def keep(self, number: int, estimate: Estimate) -> None:
        """Write an estimate down and hand it to the policy."""
        self.store.update(number, estimate=estimate.model_dump_json())
        job = self.cluster.job(number)
        if job is None:
            return
        profile, job.profile = job.profile, profile_of(self.store.job(number))
        if self.estimates.answer(number, estimate) or job.profile != profile:
            self.cluster.post(Learned(job))


def noun_of(row: LiveRow) -> Job:
    """Say of a job what a scheduler knows of it."""
    states = {"pending": "pending", "running": "running", "completed": "completed", "cancelled": "cancelled"}
    return Job.model_validate(
        {
            "job_id": row.job_id,
            "user": row.user,
            "name": row.name,
            "command": shlex.join(row.command),
            "workdir": Path(row.workdir),
            "git_branch": row.git_branch,
            "vc": row.vc,
            "gpus": row.slots * row.share,
            "submit_s": row.submit_s,
            "start_s": row.first_start_s,
            "end_s": row.end_s,
            "status": states.get(row.state, "failed"),
        }
    )
