"""Stores that are moved away or restored, and folders that stay: real loops, real jobs."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from subprocess import PIPE

import pytest

from schedmate.errors import StoreError
from schedmate.history import database
from schedmate.history.database import FILE_NAME
from schedmate.history.live import LiveStore
from schedmate.scheduling.live.presence import presence
from tests.scheduling.live.up_process import PATIENCE_S

NOTE = "import os, sys; open('ledger', 'a').write(sys.argv[1] + '\\n')"
OPEN = """
import sys
from pathlib import Path
from schedmate.history.live import LiveStore
print("opens", flush=True)
LiveStore(Path(sys.argv[1])).close()
print("opened")
"""
GATE = NOTE + "\nimport time\nwhile not os.path.exists('gate'): time.sleep(0.02)"


def ledger(up):
    path = up.work / "ledger"
    return path.read_text().split() if path.exists() else []


def stop(up):
    up.ask("down")
    up.process.wait(60)
    up.store.close()


def begin(up):
    up.store = LiveStore(up.data_dir)
    up.start()


def back_up(up, to):
    with closing(sqlite3.connect(up.data_dir / FILE_NAME)) as now, closing(sqlite3.connect(to)) as kept:
        now.backup(kept)


def replace_store(up, by=None):
    for name in (FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm"):
        (up.data_dir / name).unlink(missing_ok=True)
    if by is not None:
        shutil.copy(by, up.data_dir / FILE_NAME)


def test_a_new_store_takes_no_end_of_an_old_one_for_its_jobs(make_up):
    up = make_up("--slots", "cpu=1")
    old = up.submit(NOTE, "old")
    up.until_state("completed", jobs=[old])
    stop(up)
    replace_store(up)
    begin(up)
    up.until(lambda: up.said().count("up on") == 2)
    new = up.submit(NOTE, "new")
    assert new == old
    up.until_state("completed", jobs=[new])
    assert ledger(up) == ["old", "new"], "it has really run"
    aside = up.data_dir / "jobs" / "aside" / "1-1-0"
    assert (aside / "exit").exists()
    assert (
        f"a folder of a job that is not this store's was in the place of run 1 of job 1: it is now {aside}" in up.said()
    )


def test_a_job_of_another_store_that_still_runs_is_named_and_left_alone(make_up):
    up = make_up("--slots", "cpu=1")
    old = up.submit(GATE, "old")
    up.until(lambda: ledger(up) == ["old"])
    stop(up)
    replace_store(up)
    begin(up)
    up.until(lambda: up.said().count("up on") == 2)
    new = up.submit(NOTE, "new")
    assert new == old
    up.until_state("completed", jobs=[new])
    assert "it still runs, as process " in up.said()
    (up.work / "gate").touch()


def test_what_ran_after_the_backup_does_not_run_again(make_up, tmp_path):
    up = make_up("--slots", "cpu=1")
    blocker = up.submit(GATE, "blocker")
    waits = up.submit(NOTE, "waits")
    up.until_state("running", jobs=[blocker])
    up.until(lambda: "blocker" in ledger(up))
    back_up(up, tmp_path / "backup")
    (up.work / "gate").touch()
    up.until_state("completed", jobs=[blocker, waits])
    late, failing = up.submit(NOTE, "late", user="bea"), up.submit("raise SystemExit(3)")
    up.until_state("completed", jobs=[late])
    up.until_state("failed", jobs=[failing])
    stop(up)
    replace_store(up, tmp_path / "backup")
    begin(up)
    up.until(lambda: len(up.store.jobs()) == 4)
    up.until_state("completed", jobs=[blocker, waits, late])
    up.until_state("failed", jobs=[failing])
    assert sorted(ledger(up)) == ["blocker", "late", "waits"]
    assert up.store.job(late).user == "bea"
    assert up.store.runs(failing)[0].code == 3
    assert f"run 1 of job {late} was not in the store: taken from its folder" in up.said()


def test_what_runs_while_a_backup_is_restored_is_taken_over(make_up, tmp_path):
    up = make_up("--slots", "cpu=2")
    back_up(up, tmp_path / "backup")
    job = up.submit(GATE, "long")
    up.until(lambda: ledger(up) == ["long"])
    up.kill()
    up.store.close()
    replace_store(up, tmp_path / "backup")
    begin(up)
    up.until(lambda: [(row.id, row.state) for row in up.store.jobs()] == [(job, "running")])
    assert up.ask("cancel", job).words == f"job {job} is being stopped"
    up.until_state("cancelled", jobs=[job])
    assert ledger(up) == ["long"]


def test_a_job_that_comes_after_a_backup_was_restored_takes_no_number_of_one_that_has_run(make_up, tmp_path):
    up = make_up("--slots", "cpu=2")
    back_up(up, tmp_path / "backup")
    after, runs = up.submit(NOTE, "after"), up.submit(GATE, "runs")
    up.until_state("completed", jobs=[after])
    up.until(lambda: "runs" in ledger(up))
    stop(up)
    replace_store(up, tmp_path / "backup")
    up.store = LiveStore(up.data_dir)
    others = [up.submit(NOTE, "other"), up.submit(NOTE, "another")]
    assert others == [runs + 1, runs + 2]
    up.start()
    up.until(lambda: len(up.store.jobs()) == 4)
    up.until_state("completed", jobs=[after, *others])
    (up.work / "gate").touch()
    up.until_state("completed", jobs=[runs])
    assert sorted(ledger(up)) == ["after", "another", "other", "runs"], "none was orphaned, and none ran twice"


def test_a_folder_that_nobody_can_read_is_set_aside_and_not_believed(make_up):
    up = make_up("--slots", "cpu=1")
    stop(up)
    for number, spec in enumerate(("{", '{"store": 3, "job": []}', "[" * 100_000), start=1):
        folder = up.data_dir / "jobs" / str(number) / "1"
        folder.mkdir(parents=True)
        (folder / "spec").write_text(spec)
        (folder / "exit").write_text('{"code": 0, "stopped": false, "ran_s": 1, "ended_s": 1}')
    begin(up)
    jobs = [up.submit(NOTE, str(number)) for number in (1, 2, 3)]
    up.until_state("completed", jobs=jobs)
    assert sorted(ledger(up)) == ["1", "2", "3"]


def test_a_log_of_writes_that_was_cut_loses_nothing_that_a_folder_knows(make_up):
    up = make_up("--slots", "cpu=1")
    ran = [up.submit(NOTE, str(number)) for number in range(3)]
    up.until_state("completed", jobs=ran)
    holder = up.submit(GATE, "holder")
    up.until_state("running", jobs=[holder])
    up.until(lambda: "holder" in ledger(up))
    lost = up.submit(NOTE, "never")
    up.store.close()
    (up.data_dir / f"{FILE_NAME}-wal").write_bytes(b"")
    up.kill()
    up.start()  # before we open the store: beside a helper of the killed loop we would keep what the old log held
    up.until(lambda: up.said().count("up on") == 2)
    up.store = LiveStore(up.data_dir)
    up.until(lambda: len(up.store.jobs()) >= 4)
    up.until_state("completed", jobs=ran)
    (up.work / "gate").touch()
    up.until_state("completed", jobs=[holder])
    assert sorted(ledger(up)) == ["0", "1", "2", "holder"]
    assert lost not in [row.id for row in up.store.jobs()]
    assert "was not in the store: taken from its folder" in up.said()


def destroy(path, how):
    """Do to a store under a live loop what people and disks do."""
    log = path.with_name(f"{path.name}-wal")
    size = log.stat().st_size
    if how == "cut":
        os.truncate(log, 0)
    elif how == "written over":
        with log.open("r+b") as file:
            file.write(os.urandom(size))
    elif how == "log removed":
        log.unlink()
    elif how == "store removed":
        path.unlink()
    elif how == "store emptied":
        os.truncate(path, 0)
    else:
        shutil.copy(path, path.with_name("copy"))
        os.rename(path.with_name("copy"), path)


DAMAGES = ["cut", "written over", "log removed", "store removed", "store emptied", "exchanged"]


@pytest.mark.parametrize("how", DAMAGES)
def test_a_store_that_is_destroyed_under_a_live_loop_loses_nothing_that_a_folder_knows(make_up, how):
    up = make_up("--slots", "cpu=2")
    runs, done = up.submit(GATE, "runs"), up.submit(NOTE, "done")
    up.until_state("completed", jobs=[done])
    up.until(lambda: "runs" in ledger(up))
    up.store.close()
    destroy(up.data_dir / FILE_NAME, how)
    assert up.process.wait(PATIENCE_S) == 2, "it sees that by itself, and writes nothing more"
    assert f"error: {up.data_dir / FILE_NAME}" in up.said()
    assert "hint: jobs that run go on; schedmate history check says more" in up.said()
    environment = environment_of(up)
    checked = history(environment, "check")
    assert "Traceback" not in checked.stderr
    listed = subprocess.run(command_of("jobs"), env=environment, capture_output=True, text=True, check=False)
    told = listed.stdout.count("running") == 1 or "left folders of runs that the store does not know" in listed.stderr
    assert told or "error: " in listed.stderr, "never a list that lacks jobs without a word"
    if "history repair" in checked.stderr:
        assert history(environment, "repair").returncode == 0
    begin(up)
    up.until(lambda: len(up.store.jobs()) == 2)
    (up.work / "gate").touch()
    up.until_state("completed", jobs=[runs, done])
    assert sorted(ledger(up)) == ["done", "runs"], "none ran twice"
    assert history(environment, "check").returncode == 0


def test_nobody_puts_a_new_store_in_the_place_of_one_that_was_lost(make_up, monkeypatch):
    monkeypatch.setattr(database, "SWITCH_S", 0.1)
    up = make_up("--slots", "cpu=1")
    runs = up.submit(GATE, "runs")
    up.until(lambda: "runs" in ledger(up))
    up.store.close()
    up.pause()  # it cannot see yet that its store is gone
    path = up.data_dir / FILE_NAME
    path.rename(path.with_name("hidden"))
    for look in (True, False):
        with pytest.raises(StoreError, match="was lost while it was in use"):
            LiveStore(up.data_dir, only_look=look)
    up.kill()
    told = command(up, "jobs")
    assert (told.returncode, told.stdout) == (2, "")
    assert f"{path} was lost while it was in use" in told.stderr
    assert not path.exists(), "and its log stays what it was, so it can be put back"
    path.with_name("hidden").rename(path)
    begin(up)
    (up.work / "gate").touch()
    up.until_state("completed", jobs=[runs])
    assert ledger(up) == ["runs"]


def test_a_store_that_a_loop_has_yet_to_make_is_waited_for(tmp_path):
    with presence(tmp_path):
        asked = subprocess.Popen(
            [sys.executable, "-P", "-c", OPEN, str(tmp_path)], stdout=PIPE, stderr=PIPE, text=True,
            env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        )  # fmt: skip
        assert asked.stdout.readline() == "opens\n"
        LiveStore(tmp_path).close()
        assert asked.communicate(timeout=PATIENCE_S) == ("opened\n", "")


def history(environment, word):
    return subprocess.run(command_of("history", word), env=environment, capture_output=True, text=True, check=False)


def test_a_damaged_store_is_an_error_with_a_way_out(make_up):
    up = make_up("--slots", "cpu=1")
    ran = [up.submit(NOTE, str(number)) for number in range(5)]
    up.until_state("completed", jobs=ran)
    stop(up)
    with closing(sqlite3.connect(up.data_dir / FILE_NAME)) as store:
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = store.execute("SELECT rootpage FROM sqlite_master WHERE name = 'live_jobs'").fetchone()
        (size,) = store.execute("PRAGMA page_size").fetchone()
    with (up.data_dir / FILE_NAME).open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(os.urandom(size))
    told = command(up, "jobs")
    assert told.returncode == 2
    assert "Traceback" not in told.stderr
    assert "schedmate history repair" in told.stderr
    assert command(up, "history", "check").returncode == 1
    repaired = command(up, "history", "repair")
    assert repaired.returncode == 0, repaired.stderr
    assert "not read to their end: live_jobs" in repaired.stdout
    assert command(up, "history", "check").returncode == 0
    begin(up)
    up.until(lambda: len(up.store.jobs()) == 5)
    up.until_state("completed", jobs=ran)
    assert sorted(ledger(up)) == ["0", "1", "2", "3", "4"], "its folders know that they ran"


def test_a_backup_is_whole_and_overwrites_nothing(make_up, tmp_path):
    up = make_up("--slots", "cpu=1")
    job = up.submit(NOTE, "x")
    up.until_state("completed", jobs=[job])
    target = tmp_path / "copy.sqlite3"
    assert command(up, "history", "backup", str(target)).returncode == 0
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT state FROM live_jobs").fetchall() == [("completed",)]
    assert target.stat().st_mode & 0o077 == 0, "it holds environments"
    again = command(up, "history", "backup", str(target))
    assert (again.returncode, "is there already" in again.stderr) == (2, True)


def command(up, *words):
    return subprocess.run(
        command_of(*words), capture_output=True, text=True, check=False, timeout=180, env=environment_of(up)
    )


def command_of(*words):
    return [sys.executable, "-P", "-m", "schedmate", *words]


def environment_of(up):
    return {**os.environ, "SCHEDMATE_DATA_DIR": str(up.data_dir), "PYTHONPATH": ":".join(sys.path)}
