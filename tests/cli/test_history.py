"""`schedmate history` from the command line: what goes in comes out, and bad input is one line."""

import json

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app
from schedmate.errors import InputError
from schedmate.settings import get_settings
from tests.history.importers.records import FILES

TABLE = (
    "job_id,user,vc,name,submit_s,duration_s,gpus,status,extra,command,workdir\n"
    "1,ann,gpu,first,1700000000,600,8,COMPLETED,,python t.py --seed 1,/code\n"
    "2,ann,gpu,second,1700001000,60,8,FAILED,,python t.py --seed 2,/code\n"
    "3,bob,gpu,third,1700002000,60,1,CANCELLED,,,\n"
    "4,bob,gpu,fourth,1700002000,-5,1,COMPLETED,,,\n"
    "5,bob,gpu,fifth,soon,5,1,COMPLETED,,,\n"
)


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_DATA_DIR", str(tmp_path / "data"))
    get_settings.cache_clear()
    (tmp_path / "jobs.csv").write_text(TABLE)

    def call(*words, fails=False, **more):
        result = CliRunner().invoke(make_app(), ["history", *map(str, words)], **more)
        assert (result.exit_code != 0) == fails, result.output
        if fails:
            assert isinstance(result.exception, InputError), result.exception
            return result.exception.message
        return result.stdout

    call.path = tmp_path / "jobs.csv"
    yield call
    get_settings.cache_clear()


def test_import_tells_what_was_bad_and_odd(run):
    told = run("import", run.path)
    assert "4 new, 0 changed, 0 known" in told
    assert "1 bad row left out" in told
    assert "line 6: submit_s is 'soon'" in told
    assert "job 4: a run time of -5 s is impossible and left out" in told
    again = json.loads(run("import", run.path, "--json"))
    assert (again["new"], again["same"], again["bad"]) == (0, 4, 1)


def test_list_show_and_stats(run):
    run("import", run.path)
    table = run("list", "--user", "ann").splitlines()
    assert [line.split()[0] for line in table[1:]] == ["2", "1"]
    assert "10m 0s" in table[2]
    assert [json.loads(line)["job"]["job_id"] for line in run("list", "-s", "cancelled", "--json").splitlines()] == [
        "3"
    ]
    assert run("list", "--name", "nothing").startswith("no such jobs; ")
    assert "earlier runs of the same thing" in run("show", "2")
    assert json.loads(run("show", "1", "--json"))["ran_s"] == 600
    told = json.loads(run("stats", "--json"))
    assert (told["jobs"], told["users"], told["runs_of_the_same"]) == (4, 2, 2)
    assert told["by_status"] == {"completed": 2, "cancelled": 1, "failed": 1}
    assert "half up to" in run("stats")
    assert "no job 77" in run("show", "77", fails=True)
    assert "no status lost" in run("list", "-s", "lost", fails=True)
    assert "not a time" in run("list", "--since", "yesterday", fails=True)


def test_an_empty_history(run):
    assert run("list").startswith("no such jobs; ")
    assert json.loads(run("stats", "--json"))["jobs"] == 0
    assert "jobs" in run("stats")
    assert run("export") == ""


def test_export_and_prune(run, tmp_path):
    run("import", run.path)
    run("export", "-o", tmp_path / "all.jsonl.gz")
    assert (
        run("export", "--user", "bob", "-f", "csv")
        .splitlines()[1]
        .startswith("3,bob,gpu,third,1700002000,60,1,CANCELLED")
    )
    assert "2 jobs would be forgotten" in run("prune", "--user", "bob", fails=True)
    assert run("prune", "--user", "bob", "--dry-run") == "2 jobs match\n"
    assert json.loads(run("prune", "--user", "bob", "--yes", "--json")) == {"matching": 2, "removed": 2}
    assert "nothing says which" in run("prune", "--yes", fails=True)
    assert json.loads(run("import", tmp_path / "all.jsonl.gz", "--json"))["new"] == 2
    assert "--format xml is unknown" in run("export", "-f", "xml", fails=True)


def test_add_reads_log_and_code(run, tmp_path):
    (tmp_path / "train.py").write_text(
        "import argparse, torch\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--batch-size', type=int, default=8)\nargs = parser.parse_args()\n"
        "loader = torch.utils.data.DataLoader([], batch_size=args.batch_size)\n"
    )
    log = tmp_path / "train.log"
    lines = [f"epoch 1 step {step}/500 loss {3 / step:.3f} 0.5 s/step" for step in range(1, 60)]
    error = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"
    log.write_text(
        "\n".join([*lines, "Traceback (most recent call last):", '  File "train.py", line 9, in <module>', error])
    )
    words = (
        "add",
        "77",
        "--user",
        "ann",
        "--command",
        "python train.py --batch-size 16",
        "--gpus",
        "2",
        "--status",
        "FAILED",
    )
    times = ("--submit", "1700000000", "--start", "1700000010", "--end", "1700000070")
    kept = json.loads(run(*words, *times, "--log", log, "--repo", tmp_path, "--json"))
    assert kept["job"]["status"] == "failed"
    assert kept["diagnosis"]["failure_id"] == "gpu.out_of_memory" or "memory" in kept["diagnosis"]["root_excerpt"]
    assert kept["metrics"]["step"] == 59
    assert kept["workload"]["batch_size"] == 16
    assert "1m 0s" in run("add", "77", "--name", "later")
    assert run("reindex").startswith("1 workload indexed (built-in)")
    assert json.loads(run("reindex", "--json"))["workloads"] == 1
    assert json.loads(run("show", "77", "--json"))["job"]["gpus"] == 2
    assert "no status gone" in run("add", "78", "--status", "gone", fails=True)


def test_add_takes_the_branch_from_the_code_and_says_what_is_odd(run, tmp_path):
    (tmp_path / "code" / ".git").mkdir(parents=True)
    (tmp_path / "code" / ".git" / "HEAD").write_text("ref: refs/heads/new-loss\n")
    (tmp_path / "code" / "train.py").write_text("print(1)\n")
    (tmp_path / "link").symlink_to(tmp_path / "code")
    words = ("add", "5", "--repo", tmp_path / "link", "--workdir", tmp_path / "link", "--command", "python train.py")
    kept = json.loads(run(*words, "--start", "200", "--end", "100", "--status", "completed", "--json"))
    assert kept["job"]["git_branch"] == "new-loss"
    assert kept["job"]["workdir"] == str((tmp_path / "code").resolve())
    assert kept["notes"] == ["ended 100 s before it started"]
    assert "ended 100 s before it started" in run("show", "5")
    assert json.loads(run("stats", "--json"))["odd"] == 1


def test_standard_input(run):
    assert "1 new" in run("import", "-", input=FILES["helios"])
