"""What Slurm tells of jobs, compared with what is booked: both halves of a change, run and job, in one transaction."""

import json
import os
import pwd
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf

from schedmate.clusters.base import Ended, FoundRunning, Submitted, Withdrawn
from schedmate.clusters.jobs import Placement
from schedmate.clusters.slurm.books import Books
from schedmate.clusters.slurm.dialects import ENDS
from schedmate.clusters.slurm.log_names import log_of
from schedmate.clusters.slurm.records import EndRecord, JobRecord
from schedmate.clusters.slurm.runs import SlurmRun, guess
from schedmate.clusters.slurm.scripts import words_of
from schedmate.history.live_rows import LiveRow, Submission

THEIRS = "slurm-"
"""How the tokens of jobs begin that others handed to Slurm."""
SAME_S = 1.5
"""Two starts of a job that lie no further apart are one: Slurm tells whole seconds."""
OUT = "SLURM_STDOUT"
"""Under this name a row keeps how its log is called: the accounting forgets that."""
GONE_S = 600.0
"""How long a job may be in neither the queue nor the accounting until it is given up."""
SPARE_NAMES = 1000
"""So many names of jobs that are over are kept before they are looked through."""
OVER = ("completed", "failed", "cancelled")


class Taking:
    """Books what is new of jobs."""

    def __init__(self, books: Books, seen_until_s: float) -> None:
        self.books = books
        self.store = books.store
        self.seen_until_s = seen_until_s
        """What ended before was over before we came."""
        self.missed: dict[str, float] = {}
        """Since when nobody knows of a job."""
        self.open_to_others: set[str] = set()
        """Jobs that were passed over because recovery decides about them first."""

    def unexplained(self, found: dict[str, JobRecord]) -> list[str]:
        """Name the jobs of which only the accounting can tell: those that have gone, and runs that others followed."""
        wanted = []
        for number, job in self.books.jobs.items():
            record = found.get(job.job_id)
            if record is None:
                if self.store.job(number).engine_id and self.store.job(number).state in ("pending", "running", "held"):
                    wanted.append(job.job_id)
            elif number in self.books.held and self.was_followed(self.books.held[number], record):
                wanted.append(job.job_id)
        return wanted

    def was_followed(self, run: SlurmRun, record: JobRecord) -> bool:
        """Tell whether a run that had begun is over, and its job waits or runs anew."""
        if run.began_s is None:
            return False
        if record.phase in ("waits", "held"):
            return True
        return record.start_s is not None and abs(record.start_s - run.began_s) > SAME_S

    def take_job(self, record: JobRecord, ends: Sequence[EndRecord]) -> None:
        """Book what is new of a job."""
        number = self.books.names.get(record.name)
        if number is not None and self.is_another(number, record):
            number = None
        if number is None:
            if record.phase == "over" and (record.end_s or 0.0) < self.seen_until_s:
                return  # it was over before we came
            number = self.take_in(record)
        self.missed.pop(record.name, None)
        run = self.books.held.get(number)
        if run is not None and self.was_followed(run, record):
            self.end_followed(number, run, record, ends)
        if record.phase in ("waits", "held"):
            self.take_waiting(number, record)
        elif record.phase == "runs":
            self.begin(number, record)
        elif record.phase == "over":
            self.take_end(number, record)

    def is_another(self, number: int, record: JobRecord) -> bool:
        """Tell whether Slurm, having lost its state, has given a job's number to another; a requeue counts restarts."""
        row = self.store.job(number)
        if not row.token.startswith(THEIRS) or record.restarts or record.submit_s <= row.submit_s + SAME_S:
            return False
        words = "Slurm has given its number to another job"
        if number in self.books.held:
            self.end(number, "cancelled", (self.books.held[number].began_s, None), None, words)
        elif row.state not in OVER:
            self.over(number, "cancelled", words)
        self.store.update(number, engine_id=f"{record.name}~{number}")
        return True

    def take_in(self, record: JobRecord) -> int:
        """Make a row of a job that others handed to Slurm."""
        command = tuple(words_of(record.command))
        slots = max(1, record.gpus)
        kept = {OUT: record.out} if record.is_batch else {}
        reader = read_as(record.uid, record.user)
        job = Submission(command, record.workdir, kept, slots, name=record.title, user=record.user, runs_as=reader)
        token = f"{THEIRS}{record.name}-{record.submit_s:.0f}"
        number = self.store.submit(job, token, record.submit_s, record.name)
        self.books.names[record.name] = number
        is_held = record.phase == "held"
        if is_held:
            self.store.update(number, state="held", reason=record.reason)
        live = self.books.hold_row(self.store.job(number))
        if not is_held:
            self.books.post(Submitted(live))
        return number

    def take_waiting(self, number: int, record: JobRecord) -> None:
        """Book a job that waits, or is held: others may have held, released or requeued it."""
        row, run = self.store.job(number), self.books.held.get(number)
        self.open_to_others.discard(record.name)
        if row.state == "examined":
            self.open_to_others.add(record.name)
            return  # recovery is about to decide
        if record.phase == "held":
            if record.name in self.books.half_held:
                self.books.ask("scontrol", "release", record.name)
                self.books.half_held.discard(record.name)
                return
            if run is not None and run.began_s is None and number not in self.books.leaving:
                self.end(number, "lost", (None, self.books.now_s()), None, "held before it began")
                row = self.store.job(number)
            if row.state != "held":
                self.store.update(number, state="held", reason=row.reason or record.reason)
                if row.state == "pending" and number in self.books.jobs:
                    self.books.post(Withdrawn(self.books.jobs[number], "held"))
        elif row.state in ("held", *OVER):
            self.store.update(number, state="pending", reason="", end_s=None)
            self.books.submitted(number)

    def begin(self, number: int, record: JobRecord) -> None:
        """Book a run that Slurm has begun."""
        run = self.books.held.get(number)
        if run is None:
            run = self.open(number, record)
            self.books.post(FoundRunning(run.job, run.placement, None, record.start_s))
        run.raw, run.uid = record.raw, record.uid
        if run.began_s is None and record.start_s is not None:
            run.began_s = record.start_s
            self.store.update_run(number, run.run, began_s=record.start_s)

    def open(self, number: int, record: JobRecord) -> SlurmRun:
        """Open a run that we did not start."""
        others = [run.placement for run in self.books.held.values() if not run.is_guess]
        placement, is_guess = guess(record, self.books.known, others)
        self.store.update(number, state="pending", end_s=None)
        log = log_of(record)
        opened = self.store.open_run(number, placement.kind, placement.parts, None, record.start_s or 0.0, log)
        assert opened is not None, "it was made startable"
        job = self.books.jobs.get(number) or self.books.hold_row(self.store.job(number))
        run = self.books.held[number] = SlurmRun(job, opened, placement, log)
        run.is_told, run.is_guess = True, is_guess
        return run

    def take_end(self, number: int, record: JobRecord) -> None:
        """Book the end of a job, with a run that began and ended between two looks."""
        row, run = self.store.job(number), self.books.held.get(number)
        has_run = record.start_s is not None and bool(record.nodes)
        if run is None and has_run:
            last = max((one.began_s or 0.0 for one in self.store.runs(number)), default=0.0)
            if abs(last - (record.start_s or 0.0)) > SAME_S:
                self.begin(number, record)
                run = self.books.held[number]
        if run is not None:
            run.raw, run.uid = record.raw, record.uid
            times = (run.began_s or record.start_s, record.end_s)
            self.end(number, record.outcome, times, record.code, reason_of(record.state, record.reason))
        elif row.state in ("pending", "held"):
            self.over(number, record.outcome, reason_of(record.state, record.reason))

    def end(
        self, number: int, outcome: str, times: tuple[float | None, float | None], code: int | None, reason: str
    ) -> None:
        """Book the end of a run, and with it its job's."""
        run = self.books.held.pop(number)
        is_stopped = number in self.books.leaving and outcome in ("lost", "cancelled")
        self.books.leaving.discard(number)
        began_s, ended_s = times[0], times[1] or times[0]
        final = {"lost": "pending", "failed": "examined"}.get(outcome, outcome)

        def work() -> None:
            self.store.update_run(
                number, run.run, outcome="stopped" if is_stopped else outcome, began_s=began_s, ended_s=ended_s,
                code=code, reason=reason,
            )  # fmt: skip
            if is_stopped:
                return
            self.store.update(number, state=final, end_s=None if final == "pending" else ended_s)
            self.books.unpost(Submitted, run.job)
            knows = run.is_told or run.job.placement is not None
            status = "node_fail" if outcome == "lost" else outcome
            self.books.post(Ended(run.job, status) if knows else Withdrawn(run.job, status))

        self.store.write(work)
        if final in OVER and not is_stopped:
            self.books.jobs.pop(number, None)
        self.carry_on(number)

    def carry_on(self, number: int) -> None:
        """Take up a start that had to wait until the run before it had ended."""
        for row in self.store.runs(number):
            if row.ended_s is None and not row.stopping and number in self.books.jobs:
                self.books.held[number] = SlurmRun(
                    self.books.jobs[number], row.run, Placement(row.kind, row.parts), row.log
                )
                self.books.soon()

    def end_followed(self, number: int, run: SlurmRun, record: JobRecord, ends: Sequence[EndRecord]) -> None:
        """Book the end of a run after which Slurm, or somebody, let the job wait again under its id.

        Runs that began and ended since, while nobody looked, are booked with it.
        """
        began_s = run.began_s or 0.0
        booked = next((end for end in ends if end.start_s and abs(end.start_s - began_s) <= SAME_S), None)
        state = booked.state if booked is not None else "REQUEUED"
        code, ended_s = (booked.code, booked.end_s) if booked is not None else (None, None)
        self.end(number, "lost", (run.began_s, ended_s or run.began_s), code, state)
        for end in sorted((one for one in ends if one.start_s and one.end_s), key=lambda one: one.start_s or 0.0):
            start_s = end.start_s or 0.0
            if start_s > began_s + SAME_S and abs(start_s - (record.start_s or 0.0)) > SAME_S and end.nodes:
                self.begin(number, replace(record, phase="runs", start_s=start_s, nodes=end.nodes))
                self.end(number, "lost", (start_s, end.end_s), end.code, end.state)

    def over(self, number: int, state: str, reason: str = "") -> None:
        """Book the end of a job that did not run."""
        waits = self.store.job(number).state == "pending"
        self.store.update(number, state=state, reason=reason, end_s=self.books.now_s())
        job = self.books.jobs.pop(number, None)
        if waits and job is not None:
            self.books.post(Withdrawn(job, state))

    def take_missing(self, name: str, ends: Sequence[EndRecord]) -> None:
        """Book what the accounting tells of a job that the controller has forgotten; wait for what nobody knows."""
        number = self.books.names[name]
        row = self.store.job(number)
        ends = [end for end in ends if (end.end_s or inf) > row.submit_s - SAME_S]  # others had this number before
        told = sorted(ends, key=lambda end: end.end_s or inf)
        if told and told[-1].state in ENDS:
            run = self.books.held.get(number)
            is_ours = not row.token.startswith(THEIRS)
            out = str(self.books.log_of(number)) if is_ours else row.environment.get(OUT, "")
            record = forgotten(row, told[-1], out, is_ours or OUT in row.environment)
            if run is not None and self.was_followed(run, record):
                self.end_followed(number, run, record, ends)
            self.take_end(number, record)
            return
        since_s = self.missed.setdefault(name, self.books.now_s())
        if self.books.now_s() - since_s < GONE_S:
            return
        del self.missed[name]
        words = "Slurm has forgotten it, and its accounting does not know how it ended"
        self.books.odd.append(f"job {name}: {words}")
        if number in self.books.held:
            self.end(number, "cancelled", (self.books.held[number].began_s, None), None, words)
        else:
            self.over(number, "cancelled", words)

    def forget(self, found: Mapping[str, JobRecord]) -> None:
        """Forget the names of jobs that are over and that Slurm has forgotten, too."""
        names, jobs = self.books.names, self.books.jobs
        if len(names) > len(found.keys() | {job.job_id for job in jobs.values()}) + SPARE_NAMES:
            for name in [name for name, number in names.items() if name not in found and number not in jobs]:
                del names[name]


