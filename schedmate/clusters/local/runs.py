"""One run of a job on this machine, as its folder tells: see `runner.run_job` for what the files mean."""

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Literal

from schedmate.clusters import LiveJob, Placement
from schedmate.clusters.runner import cgroup, run_job
from schedmate.clusters.runner.processes import boot_id, start_ticks
from schedmate.clusters.runner.records import Record, is_count, is_time, read_record, write_whole
from schedmate.tools.locks import is_locked
from schedmate.tools.python_children import standalone

RUNNER = run_job.__file__
THIS_BOOT = boot_id()

Pulse = Literal["waiting", "running", "ending", "ended", "absent", "lost"]
"""`absent`: no runner has begun, nor can one be about to; `lost`: one had begun, and is gone without a word; `ending`:
an end is written down, and the runner is still there, so that either it is about to go or the word is not its own."""


class Exit:
    """How a run ended."""

    __slots__ = ("code", "ended_s", "limit", "ran_s", "stopped")

    def __init__(self, record: Record) -> None:
        self.code = int(record["code"])
        self.stopped = bool(record["stopped"])
        self.ran_s = float(record["ran_s"])
        self.ended_s = float(record["ended_s"])
        self.limit = str(record.get("limit", ""))
        """What it took too much of, where it was ended for that."""

    @classmethod
    def told(cls, record: Record | None) -> "Exit | None":
        """Take a record for an end, if it is one."""
        found = record or {}
        is_one = is_count(found.get("code")) and is_time(found.get("ran_s")) and is_time(found.get("ended_s"))
        return cls(found) if is_one and "stopped" in found else None


class LocalRun:
    """A run and its runner; this process need not be the runner's parent."""

    def __init__(self, job: LiveJob, run: int, folder: Path, placement: Placement, partner: int | None) -> None:
        self.job = job
        self.run = run
        self.folder = folder
        self.log = str(folder / "log")
        self.placement = placement
        self.partner = partner
        self.stopping = ""
        """Why it is being stopped; empty while it is not."""
        self.asked_s = 0.0
        self.began_s: float | None = None
        self.heard = False
        self.spawned = False
        self.spawns = 0
        self.pid = 0
        """The runner's, while it is a child of this process."""
        self.endings = 0
        """How often an end was found written down while the runner was still there."""
        self.keeper: tuple[int, int] | None = None
        """The runner's pid and start, as it wrote them down."""

    def overlaps(self, other: "LocalRun") -> bool:
        """Tell whether both use a slot."""
        mine = dict(self.placement.parts)
        return any(mine.get(node, 0) & mask for node, mask in other.placement.parts)

    def spawn(self, spec: Record) -> None:
        """Start a runner; harmless when there was one before."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not os.path.exists(f"{self.folder}/stop"):
            (self.folder / "stop.part").touch()
        write_whole(f"{self.folder}/spec", spec, through=False)
        arguments = standalone(RUNNER, str(self.folder))
        nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        self.pid = os.posix_spawn(arguments[0], arguments, {}, file_actions=nothing, setsid=True)
        self.spawned = True
        self.spawns += 1

    def pulse(self) -> Pulse:
        """Tell how the run is."""
        gone = self.reap()
        if self.told_exit() is not None:
            return "ending" if self.pid or self.keeper_lives() else "ended"
        if self.pid and not gone:
            return "running"
        return self.pulse_without_runner()

    def pulse_without_runner(self) -> Pulse:
        """Judge by the files alone."""
        if self.keeper_lives():
            return "running"
        if self.keeper is None:
            return "waiting" if is_locked(self.folder / "lock") else "absent"
        return "lost" if self.told_exit() is None else "ended"

    def keeper_lives(self) -> bool:
        """Tell whether the runner that has begun is still there."""
        if self.keeper is None and (began := self.read("began")) is not None:
            same_boot = began.get("boot") == THIS_BOOT
            self.keeper = (began["pid"], began["ticks"] if same_boot else -1) if is_runner(began) else (0, -1)
        return self.keeper is not None and start_ticks(self.keeper[0]) == self.keeper[1]

    def reap(self) -> bool:
        """Take notice of the runner's end, if it is ours; True once it is gone."""
        if not self.pid:
            return False
        try:
            if os.waitpid(self.pid, os.WNOHANG)[0] == 0:
                return False
        except ChildProcessError:
            pass
        self.pid = 0
        return True

    def forbid(self) -> None:
        """Keep the job from starting if it has not, and mark its end as asked for, also on a full disk.

        A runner that another loop has started may come yet, however late: it must find this.
        """
        try:
            (self.folder / "stop.part").rename(self.folder / "stop")
        except FileNotFoundError:  # no runner was ever started here, or it is forbidden already
            with suppress(OSError):
                self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                (self.folder / "stop").touch()

    def signal(self, number: signal.Signals) -> bool:
        """Send a signal to the job's processes, if they are still those that were started; tell if they got it."""
        return send(self.folder, number)

    def end_group(self) -> None:
        """End what a runner that is gone has left in the run's control group, whatever sessions that has made."""
        job = self.read("job")
        group = str((job or {}).get("group", ""))
        if cgroup.is_runs(group):
            cgroup.end(group, patience_s=0.5)

    def exit(self) -> Exit:
        """Read how it ended."""
        found = self.told_exit()
        if found is None:
            raise FileNotFoundError(self.folder / "exit")
        return found

    def last_words(self) -> str:
        """Say what is known of the end of a run that vanished; here its runner has gone, and nobody else saw it."""
        return ""

    def told_exit(self) -> Exit | None:
        """Read how it ended; None while nobody has said so."""
        return Exit.told(self.read("exit"))

    def read(self, name: str) -> Record | None:
        """Read one of the folder's records; None while it is not there."""
        return read_record(self.folder / name)


def began_s_of(record: Record | None) -> float | None:
    """Give when a run began, by its runner's word; None where that is no time."""
    found = (record or {}).get("began_s")
    return float(found) if found is not None and is_time(found) else None


def send(folder: Path, number: signal.Signals) -> bool:
    """Signal the processes of a folder's job on this host, if they are still those that were started."""
    job = read_record(folder / "job")
    if job is not None and still_runs(job):
        with suppress(OSError):
            os.killpg(job["pid"], number)
            return True
    return False


def still_runs(record: Record) -> bool:
    """Tell whether the process that a record names is there, and no other has got its number."""
    return is_runner(record) and start_ticks(record["pid"]) == record["ticks"]


def is_runner(record: Record) -> bool:
    """Tell whether a record names a process: by its number, which is never that of all, and its start."""
    return is_count(record.get("pid")) and record["pid"] > 1 and is_count(record.get("ticks")) and record["ticks"] != 0
