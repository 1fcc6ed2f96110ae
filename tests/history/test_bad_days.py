"""What goes wrong on real machines: disks fill, processes die and compete, files come from elsewhere."""

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import pytest

from schedmate.errors import StoreError
from schedmate.history.admission import find_resubmissions
from schedmate.history.database import FILE_NAME, open_database
from schedmate.history.importers.importing import import_file
from schedmate.history.indexing import catch_up, open_index
from schedmate.history.jobs import Which, add_job, add_jobs, count_jobs, get_job, iterate_jobs, list_jobs
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.stored import WorkloadVectors, find_similar
from schedmate.history.stats import history_stats
from schedmate.models.embedders.built_in import open_built_in
from schedmate.schemas import Job, PastJob, Workload

ROOT = Path(__file__).parents[2]
CHILD = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}


def past(job_id, **more):
    job = Job(job_id=job_id, submit_s=0, start_s=1, end_s=61, status="completed", command="python t.py", **more)
    return PastJob(job=job, workload=Workload(model_name="gpt2", epochs=3))


def write_each(data_dir, writer, count):
    with closing(open_database(data_dir)) as connection:
        for number in range(count):
            add_job(connection, past(f"{writer}-{number}"))


def test_eight_processes_write_at_once(tmp_path):
    with ProcessPoolExecutor(8, mp_context=get_context("spawn")) as pool:
        list(pool.map(write_each, [tmp_path] * 8, range(8), [200] * 8))
    with closing(open_database(tmp_path)) as connection:
        assert count_jobs(connection) == 1600
        assert connection.execute("SELECT count(*) FROM workloads").fetchone()[0] == 1
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_a_new_file_that_another_holds_is_waited_for(tmp_path, monkeypatch):
    """SQLite gives up at once on the switch to its log, however long it is told to wait for locks."""
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    monkeypatch.setattr("schedmate.history.database.BUSY_MS", 1)
    monkeypatch.setattr("schedmate.history.database.time.sleep", lambda s: other.execute("COMMIT"))
    with closing(open_database(tmp_path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert not other.in_transaction
    other.close()


def test_a_kill_loses_nothing_that_was_told(tmp_path):
    code = (
        "import sys; from pathlib import Path; from contextlib import closing\n"
        "from tests.history.test_bad_days import past; from schedmate.history.database import open_database\n"
        "from schedmate.history.jobs import add_jobs\n"
        "with closing(open_database(Path(sys.argv[1]))) as c:\n"
        "    for n in range(10**6):\n"
        "        add_jobs(c, [past(f'{n}-{i}') for i in range(20)]); print(n, flush=True)\n"
    )
    draw = random.Random(4)
    for _ in range(3):
        command = [sys.executable, "-c", code, str(tmp_path)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=CHILD)
        with child, child.stdout:
            told = [int(child.stdout.readline()) for _ in range(draw.randrange(3, 30))]
            child.send_signal(signal.SIGKILL)
            told += [int(line) for line in child.stdout.read().split()]
        with closing(open_database(tmp_path)) as connection:
            kept = {row.job.job_id for row in iterate_jobs(connection)}
            assert {f"{n}-{i}" for n in told for i in range(20)} <= kept
            assert len(kept) % 20 == 0
            assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


@pytest.mark.parametrize("what", ["store", "vectors"])
def test_a_full_disk_is_told_and_loses_nothing(what, tmp_path):
    if os.geteuid() != 0 and resource.getrlimit(resource.RLIMIT_FSIZE)[1] != resource.RLIM_INFINITY:
        pytest.skip("the limit on file sizes cannot be set here")
    code = (
        "import resource, signal, sys; from pathlib import Path; from contextlib import closing\n"
        "from tests.history.test_bad_days import *\n"
        "from tests.history.test_indexing import Numbers, past as numbered\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); folder = Path(sys.argv[1]); what = sys.argv[2]\n"
        "c = open_database(folder)\n"
        "add_jobs(c, [numbered(n) for n in range(5000)] if what == 'vectors' else [past(str(n)) for n in range(50)])\n"
        "limit = 100_000 if what == 'vectors' else 300_000\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))\n"
        "try:\n"
        "    if what == 'vectors':\n"
        "        with open_index(folder, 'built-in', Numbers()) as index: catch_up(c, index, Numbers())\n"
        "    else:\n"
        "        for n in range(100): add_jobs(c, [past(f'{n}-{i}') for i in range(100)]); print('told', n)\n"
        "except StoreError as error: print('StoreError:', error.message, '|', error.hint)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)\n"
        "add_jobs(c, [past('after')]); print('after', count_jobs(c))\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path), what]
    done = subprocess.run(command, capture_output=True, text=True, env=CHILD, timeout=60)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert any(
        line.startswith("StoreError: ") and ("cannot be written" in line or "free space" in line) for line in lines
    ), lines
    with closing(open_database(tmp_path)) as connection:
        told = sum(line.startswith("told") for line in lines)
        assert count_jobs(connection) == (5001 if what == "vectors" else 51 + 100 * told)
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        if what == "vectors":
            from tests.history.test_indexing import Numbers

            vectoriser = Numbers()
            with open_index(tmp_path, "built-in", vectoriser) as index:
                connection.execute("DELETE FROM jobs WHERE job_id = 'after'")
                connection.execute("DELETE FROM workloads WHERE id = 5001")
                catch_up(connection, index, vectoriser)
                assert len(index) == 5000


def test_a_store_of_a_newer_version_is_refused_unharmed(tmp_path):
    with closing(open_database(tmp_path)) as connection:
        add_job(connection, past("1"))
        connection.execute("PRAGMA user_version=999")
    before = (tmp_path / FILE_NAME).read_bytes()
    command = [sys.executable, "-m", "schedmate", "history", "list"]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**CHILD, "SCHEDMATE_DATA_DIR": str(tmp_path)}, cwd=tmp_path
    )
    assert done.returncode == 2
    assert "newer SchedMate" in done.stderr
    assert "hint: upgrade" in done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_a_damaged_store_is_told(tmp_path):
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, [past(str(n), name="x" * 500) for n in range(500)])
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path = tmp_path / FILE_NAME
    content = bytearray(path.read_bytes())
    content[8192 : len(content) - 4096] = b"\xa5" * (len(content) - 12288)
    path.write_bytes(content)
    with pytest.raises(StoreError), closing(open_database(tmp_path)) as connection:
        list(iterate_jobs(connection))


