"""Which index answers: Chroma up to a size, our own files beyond and where another owns it; all answer alike."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from random import Random

import pytest

from schedmate.history import choosing, chroma_vectors
from schedmate.history.choosing import ways
from schedmate.history.chroma_embedded import HELD, EmbeddedVectors, release
from schedmate.history.database import FILE_NAME, open_database
from schedmate.history.jobs import Which, add_jobs, remove_jobs
from schedmate.history.similarity import stored, upkeep
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.upkeep import index_anew, index_new
from schedmate.models.embedders.built_in import open_built_in
from tests.history.test_bad_days import CHILD
from tests.history.test_chroma import Store, made

OWN = (
    "import fcntl, sys; lock = open(sys.argv[1], 'w'); fcntl.flock(lock, fcntl.LOCK_EX);"
    "print('held', flush=True); sys.stdin.read()"
)


@pytest.fixture(scope="module")
def names():
    return NameCloseness(open_built_in())


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(chroma_vectors, "ANSWER_S", 120.0)
    monkeypatch.setattr(stored, "OUTRIGHT", 5)
    monkeypatch.setattr(upkeep, "OUTRIGHT", 5)
    monkeypatch.setattr(choosing, "MOST_IN_CHROMA", 65)
    yield
    for parent in list(HELD):
        release(parent)


def in_chroma(folder):
    return [path.parent.name for path in (folder / "workload-chroma").glob("*/*/chroma.sqlite3")]


def test_what_is_asked_in_which_order():
    assert ways("", 65) == ways("auto", 65) == ways("chroma", 66) == ("chroma", "built-in")
    assert ways("auto", 66) == ways("built-in", 1) == ("built-in",)
    assert ways("http://host", 1) == ("http://host", "built-in")


def test_our_files_take_over_from_chroma_and_give_back(tmp_path, names):
    mine = Store(tmp_path, names)
    exact, notes = mine.ask("auto")
    assert notes == []
    assert in_chroma(tmp_path) == ["1"]
    assert not (tmp_path / "workload-vectors").exists()
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, [made(number) for number in range(60, 70)])
        found, notes = mine.ask("auto", 65)
        assert found[0][0] == "65"
        assert len(notes) == 1
        assert "the history holds 70 workloads, more than the 65" in notes[0]
        assert in_chroma(tmp_path) == []
        assert mine.ask("auto", 65) == (found, [])
        assert mine.ask("built-in", 65) == (found, [])
        remove_jobs(connection, Which(since_s=50))
    again, notes = mine.ask("auto")
    assert again == exact
    assert notes == []
    assert in_chroma(tmp_path) == ["1"]


def test_who_does_not_own_chroma_asks_our_files(tmp_path, names):
    mine = Store(tmp_path, names)
    exact, _ = mine.ask("auto")
    (parent,) = (tmp_path / "workload-chroma").iterdir()
    release(parent)
    command = [sys.executable, "-c", OWN, str(parent / "owner.lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        for setting in ("auto", "chroma"):
            assert mine.ask(setting) == (exact, [])
        assert (tmp_path / "workload-vectors").is_dir()
        with closing(open_database(tmp_path)) as connection:
            add_jobs(connection, [made(500)])
            assert mine.ask("auto", 500)[0][0][0] == "500"
            notes = []
            done = index_anew(connection, tmp_path, "auto", names, lambda done, total: None, notes.append)
            assert done == (61, "built-in")
            assert "another process owns Chroma's directory" in notes[0]
            # Nothing is taken away from its owner, however large the history becomes.
            add_jobs(connection, [made(number) for number in range(600, 620)])
            assert mine.ask("auto", 610)[1] == []
            assert in_chroma(tmp_path) == ["1"]
        holder.stdin.close()
    assert "more than the 65" in mine.ask("auto", 610)[1][0]


def test_a_chroma_that_lacks_much_catches_up_by_and_by(tmp_path, names, monkeypatch):
    monkeypatch.setattr(chroma_vectors.ChromaVectors, "most_on_the_way", 25)
    mine = Store(tmp_path, names)
    exact, notes = mine.ask("auto")
    assert "lacked 60 workloads and took in 25" in notes[0]
    assert "our own files were asked instead" in notes[0]
    assert "lacked 35" in mine.ask("auto")[1][0]
    assert mine.ask("auto") == (exact, [])


@pytest.mark.parametrize("setting", ["auto", "built-in"])
def test_an_index_of_another_history_is_not_asked(setting, tmp_path, names):
    mine = Store(tmp_path, names)
    mine.ask(setting)
    for path in tmp_path.glob(f"{FILE_NAME}*"):
        path.rename(path.with_name(f"away-{path.name}"))
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, [made(number) for number in range(100, 120)])
    assert mine.ask(setting, 110)[0][0][0] == "110"


@pytest.mark.parametrize("setting", ["auto", "built-in"])
def test_a_history_that_was_put_back_to_an_older_copy_is_indexed_anew(setting, tmp_path, names):
    mine = Store(tmp_path, names, 30)
    copy = (tmp_path / FILE_NAME).read_bytes()
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, [made(number) for number in range(30, 60)])
    mine.ask(setting)
    (tmp_path / FILE_NAME).write_bytes(copy)
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, [made(number) for number in range(100, 110)])
    found, notes = mine.ask(setting, 105)
    assert found[0][0] == "105"
    assert "put back" in notes[0]
    assert mine.ask(setting, 105) == (found, [])


def test_threads_of_one_process_share_its_chroma(tmp_path, names, monkeypatch):
    mine = Store(tmp_path, names)
    added = []
    monkeypatch.setattr(EmbeddedVectors, "add", counting(EmbeddedVectors.add, added))
    with ThreadPoolExecutor(6) as pool:
        told = [*pool.map(lambda number: mine.ask("auto", number), range(0, 60, 5))]
    assert [found[0][0] for found, _ in told] == [str(number) for number in range(0, 60, 5)]
    assert all(notes == [] for _, notes in told)
    assert sum(added) == 60


def counting(add, added):
    """Add, and write down how many."""

    def counted(self, ids, vectors):
        added.append(len(ids))
        add(self, ids, vectors)

    return counted


def test_a_chroma_that_cannot_be_loaded_is_done_without(tmp_path, names, monkeypatch):
    """It refuses to be imported beside an old SQLite, for one."""
    monkeypatch.setitem(sys.modules, "chromadb", None)
    found, notes = Store(tmp_path, names).ask("auto")
    assert found[0][0] == "7"
    assert "Chroma cannot be loaded" in notes[0]
    assert "our own files were asked instead" in notes[0]


def test_what_was_imported_is_indexed_at_once(tmp_path, names):
    opened = []

    def asked():
        opened.append(1)
        return names

    with closing(open_database(tmp_path)) as connection:
        assert index_new(connection, tmp_path, "auto", asked, lambda done, total: None, print) == 0
        assert not opened
        add_jobs(connection, [made(number) for number in range(60)])
        assert index_new(connection, tmp_path, "auto", asked, lambda done, total: None, print) == 60
        assert index_new(connection, tmp_path, "auto", asked, lambda done, total: None, print) == 0
    assert in_chroma(tmp_path) == ["1"]


def test_the_commands_name_the_index_in_charge(tmp_path):
    draw = Random(2)
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, [made(draw.randrange(10**6)) for _ in range(20)])
    environment = {**CHILD, "SCHEDMATE_DATA_DIR": str(tmp_path), "SCHEDMATE_CONFIG": ""}
    command = [sys.executable, "-m", "schedmate", "history", "reindex", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["vectors"] == "chroma"
    assert in_chroma(tmp_path) == ["2"]


def test_a_resubmission_and_a_small_history_need_no_chroma(tmp_path):
    """Its import costs a second: a hundred times what a resubmission takes."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "train.py").write_text("print(1)\n")
    code = """
import sys, time; from pathlib import Path; from contextlib import closing
import schedmate; from schedmate.history.database import FILE_NAME, open_database
from schedmate.history.jobs import add_job, add_jobs
from tests.history.test_chroma import made
from schedmate.schemas import Job, PastJob
root, began = Path(sys.argv[1]) / "code", time.time() - 3600
with closing(open_database(Path(sys.argv[1]))) as connection:
    add_jobs(connection, [made(number) for number in range(50)])
    assert schedmate.advise(root, command="python train.py", user="ann").source == "fallback"
    times = {"submit_s": began, "start_s": began, "end_s": began + 60, "status": "completed"}
    job = Job(job_id="x", user="ann", command="python train.py", workdir=root, **times)
    add_job(connection, PastJob(job=job))
    add_jobs(connection, [made(number) for number in range(50, 2100)])
told = schedmate.advise(root, command="python train.py", user="ann")
print(told.source, "chromadb" in sys.modules)
"""
    environment = {**CHILD, "SCHEDMATE_DATA_DIR": str(tmp_path), "SCHEDMATE_CONFIG": ""}
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["resubmission", "False"]
