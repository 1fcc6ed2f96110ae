"""Many logs into one table: each once, whatever is wrong with one of them, and whatever kills the batch."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from schedmate.batch.results import COLUMNS, BatchRow, Results
from schedmate.batch.run import Batch, run
from schedmate.errors import InputError

parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra batch")
pytest.importorskip("fsspec", reason="needs the extra batch")

CAUSES = {
    "python.key_error": 'Traceback (most recent call last):\n  File "/w/t.py", line 3, in <module>\nKeyError: "lr"\n',
    "cuda.out_of_memory": "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n",
}
LIMIT_S = 120.0


@pytest.fixture
def logs(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    steps = "".join(f"step {step}/100 loss {3 / (step + 1):.3f}\n" for step in range(20))
    for number in range(40):
        (folder / f"j{number:02d}.log").write_text(steps + [*CAUSES.values()][number % 2])
    return folder


def rows(path):
    return parquet.read_table(path).to_pylist()


def ask(logs, **options):
    options = {"verb": "diagnose", "words": [f"{logs}/*.log"], "workers": 2} | options
    return run(Batch(output=logs.parent / "out.parquet", **options))


def test_each_log_is_a_row_with_its_answer(logs):
    count = ask(logs)
    assert (count.read, count.failed, count.before, count.rows) == (40, 0, 0, 40)
    found = rows(logs.parent / "out.parquet")
    assert [*found[0]] == [*COLUMNS]
    assert sorted(row["source"] for row in found) == sorted(map(str, logs.glob("*.log")))
    assert Counter(row["failure_id"] for row in found) == dict.fromkeys(CAUSES, 20)
    answer = json.loads(found[0]["answer"])
    assert (answer["log"], answer["failure_id"]) == (found[0]["source"], found[0]["failure_id"])
    assert found[0]["size"] == os.path.getsize(found[0]["source"])
    assert sorted(path.name for path in logs.parent.iterdir()) == ["logs", "out.parquet"]


def test_what_cannot_be_read_is_a_row_that_says_why(logs):
    (logs / "binary.log").write_bytes(bytes(range(256)) * 8)
    (logs / "gone.log").symlink_to("nowhere")
    os.mkfifo(logs / "pipe.log")
    (logs / os.fsdecode(b"n\xff.log")).write_text("step 1/2 loss 1.0\n")
    count = ask(logs)
    assert (count.read, count.failed) == (44, 3)
    wrong = {Path(row["source"]).name: row["error"] for row in rows(logs.parent / "out.parquet") if row["error"]}
    assert "is binary" in wrong["binary.log"]
    assert "No such file" in wrong["gone.log"]
    assert "named pipe" in wrong["pipe.log"]
    assert ask(logs).before == 44


def test_a_reader_that_takes_too_long_is_ended_and_its_source_is_a_row(logs):
    for name in "abcd":
        (logs / f"large-{name}.txt").write_text(
            "".join(f"{CAUSES['python.key_error']}try {n}\n" for n in range(20_000))
        )
    count = ask(logs, words=[f"{logs}/large-*.txt"], limit_s=0.01)
    assert (count.read, count.failed) == (4, 4)
    assert {row["error"] for row in rows(logs.parent / "out.parquet")} == {"no answer within 0.01 s"}


def test_a_batch_that_is_killed_goes_on_and_reads_each_once(logs):
    output = logs.parent / "out.parquet"
    for number in range(40, 400):
        (logs / f"j{number:03d}.log").write_text(CAUSES["cuda.out_of_memory"])
    for _ in range(3):
        parts = len(list(logs.parent.glob("out.parquet.parts/*.parquet")))
        whole = "import schedmate.batch.results as r; r.PART_ROWS, r.PART_S = 20, 1e9"
        program = f"{whole}; from schedmate.cli import main; main()"
        command = [sys.executable, "-c", program, "batch", "diagnose", f"{logs}/*.log", "--out", output]
        with subprocess.Popen([*command, "--workers", "1"], stderr=subprocess.DEVNULL) as batch:
            limit_s = time.monotonic() + LIMIT_S
            while len(list(logs.parent.glob("out.parquet.parts/*.parquet"))) < parts + 2:
                assert time.monotonic() < limit_s
                assert batch.poll() is None
                time.sleep(0.01)
            batch.send_signal(signal.SIGKILL)
    count = ask(logs)
    assert (count.before >= 120, count.read + count.before, count.rows) == (True, 400, 400)
    assert len({row["source"] for row in rows(output)}) == 400
    again = ask(logs)
    assert (again.read, again.rows) == (0, 400)


@pytest.mark.parametrize("moment", ["whole", "joined", "named"])
def test_a_kill_while_the_parts_are_joined_loses_and_doubles_none(tmp_path, moment, monkeypatch):
    class Killed(BaseException):
        pass

    output = tmp_path / "out.parquet"
    results = Results(output)
    results.add(BatchRow("a", 1, "track", "broken"))
    results.flush()
    results.add(BatchRow("b", 1, "track", "broken"))
    renames = []
    rename = Path.rename

    def killed(path, to):
        if path.name.endswith(".tmp"):
            return rename(path, to)
        renames.append(path)
        if len(renames) > ["whole", "joined", "named"].index(moment):
            raise Killed
        return rename(path, to)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", killed)
        if moment == "named":
            patch.setattr("shutil.rmtree", lambda path: (_ for _ in ()).throw(Killed))
            renames = [None]
        with pytest.raises(Killed):
            results.finish()
    os.close(results.lock)
    after = Results(output)
    assert set(after.done("track")) == {"a", "b"}
    assert after.finish() == 2
    after.close()
    assert [row["source"] for row in rows(output)] == ["a", "b"]
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]


def test_two_batches_do_not_write_one_file(tmp_path):
    first = Results(tmp_path / "out.parquet")
    with pytest.raises(InputError, match="another batch writes"):
        Results(tmp_path / "out.parquet")
    first.close()
    Results(tmp_path / "out.parquet").close()


def test_a_file_of_other_answers_is_not_added_to(logs):
    ask(logs, words=[f"{logs}/j00.log"])
    with pytest.raises(InputError, match="holds answers of diagnose, not of track"):
        ask(logs, verb="track")


def test_lists_folders_and_repeated_words_name_each_source_once(logs):
    (logs.parent / "list").write_text(f"{logs}/j00.log\n\n{logs}/j01.log\n")
    words = [f"@{logs.parent}/list", f"{logs}/j0[01].log", str(logs)]
    assert ask(logs, words=words).rows == 40
    with pytest.raises(InputError, match="is not there"):
        ask(logs, words=[f"{logs}/none.log"])
    with pytest.raises(InputError, match="matches nothing"):
        ask(logs, words=[f"{logs}/none*.log"])
    assert not (logs.parent / "out.parquet.parts").exists()


@pytest.mark.parametrize("verb", ["track", "classify", "extract"])
def test_the_other_questions(logs, verb):
    repo = Path(__file__).parents[2] / "examples" / "repo"
    count = ask(logs, verb=verb, words=[str(repo) if verb == "extract" else f"{logs}/j0*.log"])
    assert count.failed == 0
    answer = json.loads(rows(logs.parent / "out.parquet")[0]["answer"])
    assert {"track": "step", "classify": "counts", "extract": "workload"}[verb] in answer
