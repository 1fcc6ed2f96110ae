"""Real accounts, made for a test and removed after it, and a shared loop that all of them may use."""

import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from schedmate.clusters.local.runs import is_runner
from schedmate.clusters.runner.processes import start_ticks
from schedmate.clusters.runner.records import read_record
from schedmate.history.live import LiveStore
from schedmate.scheduling.live.doorkeeping import is_open

ROOT = Path(__file__).parents[3]
PATIENCE_S = 180.0


def open_python():
    """Find a Python of this version that all accounts may run; tests that need one are skipped where there is none."""
    for name in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        real = Path(name).resolve()
        parts = (real, *real.parents, ROOT, *ROOT.parents)
        if real.exists() and all(is_open(part) for part in parts):
            return name
    return ""


def make_account(folder, name):
    """Make an account with a home; give what the system says of it."""
    home = folder / f"home-{name}"
    subprocess.run(["useradd", "--no-log-init", "-m", "-d", str(home), "-s", "/bin/sh", name], check=True)
    return pwd.getpwnam(name)


class Shared:
    """A loop for all accounts, in folders of its own."""

    def __init__(self, folder, names, policy=""):
        self.folder = folder
        self.python = open_python()
        self.accounts = {}
        for word in names:
            self.accounts[word] = make_account(folder, f"sm{os.getpid() % 100_000}{word}")
        self.data_dir, self.logs = folder / "data", folder / "logs"
        self.socket = folder / "run" / "socket"
        self.console = folder / "console"
        paths = [path for path in sys.path if path and os.path.isabs(path) and Path(path).exists()]
        mine = [path for path in paths if "site-packages" in path]
        self.environment = {
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "PYTHONPATH": os.pathsep.join([str(ROOT), *mine]),
            "SCHEDMATE_SOCKET": str(self.socket), "LC_ALL": "C.UTF-8",
        }  # fmt: skip
        self.data_dir.mkdir(mode=0o700)
        (self.data_dir / "policy.toml").write_text(policy.format(**{k: v.pw_name for k, v in self.accounts.items()}))
        self.process = None

    def start(self, *options, under=()):
        """Start the loop, under another program where one is named, and wait until its door is open."""
        before = self.said().count("the door is open")
        with self.console.open("a") as console:
            self.process = subprocess.Popen(
                [*under, self.python, "-P", "-m", "schedmate", "up", "--shared", "--slots", "cpu=2", "--played",
                 "--grace", "1", "--option", f"logs={self.logs}", *options],
                stdout=console, stderr=console, cwd="/",
                env={**self.environment, "SCHEDMATE_DATA_DIR": str(self.data_dir), "SCHEDMATE_LOOK_S": "0.2"},
            )  # fmt: skip
        self.until(lambda: self.said().count("the door is open") > before or self.process.poll() is not None)
        assert self.process.poll() is None, self.said()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def said(self):
        return self.console.read_text() if self.console.exists() else ""

    def run(self, who, *words, python=None, **options):
        """Run schedmate as one of the accounts, or another program."""
        found = self.accounts.get(who) or pwd.getpwnam(who)
        program = ["-m", "schedmate", *words] if python is None else ["-c", python]
        options.setdefault("cwd", found.pw_dir)
        return subprocess.run(
            [self.python, "-P", *program], capture_output=True, text=True, check=False, timeout=PATIENCE_S,
            user=found.pw_uid, group=found.pw_gid, extra_groups=os.getgrouplist(found.pw_name, found.pw_gid),
            env={**self.environment, "HOME": found.pw_dir}, **options,
        )  # fmt: skip

    def submit(self, who, *words, **options):
        """Hand in a job; give its number."""
        done = self.run(who, "submit", "--json", *words, **options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["job"]

    def row(self, job):
        store = LiveStore(self.data_dir)
        try:
            return store.job(job)
        finally:
            store.close()

    def nodes_of(self, *jobs):
        """Name the nodes on which jobs have run."""
        store = LiveStore(self.data_dir)
        try:
            return {node for job in jobs for run in store.runs(job) for node, _ in run.parts}
        finally:
            store.close()

    def until(self, done):
        limit_s = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < limit_s, f"it never came to be\n{self.said()}"
            time.sleep(0.1)

    def ended(self, *jobs):
        over = ("completed", "failed", "held", "cancelled")
        self.until(lambda: all(self.row(job).state in over for job in jobs))

    def log(self, job):
        path = self.logs / f"{job}.1.log"
        return path.read_text() if path.exists() else ""

    def close(self):
        """End the loop and all jobs, and remove the accounts."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE_S)
        for path in (self.data_dir / "jobs").glob("*/*/job"):
            record = read_record(path) or {}
            if is_runner(record) and start_ticks(record["pid"]) == record["ticks"]:
                os.killpg(record["pid"], signal.SIGKILL)
        for found in self.accounts.values():
            subprocess.run(["userdel", "-r", "-f", found.pw_name], check=False, capture_output=True)


@pytest.fixture
def make_shared():
    if not os.environ.get("ACCOUNT_TESTS"):
        pytest.skip("make test-shared makes accounts, and removes them again")
    if os.geteuid() or shutil.which("useradd") is None:
        pytest.skip("accounts are made by root alone")
    if not open_python():
        pytest.skip("this checkout, or its Python, is closed to other accounts")
    folder, made = Path(tempfile.mkdtemp(prefix="shared-", dir="/tmp")), []
    folder.chmod(0o755)

    def make(*names, policy=""):
        made.append(Shared(folder, names, policy))
        return made[-1]

    yield make
    for one in made:
        one.close()
    shutil.rmtree(folder, ignore_errors=True)
