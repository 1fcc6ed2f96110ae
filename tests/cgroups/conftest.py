"""A machine of our own with systemd and control groups; `make test-cgroup` starts one, and runs these tests inside."""

import json
import os
import pwd
import shutil
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

import pytest

from schedmate.history.live import LiveStore

ROOT = Path(__file__).parents[2]
PATIENCE_S = 240.0
DATA, LOGS = Path("/var/lib/schedmate"), Path("/var/log/schedmate")
PROGRAM = Path("/usr/local/bin/schedmate")
POLICY = "[limits]\nlog_gib = 0.0005\n"
DROP_IN = "[Service]\nExecStart=\nExecStart={program} up --shared --mode observe --grace 2 --played --slots gpu=2\n"


def pytest_collection_modifyitems(items):
    why = "" if os.environ.get("CGROUP_TEST") else "make test-cgroup starts a machine for it"
    for item in items:
        if why and item.get_closest_marker("cgroup") and item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.skip(reason=why))


def call(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S, **options)


def until(done, said=lambda: ""):
    limit_s = time.monotonic() + PATIENCE_S
    while not (found := done()):
        assert time.monotonic() < limit_s, f"it never came to be\n{said()}"
        time.sleep(0.2)
    return found


class Service:
    """The loop as the unit that we ship, and accounts that hand jobs in."""

    unit = "schedmate"

    def __init__(self):
        for part in (Path(sys.executable).resolve(), ROOT):
            for folder in part.parents:
                folder.chmod(folder.stat().st_mode | 0o055)  # of this machine's own memory
        mine = [path for path in sys.path if "site-packages" in path]
        words = f"PYTHONPATH={os.pathsep.join([str(ROOT), *mine])} SCHEDMATE_LOOK_S=0.2 exec {sys.executable}"
        PROGRAM.write_text(f'#!/bin/sh\n{words} -P -m schedmate "$@"\n')
        PROGRAM.chmod(0o755)
        DATA.mkdir(mode=0o700, parents=True)
        (DATA / "policy.toml").write_text(POLICY)
        shipped = files("schedmate.knowledge").joinpath("systemd").joinpath("schedmate.service").read_text("utf-8")
        units = Path("/etc/systemd/system")
        (units / "schedmate.service").write_text(shipped.replace("@SCHEDMATE@", str(PROGRAM)))
        (units / "schedmate.service.d").mkdir()
        (units / "schedmate.service.d" / "here.conf").write_text(DROP_IN.format(program=PROGRAM))
        for name in ("ada", "bob"):
            call("useradd", "--no-log-init", "-m", "-s", "/bin/sh", name)
        for number in (0, 1):
            os.mknod(f"/dev/nvidia{number}", 0o020666, os.makedev(195, number))
            os.chmod(f"/dev/nvidia{number}", 0o666)
        call("systemctl", "daemon-reload")

    def start(self):
        before = self.said().count("the door is open")
        done = call("systemctl", "start", self.unit)
        assert done.returncode == 0, done.stderr + self.said()
        self.open_again(before)

    def open_again(self, before):
        until(lambda: self.said().count("the door is open") > before, self.said)

    def said(self):
        return call("journalctl", "-u", self.unit, "--no-pager", "-o", "cat").stdout

    def pid(self):
        return int(call("systemctl", "show", "-p", "MainPID", "--value", self.unit).stdout)

    def run(self, who, *words):
        found = pwd.getpwnam(who)
        return call(
            PROGRAM, *words, user=found.pw_uid, group=found.pw_gid, extra_groups=[], cwd=found.pw_dir,
            env={"PATH": "/usr/bin:/bin", "HOME": found.pw_dir, "LC_ALL": "C.UTF-8"},
        )  # fmt: skip

    def submit(self, who, script, *options):
        """Hand a program of Python's in; give the job's number."""
        done = self.run(who, "submit", "--json", *options, "--", "/usr/bin/python3", "-Sc", script)
        assert done.returncode == 0, done.stderr + self.said()
        return json.loads(done.stdout)["job"]

    def row(self, job):
        store = LiveStore(DATA)
        try:
            return store.job(job)
        finally:
            store.close()

    def ended(self, job):
        until(lambda: self.row(job).state in ("completed", "failed", "held", "cancelled"), self.said)
        return self.row(job)

    def log(self, job):
        path = LOGS / f"{job}.1.log"
        return path.read_text() if path.exists() else ""

    def wait_for_line(self, job, lines=1):
        return until(lambda: len(found := self.log(job).splitlines()) >= lines and found, lambda: self.story(job))

    def story(self, job):
        return f"{self.row(job)}\n{self.log(job)}\n{self.said()}"

    def record(self, job):
        """Give what the runner has written down of the job's process."""
        path = DATA / "jobs" / str(job) / "1" / "job"
        until(path.exists, self.said)
        return json.loads(path.read_text())

    def kernel(self, job, name):
        """Read one of the kernel's files of the job's group."""
        return Path(self.record(job)["group"], name).read_text().strip()


@pytest.fixture(scope="session")
def service():
    shutil.rmtree(DATA, ignore_errors=True)
    made = Service()
    made.start()
    return made
