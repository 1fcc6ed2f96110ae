"""Slurm behind `ManagedCluster`: what the controller says is compared with what is booked, differences are told.

Slurm schedules. With the option place=yes jobs of our own store come in held, and start where the policy says. At most
four commands a look, whatever the number of jobs: squeue, sinfo, and where needed sacct and one scontrol.
"""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from schedmate.clusters.base import Ended, Event, FoundRunning, Submitted, Withdrawn
from schedmate.clusters.engines import Wish
from schedmate.clusters.job_rows import live_job, told
from schedmate.clusters.jobs import LiveJob, Placement, Progress
from schedmate.clusters.managed import Can, Facts, Refused, Unreachable
from schedmate.clusters.slurm.commands import LIMIT_S, Commands
from schedmate.clusters.slurm.comments import write_comment
from schedmate.clusters.slurm.dialects import SILENT
from schedmate.clusters.slurm.handing import options_of, script_of, tell_run, token_of
from schedmate.clusters.slurm.log_names import may_read
from schedmate.clusters.slurm.nodes import SlurmNodes
from schedmate.clusters.slurm.ordering import WEIGHT, Ordering
from schedmate.clusters.slurm.records import EndRecord, JobRecord, read_ends, read_jobs, read_nodes
from schedmate.clusters.slurm.runs import SlurmRun, guess, placement_of
from schedmate.clusters.slurm.spool import Spool
from schedmate.clusters.slurm.taking import Taking
from schedmate.clusters.steady import SteadyClock
from schedmate.clusters.waiting import Waiting, wake_path
from schedmate.errors import InputError, SchedMateError
from schedmate.history.database import identity
from schedmate.history.live import Changes, LiveStore
from schedmate.history.live_rows import LiveRow, Submission

SEEN = "slurm seen until"
"""Fact of the store: when Slurm was last asked. What ended since then is ours to book, also if no loop was up."""
EVERY_S = 30.0
SOON_S = 1.0
"""After we have asked Slurm for something, it is looked at sooner."""
OPTIONS = frozenset({"every", "limit", "partition", "place", "spool", "weight"})
DONE_ALREADY = ("is pending execution", "already finished", "already completing", "invalid job id", "not held")
"""What Slurm says where a thing asked twice has been done once."""
MOST_ENDS = 300
"""Jobs that one question to the accounting is about."""


