"""What running jobs say of themselves: a helper follows their logs, and here their metrics and slowdowns are kept."""

import json
import shlex

from schedmate.clusters import JobProgress, LiveJob
from schedmate.clusters.managed import EngineRun, ManagedCluster
from schedmate.history.live import LiveStore
from schedmate.history.overviews import gpu_load
from schedmate.readers.progress.loop.ends import ends_of, joined
from schedmate.scheduling.live.messages import Message
from schedmate.scheduling.live.metering import MOST_POINTS
from schedmate.schemas import Workload
from schedmate.workers.worker import Worker

Points = list[tuple[float, float]]
MODULE = "schedmate.scheduling.live.log_helper"


class ProgressFollower:
    """Keeps the helper following exactly the runs that there are; a helper that dies is replaced."""

    def __init__(self, cluster: ManagedCluster, store: LiveStore) -> None:
        self.cluster = cluster
        self.store = store
        self.helper = Worker(MODULE, cluster, self.hear)
        self.followed: set[str] = set()
        self.moments: dict[str, float] = {}
        self.metrics: dict[str, Message] = {}
        self.slow: dict[str, dict[str, float]] = {}
        self.hardware: dict[str, Message] = {}
        self.saved: dict[str, Message] = {}
        """The newest checkpoint of each run, and when it was written."""
        self.loads: dict[str, Points] = {}
        """How busy each run kept its GPUs, as far as that is not written down."""
        self.unsaved: set[str] = set()
        self.read: set[int] = set()
        """Jobs whose code was read while they ran already."""

    def tend(self) -> None:
        """Follow who is new, leave who has gone, mark who got company, save what was heard."""
        if self.helper.gone:
            self.helper = Worker(MODULE, self.cluster, self.hear)
            self.followed.clear()
            self.moments.clear()
        runs = {name_of(each): each for each in self.cluster.running() if each.log}
        for name in runs.keys() - self.followed:
            gpus = self.gpus_of(runs[name])
            saves = self.saves_of(runs[name])
            ends = self.ends_of(runs[name].job.number)
            self.helper.send({"name": name, "path": runs[name].log, "gpus": gpus, "saves": saves, "ends": ends})
        for name in self.followed - runs.keys():
            self.helper.send({"name": name, "leave": True})
            self.slow.pop(name, None)
            self.moments.pop(name, None)
            self.saved.pop(name, None)
        for name in self.followed & runs.keys():
            if (number := runs[name].job.number) in self.read:
                self.helper.send({"name": name, "ends": self.ends_of(number)})
        self.read.clear()
        self.followed = set(runs)
        for each in runs.values():
            if each.partner is not None and each.began_s is not None:
                self.mark(f"{each.partner}/", each.began_s)
        self.helper.flush()
        self.save()

    def gpus_of(self, run: EngineRun) -> list[int]:
        """Number the GPUs that a run has to itself; none where it shares them, has processors, or runs elsewhere."""
        if run.partner is not None or run.placement.kind == "cpu" or not self.cluster.can.here:
            return []
        slots = run.placement.indices().items()
        return [device for node, each in slots for device in self.cluster.devices(node, each)]

    def saves_of(self, run: EngineRun) -> tuple[str, float, bool]:
        """Say where a run may leave checkpoints, since when, and whether nobody else works there."""
        workdir = self.store.job(run.job.number).workdir
        since_s = run.job.started_s if run.began_s is None else run.began_s
        return workdir, since_s, not self.store.others_in(workdir, run.job.number, since_s)

    def ends_of(self, number: int) -> tuple[float | None, float | None]:
        """Say where a run ends, in steps and in passes, by the command and by what was read of the code."""
        row = self.store.job(number)
        told = Workload.model_validate_json(row.workload) if row.workload else Workload()
        ends = joined(ends_of(shlex.join(row.command)), told.total_steps, told.epochs)
        return ends.steps, ends.epochs

    def learn(self, number: int) -> None:
        """Hear that a job's code was read: it may tell the end that the log does not."""
        self.read.add(number)

    def mark(self, beginning: str, moment_s: float) -> None:
        """Tell the helper when a job got company."""
        for name in self.followed:
            if name.startswith(beginning) and self.moments.get(name) != moment_s:
                self.moments[name] = moment_s
                self.slow.pop(name, None)
                self.helper.send({"name": name, "moment_s": moment_s})

    def hear(self, news: Message) -> None:
        """Take in what the helper tells of a run."""
        name = str(news["name"])
        self.metrics[name] = news["metrics"]
        self.unsaved.add(name)
        if news["slow"] is not None:
            self.slow[name] = news["slow"]
        if news["hardware"] is not None:
            self.hardware[name] = news["hardware"]
        if news["saved"] is not None:
            self.saved[name] = news["saved"]
        if news["load"]:
            self.loads[name] = news["load"]

    def save(self) -> None:
        """Write all news down at once."""
        if not self.unsaved:
            return

        def work() -> None:
            for name in self.unsaved:
                values = {"metrics": json.dumps(self.metrics[name])}
                if name in self.hardware:
                    values["hardware"] = json.dumps(self.hardware[name])
                if name in self.saved:
                    values["checkpoint"] = self.saved[name]["path"]
                job, _, run = name.partition("/")
                self.store.update(int(job), **values)
                if name in self.loads:
                    self.keep_load(int(job), int(run), self.loads[name])

        self.store.write(work)
        for name in self.unsaved - self.followed:
            del self.metrics[name]
            self.hardware.pop(name, None)
        self.unsaved.clear()
        self.loads.clear()

    def keep_load(self, job: int, run: int, points: Points) -> None:
        """Write a run's load down; what another helper measured before this one did stays."""
        before = [point for point in gpu_load(self.store.connection, job, run) if point[0] < points[0][0]]
        self.store.update_run(job, run, gpu_load=json.dumps([*before[-MOST_POINTS:], *points]))

    def speed(self, job: LiveJob) -> float | None:
        """Give a job's speed relative to before it got company; None while its log does not tell."""
        names = [name_of(run) for run in self.cluster.running() if run.job is job]
        slow = self.slow.get(names[-1]) if names else None
        if slow is None:
            return None
        return 1 / slow["ratio"] if slow["low"] > 1 else 1.0

    def progress(self, job: LiveJob) -> JobProgress:
        """Give the time that a job's log says is left, and when its run last saved; nothing while nothing is known."""
        names = [name_of(run) for run in self.cluster.running() if run.job is job]
        if not names:
            return JobProgress()
        told, saved = self.metrics.get(names[-1], {}), self.saved.get(names[-1])
        left_s, low_s, high_s = (
            None if told.get(name) is None else float(told[name]) for name in ("eta_s", "eta_low_s", "eta_high_s")
        )
        return JobProgress(left_s, low_s, high_s, None if saved is None else saved["at_s"])

    def close(self) -> None:
        """Let the helper go."""
        self.save()
        self.helper.end()


def name_of(run: EngineRun) -> str:
    """Name a run to the helper."""
    return f"{run.job.number}/{run.run}"