def read_as(uid: int, name: str) -> str:
    """Say as whom a job's code and log are read: by root as the job's own account, else as who we are.

    A job names its directory as it likes. Of an account that is not known here nothing is read.
    """
    if os.geteuid() != 0 or uid == 0:
        return ""
    try:
        found = pwd.getpwuid(uid)
        return json.dumps({"name": found.pw_name, "uid": uid, "gid": found.pw_gid})
    except KeyError:
        return json.dumps({"name": name, "uid": uid, "gid": uid})


def forgotten(row: LiveRow, end: EndRecord, out: str, is_batch: bool) -> JobRecord:
    """Put a record together of a job that only the accounting knows."""
    try:
        uid = pwd.getpwnam(row.user).pw_uid
    except KeyError:
        uid = -1
    return JobRecord(
        row.job_id, end.raw, "over", end.state, end.reason, end.code, row.user, uid, "", end.nodes, 0, 0, 0,
        row.submit_s, 0.0, end.start_s, end.end_s, "", 0, 0, is_batch, 0, out, row.workdir, "", "", "", row.name,
    )  # fmt: skip


def reason_of(state: str, reason: str) -> str:
    """Give Slurm's words for an end: its state where that says something, and the reason where there is one."""
    words = [] if state in ("COMPLETED", "FAILED") else [state]
    return " ".join([*words, *([reason] if reason and reason not in ("None", "NonZeroExitCode") else [])])
