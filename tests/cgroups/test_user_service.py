"""A person's own loop as the unit that we ship, under a manager of the person's own: no root, and the same groups."""

import json
import pwd
import re
from pathlib import Path

import pytest

from schedmate.clusters.runner.processes import start_ticks
from tests.cgroups.conftest import PROGRAM, ROOT, call, until

pytestmark = pytest.mark.cgroup
OWN = "[Service]\nExecStart=\nExecStart={program} up --mode observe --grace 2\nEnvironment=SCHEDMATE_DATA_DIR={data}\n"


@pytest.fixture
def person(service):
    """Give an account a manager of its own, as its first login would; nothing here knows of logins."""
    found = pwd.getpwnam("bob")
    rooms = {"home": Path(found.pw_dir), "own": Path(f"/run/user/{found.pw_uid}")}
    units = rooms["home"] / ".config/systemd/user"
    (units / "schedmate.service.d").mkdir(parents=True)
    rooms["own"].mkdir(parents=True)
    data = rooms["home"] / "queue"
    shipped = (ROOT / "packaging/schedmate-user.service").read_text("utf-8")
    (units / "schedmate.service").write_text(shipped)
    (units / "schedmate.service.d/here.conf").write_text(OWN.format(program=PROGRAM, data=data))
    call("chown", "-R", "bob:", str(rooms["home"]), str(rooms["own"]))
    words = {"HOME": found.pw_dir, "XDG_RUNTIME_DIR": str(rooms["own"]), "PATH": "/usr/bin:/bin"}
    words["SCHEDMATE_DATA_DIR"] = str(data)
    told = [f"--setenv={name}={words[name]}" for name in ("HOME", "XDG_RUNTIME_DIR")]
    call("systemd-run", "--uid=bob", "--unit=managers", "-p", "Delegate=yes", *told, "/lib/systemd/systemd", "--user")
    until((rooms["own"] / "systemd/private").exists)

    def run(*command):
        return call(*command, user=found.pw_uid, group=found.pw_gid, extra_groups=[], cwd=found.pw_dir, env=words)

    yield run, data
    run("systemctl", "--user", "exit")


def test_jobs_of_ones_own_service_have_groups_and_outlive_it(person):
    run, data = person
    done = run("systemctl", "--user", "start", "schedmate")
    assert done.returncode == 0, done.stderr
    script = "import time; time.sleep(6000)"
    words = (PROGRAM, "submit", "--json", "--memory", "0.5", "--", "/usr/bin/python3", "-Sc", script)
    job = json.loads(until(lambda: run(*words).stdout))["job"]
    record = data / "jobs" / str(job) / "1" / "job"
    until(record.exists, lambda: call("journalctl", "--no-pager", "-n", "60").stdout)
    told = json.loads(record.read_text())
    assert told["wall"] == "control group"
    assert Path(told["group"], "memory.max").read_text() == f"{1 << 29}\n"
    main = "systemctl", "--user", "show", "-p", "MainPID", "--value", "schedmate"
    before = run(*main).stdout
    run("systemctl", "--user", "kill", "--kill-who=main", "--signal=KILL", "schedmate")
    until(lambda: run(*main).stdout not in (before, "0\n"))
    until(lambda: re.search(r'"state": "running"', run(PROGRAM, "jobs", "--json").stdout))
    assert start_ticks(told["pid"]) == told["ticks"]
    assert run(PROGRAM, "cancel", str(job)).returncode == 0
    until(lambda: start_ticks(told["pid"]) == 0)
