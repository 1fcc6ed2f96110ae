"""What a machine runs out of: file descriptors, the store's disk, the right to write; the loop outlives each."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from tests.scheduling.live.up_process import Up

PLENTY = (1024, 4096)


@pytest.fixture
def disk(tmp_path):
    """Give a small file system of its own, where the machine lets us mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=16m,mode=755", "tmpfs", str(place)]
    if os.geteuid() or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("this account may not mount a file system of its own")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def command(data_dir, *words, cwd=None):
    return subprocess.run(
        [sys.executable, "-P", "-m", "schedmate", *words], capture_output=True, check=False, cwd=cwd, timeout=180,
        env={**os.environ, "SCHEDMATE_DATA_DIR": str(data_dir), "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip


def test_a_loop_without_file_descriptors_begins_anew_and_loses_nothing(make_up):
    up = make_up("--slots", "cpu=2", "--mode", "act")
    jobs = []
    up.until(lambda: "up on" in up.said())
    pid = up.process.pid
    for most in (4, 6, 9, 12):
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (most, PLENTY[1]))
        jobs += [up.submit(f"print({most})"), up.submit("raise SystemExit(3)")]
        up.until(lambda: "beginning anew" in up.said() or up.process.poll() is not None)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, PLENTY)
    up.until_state("completed", "failed", "held", jobs=jobs)
    assert up.process.poll() is None
    assert [up.log(job) for job in jobs[::2]] == ["4\n", "6\n", "9\n", "12\n"]
    assert all(len(up.store.runs(job)) == 1 for job in jobs[::2])


def test_with_the_stores_disk_full_sigterm_ends_the_loop_and_nothing_acknowledged_is_lost(disk):
    up = Up(disk, "--slots", "cpu=1")
    ballast = disk / "ballast"
    try:
        up.start()
        job = up.submit("import time; time.sleep(600)")
        up.until(lambda: (up.data_dir / "jobs" / str(job) / "1" / "job").exists())
        with ballast.open("wb") as file, pytest.raises(OSError):
            while True:
                os.write(file.fileno(), bytes(1 << 12))
        acknowledged = []
        with pytest.raises(Exception, match=r"full|disk"):
            for number in range(10_000):
                acknowledged.append(up.store.submit(Submission(("true",), "/", {}), f"t{number}", 1.0))
        up.until(lambda: "the store cannot be written" in up.said() or "beginning anew" in up.said())
        up.process.send_signal(signal.SIGTERM)
        assert up.process.wait(60) == 0, "while the disk was still full"
        assert os.statvfs(disk).f_bavail == 0
        ballast.unlink()
        assert {row.id for row in up.store.jobs()} >= {job, *acknowledged}
        up.start()
        up.until(lambda: "runs already" in up.said())
    finally:
        ballast.unlink(missing_ok=True)
        up.close()


def test_a_store_that_may_not_be_written_is_shown_all_the_same(disk, tmp_path):
    store = LiveStore(disk / "data")
    number = store.submit(Submission(("true",), "/", {}, name="bert"), "one", 1.0)
    run = store.open_run(number, "cpu", (("n1", 1),), None, 1.0)
    store.update_run(number, run, ended_s=2.0, outcome="failed")
    log = Path(store.log_of(number, run))
    log.parent.mkdir(parents=True)
    log.write_text("step 1\n")
    store.close()
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    for words in ("jobs", "jobs --json", f"why {number}", "actions", "history list", "history check"):
        done = command(disk / "data", *words.split())
        assert done.returncode == 0, done.stderr
        assert b"error" not in done.stderr
    assert b"bert" in command(disk / "data", "jobs").stdout
    assert command(disk / "data", "logs", str(number)).stdout == b"step 1\n"
    for words in (f"cancel {number}", "submit -- true", "up", "history backup copy"):
        done = command(disk / "data", *words.split(), cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith(b"error: ")
        assert b"Traceback" not in done.stderr
    assert not [*tmp_path.glob("copy*")]
    subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)


def test_a_directory_that_is_not_named_in_utf8_is_refused_in_one_line(tmp_path):
    odd = os.fsencode(tmp_path) + b"/odd\xff"
    os.mkdir(odd)
    done = command(tmp_path / "data", "submit", "--", "true", cwd=odd)
    assert done.returncode == 2
    assert b"is not named in UTF-8" in done.stderr
    assert b"Traceback" not in done.stderr
    for words in ("jobs", "config", "history list", "diagnose nothing", "extract . --command true"):
        assert b"Traceback" not in command(tmp_path / "data", *words.split(), cwd=odd).stderr
    put = command(tmp_path / "data", "submit", "--", b"echo \xff", cwd=tmp_path)
    assert put.returncode == 0, put.stderr
