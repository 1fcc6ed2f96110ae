"""What holds a job in where there are control groups, systemd and the units that we ship: a machine of its own."""

import json
import os
import signal
import time
from pathlib import Path

import pytest

from schedmate.clusters.runner.processes import start_ticks
from tests.cgroups.conftest import call, until

pytestmark = pytest.mark.cgroup
GONE = """
import os, time
if not os.fork():
    os.setsid()
    if not os.fork():
        os.setsid()
        print(os.getpid(), flush=True)
        time.sleep(6000)
    os._exit(0)
time.sleep(6000)
"""
HOG = "held = []\nwhile True: held.append(bytearray(1 << 20))"
BOMB = """
import os, time
made = 0
while True:
    try:
        if not os.fork():
            time.sleep(6000)
            os._exit(0)
        made += 1
    except OSError as error:
        print(made, error.errno, flush=True)
        time.sleep(6000)
"""
SPINS = """
import os, time
os.fork()
until = time.monotonic() + 8
while time.monotonic() < until: pass
"""
OPENS = """
import errno, os, time
print(os.environ['CUDA_VISIBLE_DEVICES'])
for number in (0, 1):
    try:
        os.open(f'/dev/nvidia{number}', os.O_RDWR)
    except OSError as error:
        print(number, errno.errorcode[error.errno], flush=True)
time.sleep(6000)
"""


def test_the_loop_says_nothing_is_missing_and_a_job_has_a_group_with_limits(service):
    job = service.submit("ada", "import time; time.sleep(6000)", "--memory", "0.5", "--cpus", "1")
    record = service.record(job)
    assert record["wall"] == "control group"
    assert "control groups" not in service.said()
    assert service.kernel(job, "memory.max") == str(1 << 29)
    assert service.kernel(job, "cpu.max") == "100000 100000"
    assert int(service.kernel(job, "pids.max")) > 1000
    assert "schedmate-" in Path(f"/proc/{record['pid']}/cgroup").read_text()
    assert service.run("ada", "cancel", str(job)).returncode == 0
    service.ended(job)
    until(lambda: not Path(record["group"]).exists())


def test_a_session_of_its_own_does_not_escape_a_cancel(service):
    job = service.submit("ada", GONE)
    pid = int(service.wait_for_line(job)[0])
    assert start_ticks(pid)
    assert service.run("ada", "cancel", str(job)).returncode == 0
    assert service.ended(job).state == "cancelled"
    assert start_ticks(pid) == 0


def test_a_job_that_takes_more_memory_than_it_may_dies_and_is_told_why(service):
    row = service.ended(service.submit("ada", HOG, "--memory", "0.1"))
    assert row.state in ("failed", "held"), service.story(row.id)
    assert "more memory than its limit" in service.run("ada", "why", str(row.id)).stdout


def test_a_job_that_starts_processes_without_end_stops_nobody(service):
    Path("/proc/sys/kernel/pid_max").write_text("4096")
    job = service.submit("ada", BOMB)
    made, error = service.wait_for_line(job)[0].split()
    assert (int(made), int(error)) == (1023, 11)
    other = service.submit("bob", "print('hello')")
    assert service.ended(other).state == "completed"
    assert service.run("ada", "cancel", str(job)).returncode == 0
    assert service.ended(job).state == "cancelled"


def test_processors_are_shared_out(service):
    job = service.submit("ada", SPINS, "--cpus", "1")
    group = Path(service.record(job)["group"])
    until(lambda: not group.exists() or "nr_throttled 0\n" not in (group / "cpu.stat").read_text(), service.said)
    assert group.exists(), "it ran for 8 s on two processors, and the kernel slowed it down"
    service.ended(job)


def test_a_log_that_grows_without_end_ends_its_job(service):
    row = service.ended(service.submit("ada", "while True: print('x' * 10_000)"))
    assert row.state in ("failed", "held")
    assert "are the limit" in service.log(row.id)[-200:]


def test_each_job_opens_its_gpu_and_no_other_and_counts_from_0(service):
    """No driver stands behind these files: what may be opened gives ENXIO, what may not EPERM."""
    jobs = [service.submit(who, OPENS, "--gpus", "1") for who in ("ada", "bob")]
    for job in jobs:
        service.wait_for_line(job, 3)
    seen = sorted(service.log(job).splitlines()[:3] for job in jobs)
    assert seen == [["0", "0 ENXIO", "1 EPERM"], ["0", "0 EPERM", "1 ENXIO"]], [service.log(job) for job in jobs]
    for who, job in zip(("ada", "bob"), jobs, strict=True):
        assert service.run(who, "cancel", str(job)).returncode == 0
        service.ended(job)
        assert not service.row(job).reason.startswith("the GPUs of others")


@pytest.mark.parametrize("way", ["killed", "stopped and started"])
def test_a_service_that_ends_comes_back_to_its_running_job(service, way):
    job = service.submit("ada", "import time; time.sleep(6000)", "--memory", "0.5")
    record, loop, before = service.record(job), service.pid(), service.said().count("the door is open")
    if way == "killed":
        os.kill(loop, signal.SIGKILL)
        service.open_again(before)
    else:
        assert call("systemctl", "stop", "schedmate").returncode == 0
        time.sleep(2)
        assert start_ticks(record["pid"]) == record["ticks"], "jobs outlive the service"
        service.start()
    assert service.pid() != loop
    assert start_ticks(record["pid"]) == record["ticks"]
    assert service.row(job).state == "running"
    assert service.kernel(job, "memory.max") == str(1 << 29), "its limits hold as before"
    other = service.submit("bob", "print(open('/proc/self/cgroup').read())")
    assert service.ended(other).state == "completed"
    assert "schedmate-" in service.log(other)
    assert service.run("ada", "cancel", str(job)).returncode == 0
    assert service.ended(job).state == "cancelled"
    assert start_ticks(record["pid"]) == 0


def test_a_scope_that_is_ended_is_a_machine_that_went_down_its_jobs_run_again(service):
    job = service.submit("ada", "import os, time; print(os.getpid(), flush=True); time.sleep(6000)")
    record = service.record(job)
    scope = Path(record["group"]).parent
    assert call("systemctl", "stop", scope.name).returncode == 0
    assert start_ticks(record["pid"]) == 0
    again = Path("/var/lib/schedmate/jobs") / str(job) / "2" / "job"
    until(again.exists, lambda: service.story(job))
    assert json.loads(again.read_text())["wall"] == "control group", "in a scope that was made anew"
    assert service.run("ada", "cancel", str(job)).returncode == 0
    service.ended(job)


def test_a_killed_runner_leaves_nothing_behind(service):
    job = service.submit("ada", GONE)
    pid = int(service.wait_for_line(job)[0])
    began = (Path("/var/lib/schedmate/jobs") / str(job) / "1" / "began").read_text()
    os.kill(int(began.split('"pid": ')[1].split(",")[0]), signal.SIGKILL)
    until(lambda: start_ticks(pid) == 0, lambda: service.story(job))
    service.run("ada", "cancel", str(job))
    service.ended(job)


def test_the_scope_goes_with_the_service_and_the_last_job(service):
    service.submit("ada", "print()")
    assert call("systemctl", "stop", "schedmate").returncode == 0
    scopes = Path("/sys/fs/cgroup/system.slice")
    until(lambda: not [*scopes.glob("schedmate-*.scope")], service.said)