class SlurmCluster(SlurmNodes, Taking):
    """Asks Slurm every so often, at once when woken."""

    def __init__(self, store: LiveStore, wish: Wish) -> None:
        unknown = wish.words.keys() - OPTIONS
        if unknown:
            raise InputError(f"Slurm has no option '{min(unknown)}'", f"there are: {', '.join(sorted(OPTIONS))}")
        SlurmNodes.__init__(self, Commands(float(wish.words.get("limit", LIMIT_S))), store)
        place = wish.words.get("place", "no") == "yes"
        self.spool = Spool(wish.words.get("spool", ""), beats=place)
        self.can = Can(place=place, order=not place, share=False)
        self.ordering = Ordering(self.commands, store, int(wish.words.get("weight", WEIGHT)))
        self.every_s = float(wish.words.get("every", EVERY_S))
        self.partition = wish.words.get("partition", "")
        self.examines = True
        self.clock = SteadyClock()
        self.trouble = ""
        self.folder = store.data_dir.resolve() / "jobs"
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.identity = identity(store.connection)[:12]
        self.waiting = Waiting(wake_path(store.data_dir.resolve()), self.clock, self.look, SOON_S)
        self.serve, self.leave, self.nudge = self.waiting.serve, self.waiting.leave, self.waiting.nudge
        self.wait = self.waiting.wait
        self.seen_until_s = float(store.fact(SEEN) or self.now_s())
        self.jobs: dict[int, LiveJob] = {}
        self.names = store.numbers()
        self.held: dict[int, SlurmRun] = {}
        self.leaving: set[int] = set()
        self.seen: dict[str, JobRecord] = {}
        self.missed: dict[str, float] = {}
        self.odd: list[str] = []
        self.settled: dict[str, tuple[object, ...]] = {}
        """How each job stood when it was last compared; one that stands as it did is passed by."""
        self.open_to_others: set[str] = set()
        """Jobs that were passed over because recovery decides about them first."""
        self.due_s = 0.0
        self.changes = Changes(store)
        self.fresh = True
        self.is_open = False
        """Whether the loop has heard of the nodes that there are."""
        self.end_old_reservations()
        self.adopt()
        self.look()
        self.is_open = True
        if self.trouble:
            self.waiting.close()
            raise Unreachable(self.trouble, "start where Slurm's commands work, or when slurmctld is up")

    def adopt(self) -> None:
        """Take over what the store holds."""
        for row in self.store.jobs(("pending", "running", "examined", "held")):
            self.hold_row(row)
        for run in self.store.runs():
            job = self.jobs.get(run.job) or self.hold_row(self.store.job(run.job))
            log = str(self.store.log_of(run.job, run.run))
            held = self.held[run.job] = SlurmRun(job, run.run, Placement(run.kind, run.parts), log, run.began_s)
            if run.stopping:
                self.leaving.add(run.job)
            else:
                held.is_told = True
                self.post(FoundRunning(job, held.placement, None, run.began_s or run.intended_s))
        for row in self.store.jobs(("pending",)):
            if row.engine_id:
                self.post(Submitted(self.jobs[row.id]))

    def now_s(self) -> float:
        """Give the steady time."""
        return self.clock.now_s()

    def hold_row(self, row: LiveRow) -> LiveJob:
        """Keep a job that is not over."""
        job = self.jobs[row.id] = live_job(row)
        if row.engine_id:
            self.names[row.engine_id] = row.id
        return job

    def post(self, event: Event) -> None:
        """Tell the loop, once what is being written is safe."""
        self.store.when_written(lambda: self.waiting.posted.append(event))

    def forget_submitted(self, job: LiveJob) -> None:
        """Take back a submission that the loop has not heard of yet: its job is over."""
        posted = self.waiting.posted
        posted[:] = [one for one in posted if not (isinstance(one, Submitted) and one.job is job)]

    def remarks(self) -> Sequence[str]:
        """Give what people should hear of."""
        odd, self.odd = self.odd, []
        return odd

    def close(self) -> None:
        """Let go; jobs go on, marks stay, reservations end."""
        self.let_go([*self.reserved])
        self.waiting.close()

    def look(self) -> None:
        """Look when it is time, or when somebody has woken us."""
        woken, self.waiting.words = bool(self.waiting.words), set()
        woken = self.spool.has_news(self.now_s()) or woken
        self.fresh = self.changes.are_new() or self.fresh
        if self.now_s() < self.due_s and not woken and not self.fresh:
            return
        self.due_s = self.now_s() + self.every_s
        try:
            self.compare()
        except Unreachable as error:
            self.trouble = error.message
        except SchedMateError as error:
            self.trouble = f"Slurm does as it was not expected to: {error.message}"
        else:
            self.trouble = ""

    def compare(self) -> None:
        """Ask once for everything, and book what has changed."""
        began_s = self.now_s()
        found = {
            record.name: record
            for record in read_jobs(self.commands, self.partition.split(",") if self.partition else ())
        }
        nodes = read_nodes(self.commands)
        self.known = {node.name: node for node in nodes}
        sign = token_of(self.identity, 0).rstrip("0")
        ours = any(name not in self.names and one.comment.startswith(sign) for name, one in found.items())
        if self.fresh or ours:  # one of ours may be there without our knowing: sbatch did not answer in time
            self.hand_over(found)
        self.seen = found
        wanted = self.unexplained(found)
        ends = read_ends(self.commands, wanted[:MOST_ENDS]) if wanted else []
        by_name: dict[str, list[EndRecord]] = {}
        for end in ends:
            by_name.setdefault(end.name, []).append(end)
        for record in found.values():
            if self.settled.get(record.name) != record.standing:
                self.take_job(record, by_name.get(record.name, ()))
        self.settled = {name: record.standing for name, record in found.items() if name not in self.open_to_others}
        for name in wanted:
            if name not in found:
                self.take_missing(name, by_name.get(name, ()))
        self.seen_until_s = began_s // 1  # Slurm tells whole seconds
        self.store.set_fact(SEEN, f"{self.seen_until_s:.0f}")
        self.take_nodes(nodes, tell=self.is_open)
        self.ordering.apply(found)
        self.ask_for_gpus()
        for number in [*self.held]:
            self.carry_out(number)

    def hand_over(self, found: dict[str, JobRecord]) -> None:
        """Give Slurm what others have put into the store; what it was given before bears our sign."""
        known = {one.comment: one.name for one in found.values() if one.comment and one.uid == os.geteuid()}
        for row in self.store.jobs(("pending",)):
            if row.engine_id:
                continue
            token = token_of(self.identity, row.id)
            name = known.get(token) or self.sbatch(row, token)
            if not name:
                continue
            self.store.update(row.id, engine_id=name)
            self.names[name] = row.id
            self.post(Submitted(self.hold_row(self.store.job(row.id))))
            self.due_s = min(self.due_s, self.now_s() + SOON_S)
        self.fresh = False

    def sbatch(self, row: LiveRow, token: str) -> str:
        """Hand in a job of ours; empty where Slurm will not have it."""
        self.told_of(row.id).parent.mkdir(parents=True, exist_ok=True)
        options = options_of(row, token, self.log_of(row.id), self.partition.partition(",")[0], self.can.place)
        try:
            return (
                self.commands.run("sbatch", *options, told=script_of(row, self.told_of(row.id))).strip().split(";")[0]
            )
        except Refused as error:
            self.store.update(row.id, state="failed", reason=error.message, end_s=self.now_s())
            self.odd.append(f"job {row.id} was not taken: {error.message}")
            return ""

    def log_of(self, number: int) -> Path:
        """Name the log of a job of ours; its runs go on in one file, as Slurm's requeued jobs do."""
        return self.folder / "slurm" / f"{number}.log"

    def told_of(self, number: int) -> Path:
        """Name the file that tells a run of ours its place and checkpoint."""
        return self.folder / "slurm" / f"{number}.sh"

    def ask_for_gpus(self) -> None:
        """Ask which GPUs one of the jobs has for which it is a guess."""
        for run in self.held.values():
            if not run.is_guess or not run.raw:
                continue
            text = self.commands.run("scontrol", "show", "job", "--details", run.raw)
            names = [name for name, _ in run.placement.parts]
            run.is_guess, place = False, placement_of(text, names)
            if place is not None and place.gpus:
                run.placement = place
                self.store.update_run(run.job.number, run.run, parts=parts_text(place))
            return

    def placed(self, record: JobRecord) -> tuple[Placement, bool]:
        """Say which GPUs a job has that Slurm has started."""
        return guess(record, self.known, [run.placement for run in self.held.values() if not run.is_guess])

    # What the loop asks

    def job(self, number: int) -> LiveJob | None:
        """Give a job that is not over."""
        return self.jobs.get(number)

    def running(self) -> Iterable[SlurmRun]:
        """List what runs, or is about to."""
        return self.held.values()

    def facts(self, number: int, run: int) -> Facts:
        """Tell what is known of a run."""
        row, job = self.store.run(number, run), self.store.job(number)
        placed, log = Placement(row.kind, row.parts), str(self.store.log_of(number, run))
        record = self.seen.get(job.engine_id)
        if record is not None and os.geteuid() == 0 and Path(log).exists() and not may_read(log, record.uid, 0):
            log = ""
        return Facts(log, row.code, row.reason, told(job, run, placed, ()))

    def progress(self, job: LiveJob) -> Progress:
        """Know nothing: who reads its log may."""
        return Progress()

    def speed(self, job: LiveJob) -> float | None:
        """Know nothing: who reads its log may."""
        return None

    def submit(self, job: Submission, token: str) -> int:
        """Take a job; the next look hands it in."""
        self.fresh = True
        return self.store.submit(job, token, self.now_s())

    def start(self, job: LiveJob, placement: Placement, partner: LiveJob | None = None) -> None:
        """Write the intent down; a look carries it out, and again, until the job runs."""
        run = self.store.open_run(job.number, placement.kind, placement.parts, None, self.now_s(), "")
        if run is None:
            self.refuse(job)
            return
        log = str(self.log_of(job.number))
        self.store.update_run(job.number, run, log=log)
        if job.number not in self.held:
            self.held[job.number] = SlurmRun(job, run, placement, log)
            with suppress(SchedMateError):  # the next look asks again
                self.carry_out(job.number)

    def refuse(self, job: LiveJob) -> None:
        """Take back a start that came too late: the job was cancelled or held meanwhile."""
        posted = self.waiting.posted
        posted[:] = [one for one in posted if not (isinstance(one, Withdrawn) and one.job is job)]
        self.post(Ended(job, self.store.job(job.number).state))

    def carry_out(self, number: int) -> None:
        """Release a job that is to start onto the nodes that were chosen; stop one that is to stop."""
        run = self.held.get(number)
        record = None if run is None else self.seen.get(self.store.name_of(number))
        if run is None or record is None or not self.can.place:
            return
        if number in self.leaving and record.phase == "runs":
            self.ask("scontrol", "requeuehold", record.name)
        elif run.began_s is None and record.phase in ("held", "waits") and number not in self.leaving:
            if any(self.is_closed(name) for name, _ in run.placement.parts):
                self.take_back(number, record)
                return
            if record.phase == "waits":
                return
            row = self.store.job(number)
            tell_run(self.told_of(number), told(row, run.run, run.placement, ()))
            nodes = ",".join(name for name, _ in run.placement.parts)
            self.ask("scontrol", "update", f"JobId={record.name}", f"ReqNodeList={nodes}")
            self.ask("scontrol", "release", record.name)
            self.soon()

    def is_closed(self, node: str) -> bool:
        """Tell whether a node will start nothing; one that only does not answer for a moment may."""
        known = self.known.get(node)
        return known is None or (known.state != "up" and not known.words.endswith(SILENT))

    def take_back(self, number: int, record: JobRecord) -> None:
        """Hold a job again whose nodes were taken from under it before it began; the loop places it anew."""
        self.ask("scontrol", "hold", record.name)
        self.end(number, "lost", (None, self.now_s()), None, "its nodes take no more jobs")

    def preempt(self, job: LiveJob) -> None:
        """Stop a job that is to go on later, under its id."""
        self.stop(job)
        self.store.update(job.number, state="pending", preemptions=job.preemptions, served_s=job.served_s)

    def stop(self, job: LiveJob) -> None:
        """Write down that whatever of a job runs is to be stopped; a look does it."""
        for row in self.store.runs(job.number):
            if row.ended_s is None:
                self.store.update_run(job.number, row.run, stopping="preempt")
                self.leaving.add(job.number)
        self.soon()

    def resize(self, job: LiveJob, placement: Placement) -> None:
        """Stop it, and start it elsewhere once it has stopped."""
        self.stop(job)
        self.start(job, placement)

    def cancel(self, number: int) -> str:
        """End a job for good."""
        row = self.store.job(number)
        if row.state in ("completed", "failed", "cancelled"):
            return f"job {row.job_id} is over already: {row.state}"
        if row.engine_id:
            self.ask("scancel", row.engine_id)
            self.soon()
        if row.state == "running":
            return f"job {row.job_id} is being stopped"
        self.over(number, "cancelled")
        return f"job {row.job_id} is cancelled"

    def hold(self, number: int, reason: str) -> None:
        """Keep a job from running, one that has died with it: it goes back into Slurm's queue, held."""
        row = self.store.job(number)
        if row.state not in ("pending", "examined"):
            return

        def work() -> None:
            self.store.update(number, state="held", reason=reason)
            if row.engine_id:
                self.ask("scontrol", "requeuehold" if row.state == "examined" else "hold", row.engine_id)
            if row.state == "pending":
                self.post(Withdrawn(self.jobs[number], "held"))

        self.store.write(work)

    def release(self, number: int, reason: str = "") -> None:
        """Let a job that is held or over wait for its turn."""
        row = self.store.job(number)
        if row.state in ("pending", "running"):
            return

        def work() -> None:
            self.store.update(number, state="pending", reason=reason, end_s=None)
            if row.engine_id:
                self.let_wait(row)
            self.post(Submitted(self.jobs.get(number) or self.hold_row(self.store.job(number))))

        self.store.write(work)
        self.soon()

    requeue = release

    def let_wait(self, row: LiveRow) -> None:
        """Put a job back among those that wait; which of both ways is right depends on what Slurm has made of it."""
        tell_run(self.told_of(row.id), {"SCHEDMATE_CHECKPOINT": row.checkpoint})
        record = self.seen.get(row.engine_id)
        self.spool.leave_checkpoint(record.raw if record is not None else row.engine_id, row.checkpoint)
        if row.state == "held":
            self.ask("scontrol", "release", row.engine_id)
        elif self.can.place:
            self.ask("scontrol", "requeuehold", row.engine_id)
        else:
            self.ask("scontrol", "requeue", row.engine_id, done=("is pending execution",))

    def give_up(self, number: int, reason: str) -> None:
        """Leave a job dead."""
        self.store.update(number, state="failed", reason=reason)
        self.jobs.pop(number, None)

    def order(self, jobs: Sequence[LiveJob]) -> None:
        """Remember the order; a look tells it to Slurm."""
        self.ordering.wanted = [job.job_id for job in jobs]
        self.soon()

    def tell(self, number: int, words: str) -> None:
        """Write words into a job's comment, where squeue, sacct and scontrol show them."""
        row = self.store.job(number)
        record = self.seen.get(row.engine_id)
        if not row.engine_id or record is None:
            return
        try:
            write_comment(self.commands, record, words)
        except SchedMateError as error:
            self.odd.append(f"job {row.job_id}: its comment was not written: {error.message}")

    def ask(self, *words: str, done: Sequence[str] = DONE_ALREADY) -> None:
        """Have Slurm do something that may have been done already."""
        try:
            self.commands.run(*words)
        except Refused as error:
            if not any(said in error.message.lower() for said in done):
                raise

    def soon(self) -> None:
        """Look sooner than it is time for."""
        self.due_s = min(self.due_s, self.now_s() + min(SOON_S, self.every_s))


def parts_text(placement: Placement) -> str:
    """Write a placement as the store keeps it."""
    import json

    return json.dumps(placement.parts)


def open_engine(store: LiveStore, wish: Wish) -> SlurmCluster:
    """Open the Slurm that the commands here speak to."""
    return SlurmCluster(store, wish)
