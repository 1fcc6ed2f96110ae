"""One run of a job on this machine, as its folder tells: see `local_runner` for what the files mean."""

import json
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Literal

from schedmate.clusters import LiveJob, Placement, local_cgroup, local_runner
from schedmate.tools.locks import is_locked
from schedmate.tools.python_children import standalone

RUNNER = local_runner.__file__
THIS_BOOT = local_runner.boot_id()
Pulse = Literal["waiting", "running", "ended", "absent", "lost"]
"""`absent`: no runner has begun, nor can one be about to; `lost`: one had begun, and is gone without a word."""


class Exit:
    """How a run ended."""

    __slots__ = ("code", "ended_s", "limit", "ran_s", "stopped")

    def __init__(self, record: local_runner.Record) -> None:
        self.code = int(record["code"])
        self.stopped = bool(record["stopped"])
        self.ran_s = float(record["ran_s"])
        self.ended_s = float(record["ended_s"])
        self.limit = str(record.get("limit", ""))
        """What it took too much of, where it was ended for that."""


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
        self.keeper: tuple[int, int] | None = None
        """The runner's pid and start, as it wrote them down."""

    def overlaps(self, other: "LocalRun") -> bool:
        """Tell whether both use a slot."""
        mine = dict(self.placement.parts)
        return any(mine.get(node, 0) & mask for node, mask in other.placement.parts)

    def spawn(self, spec: local_runner.Record) -> None:
        """Start a runner; harmless when there was one before."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not os.path.exists(f"{self.folder}/stop"):
            (self.folder / "stop.part").touch()
        local_runner.write_whole(f"{self.folder}/spec", spec, through=False)
        arguments = standalone(RUNNER, str(self.folder))
        nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        self.pid = os.posix_spawn(arguments[0], arguments, {}, file_actions=nothing, setsid=True)
        self.spawned = True
        self.spawns += 1

    def pulse(self) -> Pulse:
        """Tell how the run is."""
        gone = self.reap()
        if os.path.exists(f"{self.folder}/exit"):
            return "ended"
        if self.pid and not gone:
            return "running"
        return self.pulse_without_runner()

    def pulse_without_runner(self) -> Pulse:
        """Judge by the files alone."""
        if self.keeper is None:
            began = self.read("began")
            if began is None:
                return "waiting" if is_locked(self.folder / "lock") else "absent"
            self.keeper = (began["pid"], began["ticks"] if began["boot"] == THIS_BOOT else -1)
        if local_runner.start_ticks(self.keeper[0]) == self.keeper[1]:
            return "running"
        return "ended" if os.path.exists(f"{self.folder}/exit") else "lost"

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
        job = self.read("job")
        if job is not None and local_runner.start_ticks(job["pid"]) == job["ticks"]:
            with suppress(OSError):
                os.killpg(job["pid"], number)
                return True
        return False

    def end_group(self) -> None:
        """End what a runner that is gone has left in the run's control group, whatever sessions that has made."""
        job = self.read("job")
        if job is not None and job.get("group"):
            local_cgroup.end(str(job["group"]), patience_s=0.5)

    def exit(self) -> Exit:
        """Read how it ended."""
        record = self.read("exit")
        if record is None:
            raise FileNotFoundError(self.folder / "exit")
        return Exit(record)

    def read(self, name: str) -> local_runner.Record | None:
        """Read one of the folder's records; None while it is not there."""
        try:
            record: local_runner.Record = json.loads((self.folder / name).read_text())
        except (OSError, ValueError):
            return None
        return record
