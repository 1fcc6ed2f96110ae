"""`schedmate up --cluster slurm` as a process beside a real Slurm, for tests."""

import os
import subprocess
import sys

from schedmate.clusters.slurm.cluster import SEEN
from schedmate.scheduling.live.presence import is_up
from tests.scheduling.live.accounts import ROOT, open_python
from tests.scheduling.live.up_process import Up
from tests.slurm.real_slurm import PATHS

BUG = "echo 'step 1/2 loss 1'; python3 -c '{}[\"lr\"]'"
"""A script of a job that dies of its user's own mistake."""


class SlurmUp(Up):
    """One store, and the loops that come and go on it; jobs are handed to Slurm by their users."""

    def __init__(self, folder, real, *options):
        self.real = real
        environment = {"SLURM_CONF": str(real.conf), "PATH": f"{os.environ['PATH']}:{PATHS}"}
        super().__init__(folder, "--option", "every=1", "--option", "limit=5", *options, **environment)
        self.program = [open_python(), "-P", "-m", "schedmate"]

    def start(self):
        """Start a loop and wait until it is up."""
        paths = os.pathsep.join([str(ROOT), *(path for path in sys.path if "site-packages" in path)])
        environment = {**os.environ, "SCHEDMATE_DATA_DIR": str(self.data_dir), "PYTHONPATH": paths}
        environment |= {"SCHEDMATE_LOOK_S": "0.1", **self.environment}
        with self.console.open("a") as console:
            command = [*self.program, "up", "--cluster", "slurm", *self.options]
            self.process = subprocess.Popen(command, stdout=console, stderr=console, env=environment)
        self.until(lambda: is_up(self.data_dir) or self.process.poll() is not None)
        assert self.process.poll() is None, self.said()
        # What ends before the very first look was over before we came.
        self.until(lambda: self.store.fact(SEEN) or self.process.poll() is not None)

    def place_of(self, user):
        """Give a user a directory."""
        place = self.real.at / "work" / user
        if not place.exists():
            place.mkdir()
            os.chmod(place, 0o777)
        return place

    def batch(self, user, script, *options):
        """Hand in a script as a user; each run leaves its trace in a file of the job's own."""
        witness = 'echo "$SLURM_JOB_NODELIST" >> witness-${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}-${SLURM_ARRAY_TASK_ID:-0}'
        return self.real.sbatch(f"{witness}\n{script}", *options, user=user, cwd=self.place_of(user))

    def witness(self, user, name):
        """Give the nodes of each run of a job, as the runs themselves told."""
        array, _, task = name.partition("_")
        path = self.place_of(user) / f"witness-{array}-{task or 0}"
        return path.read_text().split() if path.exists() else []

    def number(self, name):
        """Give a job's number once the loop has heard of it."""
        return self.store.numbers().get(name)

    def row(self, name):
        number = self.number(name)
        return None if number is None else self.store.job(number)

    def until_job(self, name, *states):
        self.until(lambda: (row := self.row(name)) is not None and row.state in states)
        return self.row(name)

    def comment(self, name):
        told = self.real.run("scontrol", "show", "job", name).stdout
        lines = [line.strip() for line in told.splitlines() if line.strip().startswith("Comment=")]
        return lines[0].removeprefix("Comment=").strip() if lines else ""

    def reason(self, node):
        return self.real.run("sinfo", "-h", "-n", node, "-o", "%E").stdout.strip()

    def close(self):
        if self.process is not None and self.process.poll() is None:
            self.ask("down")
            self.process.wait(60)
        self.store.close()
