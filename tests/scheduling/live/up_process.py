"""`schedmate up` as a process of its own, for tests: started, killed, started again; jobs are small Python programs."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress

from schedmate.clusters.local.runs import is_runner
from schedmate.clusters.runner.processes import start_ticks
from schedmate.clusters.runner.records import read_record
from schedmate.history.database import FILE_NAME
from schedmate.history.live_rows import Submission
from schedmate.scheduling.live.presence import is_up, poke
from schedmate.scheduling.live.stores import OwnStore

PATIENCE_S = 180.0


class Up:
    """One store, and the loops that come and go on it."""

    trial = ("--played",)
    """Slots that are not there, of an engine whose slots are declared."""

    def __init__(self, folder, *options, **environment):
        self.data_dir = folder / "data"
        self.work = folder / "work"
        self.work.mkdir(parents=True, exist_ok=True)
        self.options = options
        self.environment = environment
        self.store = OwnStore(self.data_dir)
        self.console = folder / "console"
        self.process = None
        self.program = [sys.executable, "-m", "schedmate"]

    def start(self):
        """Start a loop and wait until it is up."""
        paths = os.pathsep.join(sys.path)
        environment = {**os.environ, "SCHEDMATE_DATA_DIR": str(self.data_dir), "PYTHONPATH": paths}
        environment |= {"SCHEDMATE_LOOK_S": "0.1", **self.environment}
        with self.console.open("a") as console:
            command = [*self.program, "up", "--grace", "1", *self.trial, *self.options]
            self.process = subprocess.Popen(command, stdout=console, stderr=console, env=environment)
        self.until(lambda: is_up(self.data_dir) or self.process.poll() is not None)
        assert self.process.poll() is None, self.said()

    def kill(self):
        """Kill the loop as hard as can be."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def pause(self):
        """Stop the loop between two of its writes: stopped within one it would keep the store's lock for ever."""
        while True:
            self.process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOWAIT)
            with (
                suppress(sqlite3.OperationalError),
                closing(sqlite3.connect(self.data_dir / FILE_NAME, timeout=0.1, isolation_level=None)) as store,
            ):
                store.execute("BEGIN IMMEDIATE")
                return
            self.process.send_signal(signal.SIGCONT)
            time.sleep(0.02)

    def submit(self, script, *arguments, token=None, **options):
        """Hand in a program; give its job's number."""
        environment = {"PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1"}
        command = (sys.executable, "-S", script if script.endswith(".py") else "-c", *arguments)
        command = command if script.endswith(".py") else (sys.executable, "-S", "-c", script, *arguments)
        job = Submission(command, str(self.work), environment, **options)
        number = self.store.submit(job, token or os.urandom(8).hex(), time.time())
        poke(self.data_dir)
        return number

    def ask(self, kind, target=0, argument=""):
        """Ask the loop, and give its answer."""
        request = self.store.ask(kind, target, argument)
        poke(self.data_dir)
        self.until(lambda: self.store.answer_to(request) is not None)
        return self.store.answer_to(request)

    def until(self, done, within_s=PATIENCE_S):
        """Wait until something is so."""
        limit_s = time.monotonic() + within_s
        while not done():
            assert time.monotonic() < limit_s, f"it never came to be\n{self.said()}"
            time.sleep(0.02)

    def until_state(self, *states, jobs):
        self.until(lambda: all(self.store.job(job).state in states for job in jobs))

    def log(self, job, run=1):
        path = self.data_dir / "jobs" / str(job) / str(run) / "log"
        return path.read_text() if path.exists() else ""

    def said(self):
        return self.console.read_text() if self.console.exists() else ""

    def actions(self, job):
        return [(row.kind, row.event) for row in self.store.actions(job=job)]

    def close(self):
        """End everything, and see that nothing is left."""
        if self.process is not None and self.process.poll() is None:
            for row in self.store.jobs(("running", "pending", "examined", "held")):
                self.store.ask("cancel", row.id)
            poke(self.data_dir)
            self.until(lambda: not self.store.runs())
            self.ask("down")
            self.process.wait(PATIENCE_S)
        for path in (self.data_dir / "jobs").glob("*/*/job"):
            record = read_record(path) or {}
            if is_runner(record) and start_ticks(record["pid"]) == record["ticks"]:
                os.killpg(record["pid"], signal.SIGKILL)
        self.store.close()
