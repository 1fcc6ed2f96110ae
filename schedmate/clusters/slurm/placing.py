"""Where jobs run: starts that the policy chose are carried out, stops are; of what Slurm chose it is asked where."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress

from schedmate.clusters.base import Ended, Withdrawn
from schedmate.clusters.job_rows import told
from schedmate.clusters.jobs import LiveJob, Placement
from schedmate.clusters.slurm.books import Books
from schedmate.clusters.slurm.dialects import SILENT
from schedmate.clusters.slurm.handing import tell_run
from schedmate.clusters.slurm.records import JobRecord, read_exclusions
from schedmate.clusters.slurm.runs import SlurmRun, placement_of
from schedmate.clusters.slurm.taking import THEIRS, Taking
from schedmate.errors import SchedMateError

GONE_S = 600.0

TO_PLACE = "schedmate: to be placed"
"""What the submit plugin writes into the administrator's comment of a job that it puts off for the policy to place."""
NOWHERE: frozenset[str] = frozenset()

MOST_IDS = 500
"""Jobs that one command puts off."""


class Placing:
    """Writes intents down; each look carries out what Slurm has not done yet."""

    def __init__(self, books: Books, taking: Taking) -> None:
        self.books = books
        self.store = books.store
        self.taking = taking

    def start(self, job: LiveJob, placement: Placement, partner: LiveJob | None = None) -> None:
        """Write the intent down; a look carries it out, and again, until the job runs."""
        run = self.store.open_run(job.number, placement.kind, placement.parts, None, self.books.now_s(), "")
        if run is None:
            self.refuse(job)
            return
        log = str(self.books.log_of(job.number))
        self.store.update_run(job.number, run, log=log)
        if job.number not in self.books.held:
            self.books.held[job.number] = SlurmRun(job, run, placement, log)
            with suppress(SchedMateError):  # the next look asks again
                self.carry_out(job.number)

    def refuse(self, job: LiveJob) -> None:
        """Take back a start that came too late: the job was cancelled or held meanwhile."""
        self.books.unpost(Withdrawn, job)
        self.books.post(Ended(job, self.store.job(job.number).state))

    def preempt(self, job: LiveJob) -> None:
        """Stop a job that is to go on later, under its id."""
        self.stop(job)
        self.store.update(job.number, state="pending", preemptions=job.preemptions, served_s=job.served_s)

    def stop(self, job: LiveJob) -> None:
        """Write down that whatever of a job runs is to be stopped; a look does it."""
        for row in self.store.runs(job.number):
            if row.ended_s is None:
                self.store.update_run(job.number, row.run, stopping="preempt")
                self.books.leaving.add(job.number)
        self.books.soon()

    def resize(self, job: LiveJob, placement: Placement) -> None:
        """Stop it, and start it elsewhere once it has stopped."""
        self.stop(job)
        self.start(job, placement)

    def carry_out_all(self, found: Mapping[str, JobRecord]) -> None:
        """Carry out whatever has not been done; what is not to start yet is put off before its time comes."""
        if not self.books.can.place:
            return
        for number in [*self.books.held]:
            self.carry_out(number)
        soon_s = self.books.now_s() + self.books.gone_s / 2
        late = [
            (record.eligible_s, record.name)
            for number, job in self.books.jobs.items()
            if number not in self.books.held and (record := found.get(job.job_id)) is not None
            and record.phase == "waits" and record.eligible_s < soon_s and self.is_ours(number, record)
        ]  # fmt: skip
        if late:
            self.withhold([name for _, name in sorted(late)[:MOST_IDS]])

    def read_exclusions(self) -> None:
        """Learn where jobs may not start; the policy, which chooses their nodes, keeps to it."""
        waiting = [number for number in self.books.jobs if number not in self.books.held]
        if not self.books.can.place or not waiting:
            return
        told = read_exclusions(self.books.commands)
        for number in waiting:
            self.books.jobs[number].avoid = told.get(self.books.jobs[number].job_id, NOWHERE)

    def is_ours(self, number: int, record: JobRecord) -> bool:
        """Tell whether the policy is to place a job; of others', one that the submit plugin has marked."""
        return record.admin_comment == TO_PLACE or not self.store.job(number).token.startswith(THEIRS)

    def withhold(self, names: Sequence[str]) -> None:
        """Let Slurm not start jobs for a while: with us gone for longer, it does."""
        self.books.ask("scontrol", "update", f"JobId={','.join(names)}", f"StartTime=now+{self.books.gone_s:.0f}")

    def carry_out(self, number: int) -> None:
        """Let a job that is to start go to the nodes that were chosen; stop one that is to stop."""
        books = self.books
        run = books.held.get(number)
        record = None if run is None else books.seen.get(run.job.job_id)
        if run is None or record is None or not books.can.place:
            return
        if number in books.leaving and record.phase == "runs":
            books.ask("scontrol", "requeue", record.name)
        elif run.began_s is None and record.phase == "waits" and number not in books.leaving:
            if any(self.is_closed(name) for name, _ in run.placement.parts):
                self.take_back(number, record)
            elif record.eligible_s > books.now_s():
                self.let_start(run, record)

    def let_start(self, run: SlurmRun, record: JobRecord) -> None:
        """Let Slurm start a job, on its nodes alone."""
        books = self.books
        tell_run(books.told_of(run.job.number), told(self.store.job(run.job.number), run.run, run.placement, ()))
        nodes = ",".join(name for name, _ in run.placement.parts)
        books.ask("scontrol", "update", f"JobId={record.name}", f"ReqNodeList={nodes}", "StartTime=now")
        books.soon()

    def is_closed(self, node: str) -> bool:
        """Tell whether a node will start nothing; one that only does not answer for a moment may."""
        known = self.books.known.get(node)
        return known is None or (known.state != "up" and not known.words.endswith(SILENT))

    def take_back(self, number: int, record: JobRecord) -> None:
        """Put a job off whose nodes were taken from under it before it began; the loop places it anew."""
        self.books.ask(
            "scontrol", "update", f"JobId={record.name}", "ReqNodeList=", f"StartTime=now+{self.books.gone_s:.0f}"
        )
        self.taking.end(number, "lost", (None, self.books.now_s()), None, "its nodes take no more jobs")

    def ask_for_gpus(self) -> None:
        """Ask which GPUs one of the jobs has for which it is a guess."""
        for run in self.books.held.values():
            if not run.is_guess or not run.raw:
                continue
            text = self.books.commands.run("scontrol", "show", "job", "--details", run.raw)
            names = [name for name, _ in run.placement.parts]
            run.is_guess, place = False, placement_of(text, names)
            if place is not None and place.gpus:
                run.placement = place
                self.store.update_run(run.job.number, run.run, parts=json.dumps(place.parts))
            return
