"""What is over is not kept for ever: environments go first, then logs, then folders and what was read of a job."""

from collections import Counter
from pathlib import Path

from schedmate.clusters import run_folders
from schedmate.counts import how_many
from schedmate.history import retention as rows
from schedmate.history.live import LiveStore
from schedmate.scheduling.recovery.owner_rules import KeepRules

EVERY_S = rows.DAY_S

STEP = 200
"""Jobs that are looked at in one go, so that the loop is not held up."""


class Retention:
    """Goes through all jobs in steps, once a day and whenever it is asked to; what is open is not touched."""

    def __init__(self, store: LiveStore, keep: KeepRules, logs: Path | None = None) -> None:
        self.store = store
        self.logs = logs
        """Where a shared loop has its logs; none: each lies in the folder of its run."""
        self.keep = keep
        self.folder = store.data_dir / "jobs"
        self.gone: Counter[str] = Counter()
        self.at: int | None = None
        """The number of the job that was looked at last; None between two rounds."""
        self.next_s = 0.0

    def tend(self, now_s: float) -> str:
        """Take a step if a round is under way or due; at its end say what has gone, if anything has."""
        if self.at is None and now_s < self.next_s:
            return ""
        if self.step(now_s):
            return ""
        return f"forgotten, as [keep] says: {self.words()}" if self.words() else ""

    def step(self, now_s: float) -> bool:
        """Look at the next few jobs, from the first where a round begins; False once it is at its end."""
        if self.at is None:
            self.at, self.gone = 0, Counter()
        first, newest = self.at, self.store.newest_job()
        if first >= newest:
            self.gone["request"] += rows.forget_requests(self.store, now_s, self.keep.folder_days)
            self.at, self.next_s = None, now_s + EVERY_S
            return False
        self.at = min(first + STEP, newest)
        keep = self.keep
        least = min(keep.environment_days, keep.log_days, keep.folder_days)
        for job in rows.ended_jobs(self.store, first, self.at, now_s - rows.DAY_S * least):
            self.forget(job.number, (now_s - job.end_s) / rows.DAY_S)
        return True

    def forget(self, number: int, days: float) -> None:
        """Forget of a job that has been over for so long what is no longer to be kept."""
        folder = self.folder / str(number)
        if days >= self.keep.environment_days:
            here = run_folders.forget_variables(folder)
            self.gone["environment"] += rows.forget_variables(self.store, number) or here
        if days >= self.keep.log_days:
            paths = [run / "log" for run in run_folders.runs_in(folder)]
            if self.logs is not None:
                paths += [self.logs / f"{number}.{run.run}.log" for run in self.store.runs(number)]
            self.gone["log byte"] += run_folders.forget_logs(paths)
        if days >= self.keep.folder_days:
            self.gone["folder"] += run_folders.forget_folder(folder)
            self.gone["reading"] += rows.forget_readings(self.store, number)

    def words(self) -> str:
        """Say what has gone in this round; empty where nothing has."""
        return ", ".join(f"{how_many(count, what)}" for what, count in self.gone.items() if count)
