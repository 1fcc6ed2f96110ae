"""What people and recovery ask for a job: cancelled, held, let go on, given up, and told why."""

from collections.abc import Callable, Sequence

from schedmate.clusters.base import Withdrawn
from schedmate.clusters.managed import Cancelled
from schedmate.clusters.slurm.avoiding import keep_away
from schedmate.clusters.slurm.books import Books
from schedmate.clusters.slurm.comments import write_comment
from schedmate.clusters.slurm.handing import tell_run
from schedmate.clusters.slurm.spool import Spool
from schedmate.clusters.slurm.taking import Taking
from schedmate.errors import SchedMateError
from schedmate.history.live_rows import LiveRow


class Steering:
    """Does a thing in Slurm and in the store, or in neither; asked twice it is done once."""

    def __init__(self, books: Books, taking: Taking, spool: Spool, withhold: Callable[[Sequence[str]], None]) -> None:
        self.books = books
        self.store = books.store
        self.taking = taking
        self.spool = spool
        self.withhold = withhold
        """Keeps Slurm from starting jobs by itself, where the policy places them."""

    def cancel(self, number: int) -> Cancelled:
        """End a job for good."""
        row = self.store.job(number)
        if row.state in ("completed", "failed", "cancelled"):
            return "over"
        if row.engine_id:
            self.books.ask("scancel", row.engine_id)
            self.books.soon()
        if row.state == "running":
            return "stopping"
        self.taking.over(number, "cancelled")
        return "cancelled"

    def hold(self, number: int, reason: str) -> None:
        """Keep a job from running, one that has died with it: it goes back into Slurm's queue, held."""
        row = self.store.job(number)
        if row.state not in ("pending", "examined"):
            return

        def work() -> None:
            self.store.update(number, state="held", reason=reason)
            if row.engine_id:
                self.books.half_held.add(row.engine_id)
                self.books.ask("scontrol", "requeuehold" if row.state == "examined" else "hold", row.engine_id)
                self.store.when_written(lambda: self.books.half_held.discard(row.engine_id))
            if row.state == "pending" and number in self.books.jobs:
                self.books.post(Withdrawn(self.books.jobs[number], "held"))

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
                self.books.submitted(number)
            else:
                self.books.is_unhanded = True

        self.store.write(work)
        self.books.soon()

    def let_wait(self, row: LiveRow) -> None:
        """Put a job back among those that wait; which of both ways is right depends on what Slurm has made of it."""
        books = self.books
        tell_run(books.told_of(row.id), {"SCHEDMATE_CHECKPOINT": row.checkpoint})
        record = books.seen.get(row.engine_id)
        self.spool.leave_checkpoint(record.raw if record is not None else row.engine_id, row.checkpoint)
        if row.state == "held":
            if books.can.place:
                self.withhold([row.engine_id])
            books.ask("scontrol", "release", row.engine_id)
        else:
            books.ask("scontrol", "requeue", row.engine_id, done=("is pending execution",))
            keep_away(books, row)

    def give_up(self, number: int, reason: str) -> None:
        """Leave a job dead."""
        self.store.update(number, state="failed", reason=reason)
        self.books.jobs.pop(number, None)

    def tell(self, number: int, words: str) -> None:
        """Write words into a job's comment, where squeue, sacct and scontrol show them."""
        row = self.store.job(number)
        record = self.books.seen.get(row.engine_id)
        if not row.engine_id or record is None:
            return
        try:
            write_comment(self.books.commands, record, words)
        except SchedMateError as error:
            self.books.odd.append(f"job {row.job_id}: its comment was not written: {error.message}")
