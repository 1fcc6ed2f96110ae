"""What `schedmate diagnose` prints and returns, whatever it is given."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app

OOM = (
    "step 1 loss 2.0\nRuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 79.15 GiB total capacity)\n"
)
XID = (
    "step 1 loss 2.0\n"
    "May  1 12:00:00 gpu17 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\n"
)
OWN = "step 1 loss 2.0\nslurmstepd: error: Detected 1 oom_kill event in StepId=4711.batch.\n"
FIELDS = {
    *("log", "category", "subcategory", "failure_id", "root_line", "root_excerpt", "faulty_components"),
    *("should_restart", "confidence", "engine", "attempts", "last_progress_line", "fallout_lines", "evidence"),
    *("explanation", "actions", "read_fraction", "elapsed_s"),
}


def run(*arguments, **options):
    return CliRunner().invoke(make_app(), ["diagnose", *map(str, arguments)], **options)


@pytest.fixture
def logs(tmp_path):
    for name, text in {"oom": OOM, "xid": XID, "own": OWN, "empty": ""}.items():
        (tmp_path / f"{name}.log").write_text(text)
    return tmp_path


def test_json_has_the_promised_fields(logs):
    result = run(logs / "xid.log", "--json")
    record = json.loads(result.stdout)
    assert set(record) >= FIELDS
    assert (record["category"], record["subcategory"], record["root_line"]) == ("infrastructure", "gpu", 2)
    assert result.exit_code == 0


def test_several_jobs_keep_their_order_and_a_bad_one_stops_none(logs):
    paths = [logs / "oom.log", logs / "empty.log", logs / "xid.log", logs / "absent.log", logs / "oom.log"]
    result = run(*paths, "--json")
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record["log"] for record in records] == [str(path) for path in paths]
    assert ["error" in record for record in records] == [False, True, False, True, False]
    assert result.exit_code == 2


@pytest.mark.parametrize(("name", "code"), [("xid", 81), ("oom", 82), ("own", 85)])
def test_exit_codes_tell_the_class(logs, name, code):
    assert run(logs / f"{name}.log", "--exit-code").exit_code == code
    assert run(logs / f"{name}.log").exit_code == 0


def test_the_page_says_the_verdict_first_and_takes_markup_for_text(logs):
    (logs / "odd.log").write_text(
        'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: [bold]x[/]\n'
    )
    result = run(logs / "odd.log")
    assert result.stdout.splitlines()[1].startswith("SCRIPT")
    assert "ValueError: [bold]x[/]" in result.stdout


def test_standard_input(logs):
    assert json.loads(run("-", "--json", input=XID).stdout)["failure_id"] == "gpu.xid_79"


def test_a_script_error_points_into_the_repository(logs):
    (logs / "repo/pkg").mkdir(parents=True)
    (logs / "repo/pkg/feed.py").write_text("import os\nraise Hungry('x')\n")
    (logs / "user.log").write_text(
        'Traceback (most recent call last):\n  File "/home/jd/run7/pkg/feed.py", line 2, in feed\nzoo.Hungry: x\n'
    )
    record = json.loads(run(logs / "user.log", "--repo", logs / "repo", "--json").stdout)
    assert {"path": "pkg/feed.py", "line": 2, "quote": "raise Hungry('x')", "note": "your code, in feed"} in record[
        "evidence"
    ]


def test_the_papers_locator_finds_a_plain_failure(logs):
    body = "".join(f"epoch 1 step {step} loss 2.{step}\n" for step in range(300))
    (logs / "long.log").write_text(body + OOM * 20)
    record = json.loads(run(logs / "long.log", "--locator", "paper", "--json").stdout)
    assert record["category"] == "framework"
    assert 300 <= record["root_line"] <= 340


@pytest.mark.parametrize("kind", ["fifo", "folder", "loop", "device", "binary", "nul"])
def test_bad_input_is_one_line_and_exit_2(tmp_path, kind):
    path = tmp_path / kind
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "binary":
        path.write_bytes(bytes(range(256)) * 300)
    elif kind == "nul":
        path.write_bytes(bytes(4096))
    result = run("/dev/zero" if kind == "device" else path)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.output


def test_a_folder_of_several_jobs_gets_one_answer_each(tmp_path):
    for number, text in enumerate((OOM, XID, "step 1 loss 2.0\n"), 48211):
        (tmp_path / f"slurm-{number}.out").write_text(text)
    records = [json.loads(line) for line in run(tmp_path, "--json").stdout.splitlines()]
    assert [record["category"] for record in records] == ["framework", "infrastructure", "none"]
    assert [record["log"] for record in records] == [str(tmp_path / f"slurm-{n}.out") for n in (48211, 48212, 48213)]
    assert {(record["jobs_in_folder"], record["notes"][0]) for record in records} == {
        (3, f"one of 3 jobs whose logs lie in {tmp_path}, by their job ids")
    }
    page = run(tmp_path).stdout
    assert page.count("one of 3 jobs") == 3
    assert "rank 4821" not in page
    together = [json.loads(line) for line in run(tmp_path, "--json", "--one-job").stdout.splitlines()]
    assert [len(one["logs"]) for one in together] == [3]
    assert "contradict" in str(run(tmp_path, "--one-job", "--each").exception)


def test_a_guess_is_called_one_and_can_be_overruled(tmp_path):
    for number in range(2):
        (tmp_path / f"a_{number}.log").write_text("step 1 loss 2.0\n" + OOM * number)
    [guess] = [json.loads(line) for line in run(tmp_path, "--json").stdout.splitlines()]
    assert "taken for one job's by their numbers alone; --each" in guess["notes"][0]
    assert len(run(tmp_path, "--json", "--each").stdout.splitlines()) == 2
    assert len(run(tmp_path / "a_0.log", tmp_path / "a_1.log", "--json").stdout.splitlines()) == 2
    assert len(run(tmp_path / "a_0.log", tmp_path / "a_1.log", "--json", "--one-job").stdout.splitlines()) == 1


def test_hostile_logs_get_an_honest_answer(tmp_path):
    hostile = {
        "heads": b"Traceback (most recent call last):\n" * 3000,
        "escapes": b"\x1b[" * 50_000 + b"\nerror: " + b"(" * 50_000,
        "holes": bytes(300_000) + b"ValueError: x\n",
        "returns": b"".join(b"\r%d%%|#| %d/9 [0" % (i, i) for i in range(9000)),
        "line": b"x error " * 100_000,
        "prefixes": b"[rank1]: " * 9000,
    }
    for name, data in hostile.items():
        (tmp_path / name).write_bytes(data)
        result = run(tmp_path / name, "--json")
        assert result.exit_code == 0, name
        json.loads(result.stdout)


def test_what_a_person_says_is_printed_with_its_own_plan_kept_and_taken_back(logs):
    page = run(logs / "xid.log", "--remember", "script").stdout
    assert page.splitlines()[1].startswith("SCRIPT")
    assert "isolate" not in page
    assert "kept as memory 1" in page
    assert json.loads(run(logs / "xid.log", "--json").stdout)["category"] == "script"
    listed = CliRunner().invoke(make_app(), ["remember", "list", "--json"]).stdout
    assert {key: json.loads(listed)[key] for key in ("number", "class", "failure_id")} == {
        "number": 1,
        "class": "script",
        "failure_id": "gpu.xid_79",
    }
    assert "forgotten: 1" in CliRunner().invoke(make_app(), ["remember", "forget", "1"]).stdout
    assert "nothing is remembered" in CliRunner().invoke(make_app(), ["remember", "list"]).stdout
    assert "no memory 1" in str(CliRunner().invoke(make_app(), ["remember", "forget", "1"]).exception)
    assert json.loads(run(logs / "xid.log", "--json").stdout)["category"] == "infrastructure"


def test_the_readmes_picture_is_what_is_printed():
    root = Path(__file__).parents[2]
    picture = (root / "README.md").read_text("utf-8").split("$ schedmate diagnose")[1].split("```")[0]
    shown = run(root / "examples" / "logs" / "pretrain_64gpu.log").stdout
    for line in picture.splitlines():
        if line.startswith("│"):
            assert line.strip("│ ") in shown, "the README shows another verdict"
    assert "First fault  line 318" in shown


def test_explain_tells_who_chose_the_line_and_what_was_made_of_the_others(logs):
    result = run(logs / "xid.log", "--explain")
    assert "chosen by firm cause: the earliest of the loudest causes" in result.stdout
    trail = json.loads(run(logs / "xid.log", "--explain", "--json").stdout)["trail"]
    assert [(move["rule"], move["line"]) for move in trail["moves"]] == [("firm cause", 2)]
    assert [(one["line"], one["failure_id"]) for one in trail["weighed"]] == [(2, "gpu.xid_79")]
    assert "trail" not in json.loads(run(logs / "xid.log", "--json").stdout)
