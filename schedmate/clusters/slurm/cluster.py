"""Slurm behind `ManagedCluster`: what the controller says is compared with what is booked, differences are told.

Slurm schedules. With the option place=yes jobs come in with a time before which Slurm lets them be, put off again and
again while we are there, and start where the policy says. At most four commands a look, whatever the number of jobs:
squeue, sinfo, and where needed sacct and one scontrol; with place=yes squeue is asked twice, since its one table does
not tell where a job may not start.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from schedmate.clusters.base import FoundRunning
from schedmate.clusters.job_rows import told
from schedmate.clusters.jobs import JobProgress, LiveJob, Placement
from schedmate.clusters.managed import Can, Facts, Unreachable, Wish
from schedmate.clusters.slurm.books import SOON_S, Books
from schedmate.clusters.slurm.commands import LIMIT_S, Commands
from schedmate.clusters.slurm.evidence import evidence
from schedmate.clusters.slurm.handing import Handing
from schedmate.clusters.slurm.ledger import Ledger
from schedmate.clusters.slurm.log_names import may_read
from schedmate.clusters.slurm.nodes import SlurmNodes
from schedmate.clusters.slurm.ordering import PATIENCE_S, WEIGHT, Ordering
from schedmate.clusters.slurm.placing import GONE_S, Placing
from schedmate.clusters.slurm.records import JobRecord, SlurmQueue, read_nodes
from schedmate.clusters.slurm.runs import SlurmRun
from schedmate.clusters.slurm.spool import Spool
from schedmate.clusters.slurm.steering import Steering
from schedmate.clusters.slurm.taking import Taking
from schedmate.clusters.waiting import Waiting, wake_path
from schedmate.errors import InputError, SchedMateError
from schedmate.history.live import Changes, LiveStore
from schedmate.history.live_rows import Submission

SEEN = "slurm seen until"
"""Fact of the store: when Slurm was last asked. What ended since then is ours to book, also if no loop was up."""
EVERY_S = 30.0

AWAY_S = 60.0
"""After so long without a look the controller may have forgotten jobs that nobody has seen."""
OPTIONS = frozenset({"every", "gone", "limit", "partition", "patience", "place", "spool", "weight"})


class SlurmCluster:
    """Asks Slurm every so often, at once when woken."""

    def __init__(self, store: LiveStore, wish: Wish) -> None:
        unknown = wish.words.keys() - OPTIONS
        if unknown:
            raise InputError(f"Slurm has no option '{min(unknown)}'", f"there are: {', '.join(sorted(OPTIONS))}")
        words = wish.words
        place = words.get("place", "no") == "yes"
        self.partitions = [name for name in words.get("partition", "").split(",") if name]
        self.store = store
        self.commands = Commands(float(words.get("limit", LIMIT_S)))
        self.can = Can(place=place, order=not place, share=False, resize=False, scripts=True)
        self.books = Books(
            store, self.commands, self.can, float(words.get("every", EVERY_S)), float(words.get("gone", GONE_S))
        )
        self.now_s, self.post = self.books.now_s, self.books.post
        self.waiting = Waiting(wake_path(store.data_dir.resolve()), self.books.clock, self.look, SOON_S)
        self.serve, self.leave, self.nudge = self.waiting.serve, self.waiting.leave, self.waiting.nudge
        self.wait = self.waiting.wait
        self.books.waiting = self.waiting
        self.spool = Spool(words.get("spool", ""), beats=place)
        self.taking = Taking(self.books, float(store.fact(SEEN) or self.now_s()))
        self.handing = Handing(self.books, (self.partitions or [""])[0])
        self.placing = Placing(self.books, self.taking)
        self.start, self.preempt, self.resize = self.placing.start, self.placing.preempt, self.placing.resize
        self.steering = Steering(self.books, self.taking, self.spool, self.placing.withhold)
        self.cancel, self.hold, self.give_up = self.steering.cancel, self.steering.hold, self.steering.give_up
        self.release = self.requeue = self.steering.release
        self.tell = self.steering.tell
        self.the_nodes = SlurmNodes(self.books)
        self.nodes, self.states, self.devices = self.the_nodes.nodes, self.the_nodes.states, self.the_nodes.devices
        self.mark, self.unmark, self.launcher = self.the_nodes.mark, self.the_nodes.unmark, self.the_nodes.launcher
        self.reserve, self.let_go = self.the_nodes.reserve, self.the_nodes.let_go
        self.ledger = Ledger(self.books)
        patience_s = float(words.get("patience", PATIENCE_S))
        self.ordering = Ordering(self.books, int(words.get("weight", WEIGHT)), patience_s)
        self.trouble = ""
        self.queue = SlurmQueue(self.commands, self.partitions)
        self.settled: dict[str, JobRecord] = {}
        """Each job as it was last compared; one that stands as it did is passed by."""
        self.was_away = store.fact(SEEN) != ""
        self.changes = Changes(store)
        self.fresh = True
        self.is_open = False
        """Whether the loop has heard of the nodes that there are."""
        self.the_nodes.end_old_reservations()
        self.adopt()
        self.look()
        self.is_open = True
        if self.trouble:
            self.waiting.close()
            raise Unreachable(self.trouble, "start where Slurm's commands work, or when slurmctld is up")

    def adopt(self) -> None:
        """Take over what the store holds."""
        books = self.books
        for row in self.store.jobs(("pending", "running", "examined", "held")):
            if row.engine_id:  # else Slurm does not have it yet, nor the loop
                books.hold_row(row)
        for run in self.store.runs():
            job = books.jobs.get(run.job) or books.hold_row(self.store.job(run.job))
            log = str(self.store.log_of(run.job, run.run))
            held = books.held[run.job] = SlurmRun(job, run.run, Placement(run.kind, run.parts), log, run.began_s)
            if run.stopping:
                books.leaving.add(run.job)
            else:
                held.is_told = True
                self.post(FoundRunning(job, held.placement, None, run.began_s or run.intended_s))
        for row in self.store.jobs(("pending",)):
            if row.engine_id:
                books.submitted(row.id)

    def remarks(self) -> Sequence[str]:
        """Give what people should hear of."""
        odd, self.books.odd = self.books.odd, []
        return odd

    def close(self) -> None:
        """Let go; jobs go on, marks stay, reservations end."""
        self.let_go([*self.the_nodes.reserved])
        self.waiting.close()

    def look(self) -> None:
        """Look when it is time, or when somebody has woken us."""
        woken, self.waiting.words = bool(self.waiting.words), set()
        woken = self.spool.has_news(self.now_s()) or woken
        self.fresh = self.changes.are_new() or self.fresh
        if self.now_s() < self.books.due_s and not woken and not self.fresh:
            return
        self.books.due_s = self.now_s() + self.books.every_s
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
        found = self.queue.jobs()
        nodes = read_nodes(self.commands)
        self.books.known = {node.name: node for node in nodes}
        if self.fresh or self.books.is_unhanded or self.handing.are_unknown(found):
            self.fresh, self.books.is_unhanded = False, True
            self.books.is_unhanded = not self.handing.hand_over(found)
        self.books.seen = found
        self.take_jobs(found)
        self.take_unseen(found, began_s)
        self.the_nodes.take_nodes(nodes, tell=self.is_open)
        self.ordering.apply(found)
        self.placing.read_exclusions()
        self.placing.ask_for_gpus()
        self.placing.carry_out_all(found)

    def take_jobs(self, found: dict[str, JobRecord]) -> None:
        """Book what is new of jobs; those of which only the accounting can tell wait until it does."""
        taking = self.taking
        wanted = taking.unexplained(found)
        ends = self.ledger.ends_of(wanted) if wanted else {}
        unsure = {*wanted} - ends.keys()
        for name, record in found.items():
            before = self.settled.get(name)
            stands = before is record or (before is not None and before.standing == record.standing)
            if not stands and name not in unsure:
                taking.take_job(record, ends.get(name, ()))
        unsure |= taking.open_to_others
        self.settled = {name: record for name, record in found.items() if name not in unsure}
        for name in wanted:
            if name in ends and name not in found:
                taking.take_missing(name, ends[name])
        taking.forget(found)

    def take_unseen(self, found: dict[str, JobRecord], began_s: float) -> None:
        """After a time in which nobody looked, book what came and went; until that is done it is not written off."""
        taking = self.taking
        if self.was_away or began_s - taking.seen_until_s > max(AWAY_S, 2 * self.books.every_s):
            unseen = self.ledger.since(taking.seen_until_s, self.partitions)
            self.was_away = unseen is None
            for record in unseen or ():
                is_new = record.name not in found and record.name not in self.books.names
                if is_new and not record.comment.startswith(self.handing.sign):  # ours are looked for where they wait
                    taking.take_job(record, ())
            if unseen is None:
                return
        taking.seen_until_s = began_s // 1  # Slurm tells whole seconds
        self.store.set_fact(SEEN, f"{taking.seen_until_s:.0f}")

    # What the loop asks

    def job(self, number: int) -> LiveJob | None:
        """Give a job that is not over."""
        return self.books.jobs.get(number)

    def running(self) -> Iterable[SlurmRun]:
        """List what runs, or is about to."""
        return self.books.held.values()

    def facts(self, number: int, run: int) -> Facts:
        """Tell what is known of a run."""
        row, job = self.store.run(number, run), self.store.job(number)
        placed, log = Placement(row.kind, row.parts), str(self.store.log_of(number, run))
        record = self.books.seen.get(job.engine_id)
        if record is not None and os.geteuid() == 0 and Path(log).exists() and not may_read(log, record.uid, 0):
            log = ""
        ran_s = row.ended_s - row.began_s if row.ended_s and row.began_s else None
        limit, names = record.limit if record is not None else "", [name for name, _ in row.parts]
        known = evidence(row.reason, row.code, ran_s, limit, names, self.books.known)
        return Facts(log, row.code, row.reason, told(job, run, placed, ()), known)

    def progress(self, job: LiveJob) -> JobProgress:
        """Know nothing: who reads its log may."""
        return JobProgress()

    def speed(self, job: LiveJob) -> float | None:
        """Know nothing: who reads its log may."""
        return None

    def submit(self, job: Submission, token: str) -> int:
        """Take a job; the next look hands it in."""
        self.fresh = True
        return self.store.submit(job, token, self.now_s())

    def order(self, jobs: Sequence[LiveJob]) -> None:
        """Remember the order; a look tells it to Slurm."""
        self.ordering.wanted = [job.job_id for job in jobs]
        self.books.soon()


def open_engine(store: LiveStore, wish: Wish) -> SlurmCluster:
    """Open the Slurm that the commands here speak to."""
    return SlurmCluster(store, wish)