def test_a_store_that_another_process_keeps_locked(tmp_path, monkeypatch):
    monkeypatch.setattr("schedmate.history.database.BUSY_MS", 50)
    with closing(open_database(tmp_path)) as mine, closing(open_database(tmp_path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="cannot be written") as caught:
            add_job(mine, past("1"))
        assert "another process" in caught.value.hint
        assert count_jobs(mine) == 0
        other.execute("ROLLBACK")
        assert add_job(mine, past("1")).new == 1


def test_a_history_of_none_and_of_one_job(tmp_path):
    names = NameCloseness(open_built_in())
    asked = Workload(model_name="gpt2", epochs=4)
    with closing(open_database(tmp_path)) as connection:
        for count in (0, 1):
            assert len(list_jobs(connection)) == count
            assert history_stats(connection, tmp_path).jobs == count
            assert len(find_resubmissions(connection, past("new").job, now_s=100)) == count
            assert len(find_similar(connection, tmp_path, asked, names, threshold=0.1, top=3)) == count
            vectoriser = WorkloadVectors(names)
            with open_index(tmp_path, "built-in", vectoriser) as index:
                assert catch_up(connection, index, vectoriser) == count
                assert len(index.nearest(vectoriser.vectors([asked])[0], 3)) == count
            add_job(connection, past("only"))


@pytest.mark.parametrize("clock", [(100, 50, 20), (0, 0, 0), (5, None, 1), (1e10, 0, -1e10), (-5, -4, -3)])
def test_clocks_that_say_what_cannot_be(clock, tmp_path):
    submit_s, start_s, end_s = clock
    odd = Job(job_id="odd", submit_s=submit_s, start_s=start_s, end_s=end_s, status="failed", command="python t.py")
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, [PastJob(job=odd, workload=Workload(model_name="gpt2"))])
        kept = get_job(connection, "odd")
        assert kept.duration_s is None or kept.duration_s >= 0
        assert kept.known_s >= max(moment for moment in clock if moment is not None)
        assert history_stats(connection, tmp_path).gpu_hours >= 0
        assert len(find_resubmissions(connection, past("new").job, now_s=2e10, recent_days=1e6)) == 1
        assert count_jobs(connection, Which(known_by_s=kept.known_s - 1)) == 0


def test_an_import_that_is_killed_is_repeated(tmp_path):
    path = tmp_path / "jobs.csv"
    rows = "".join(f"{number},ann,v,n,{number},5,1,COMPLETED,\n" for number in range(8_000))
    path.write_text("job_id,user,vc,name,submit_s,duration_s,gpus,status,extra\n" + rows)
    code = "import sys; from pathlib import Path; from schedmate.history.importers.importing import import_file\n"
    code += "import_file(Path(sys.argv[1]), sys.argv[2], advance=lambda done, total: print(done, flush=True))"
    command = [sys.executable, "-c", code, str(tmp_path / "data"), str(path)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=CHILD)
    with child, child.stdout:
        for _ in range(6):
            child.stdout.readline()
        child.send_signal(signal.SIGKILL)
    with closing(open_database(tmp_path / "data")) as connection:
        kept = count_jobs(connection)
    assert 0 < kept < 8_000
    done = import_file(tmp_path / "data", str(path))
    assert done.new == 8_000 - kept
    assert done.same == kept


def test_reading_goes_on_while_another_writes(tmp_path):
    with closing(open_database(tmp_path)) as reader, closing(open_database(tmp_path)) as writer:
        add_jobs(writer, [past(str(number)) for number in range(100)])
        seen = 0
        for _ in iterate_jobs(reader):
            if seen == 10:
                add_jobs(writer, [past(f"new-{number}") for number in range(100)])
            seen += 1
        assert seen == 100
        assert isinstance(reader, sqlite3.Connection)
        assert count_jobs(reader) == 200


def test_texts_that_no_database_can_hold(tmp_path):
    broken = past("r\ud83d", user="\udcff", name="a\0b").job.model_copy(
        update={"command": "python \udfff.py", "extra": {"k\ud800": "\ud800"}}
    )
    path = tmp_path / "ray.json"
    path.write_text(
        '[{"submission_id": "x\\ud83d", "status": "SUCCEEDED", "entrypoint": "python \\ud83d", "start_time": 1}]'
    )
    assert import_file(tmp_path / "data", str(path)).new == 1
    assert import_file(tmp_path / "data", str(path)).same == 1
    with closing(open_database(tmp_path / "data")) as connection:
        assert add_jobs(connection, [past("sound"), PastJob(job=broken)]).new == 2
        assert add_jobs(connection, [PastJob(job=broken)]) == (0, 0, 1)
        assert get_job(connection, "r?").job.user == "?"
        assert {row.job.job_id for row in iterate_jobs(connection)} == {"x?", "sound", "r?"}


def test_advice_on_names_that_are_no_text(tmp_path):
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "t.py").write_text("print(1)")
    command = [
        sys.executable,
        "-m",
        "schedmate",
        "advise",
        str(folder),
        "--json",
        "--user",
        b"\xed\xa0",
        "--command",
        b"python t.py \xff",
    ]
    environment = {**CHILD, "SCHEDMATE_DATA_DIR": str(tmp_path / "data")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert '"source":"fallback"' in done.stdout
