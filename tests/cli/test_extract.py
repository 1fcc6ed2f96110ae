"""`schedmate extract` as it is typed: card, JSON, batch, trace, errors."""

import json
import re

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app
from schedmate.errors import InputError
from tests.scripted_server import ScriptedServer, calls, says

TRAIN = """\
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--epochs", type=int, default=5)
args = parser.parse_args()
model = torch.nn.Linear(4, 4).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
for epoch in range(args.epochs):
    model(torch.zeros(4)).sum().backward()
    optimizer.step()
"""
NAMES = """is_training, model_name, model_type, param_size, task, task_fine, dataset_name, framework, distributed,
num_gpus, num_nodes, batch_size, global_batch_size, epochs, total_steps, learning_rate, optimizer, precision, hardware,
extra, evidence, files_read, tokens_read, model_calls, engine, elapsed_s"""


@pytest.fixture
def repo(tmp_path):
    root = tmp_path / "job"
    root.mkdir()
    (root / "train.py").write_text(TRAIN)
    (root / "run.sh").write_text("python train.py --lr 0.3\n")
    return root


def run(*arguments, stdin=None):
    return CliRunner().invoke(make_app(), ["extract", *map(str, arguments)], input=stdin, catch_exceptions=False)


def test_card_names_each_place_and_what_is_unknown(repo):
    answer = run(repo, "--command", "python train.py --lr 0.2")
    assert answer.exit_code == 0
    assert re.search(r"learning rate +0\.2 +command +--lr 0\.2", answer.stdout)
    assert re.search(r"optimizer +Adam +train\.py:8 +optimizer = torch\.optim\.Adam", answer.stdout)
    assert re.search(r"data +unknown +settled by", answer.stdout)
    assert "read 1 file, " in answer.stdout


def test_card_names_what_an_open_field_hangs_on(repo):
    answer = run(repo, "--command", "torchrun --nnodes=$NODES --nproc_per_node=8 train.py --epochs ${EPOCHS}")
    assert re.search(r"epochs +unknown +\$\{EPOCHS\} is not set here", answer.stdout)
    assert re.search(r"nodes +unknown +\$\{NODES\} is settled when the job starts", answer.stdout)
    assert "is open" not in answer.stdout


def test_card_of_a_command_that_trains_nothing_is_short(repo):
    answer = run(repo, "--command", "pytest -q")
    assert re.search(r"trains +no +command", answer.stdout)
    assert "unknown" not in answer.stdout


def test_json_has_every_name_that_is_promised(repo):
    answer = run(repo, "--command", "python train.py", "--json")
    record = json.loads(answer.stdout)
    assert set(NAMES.replace("\n", " ").split(", ")) - set(record) == set()
    assert record["learning_rate"] == 0.1
    assert record["evidence"]["epochs"][0] == {
        "path": "train.py",
        "line": 5,
        "quote": 'parser.add_argument("--epochs", type=int, default=5)',
        "note": "",
    }
    assert record["files_read"] == ["train.py"]


def test_without_a_command_the_likeliest_is_read_and_the_others_are_listed(repo):
    answer = run(repo)
    assert "no command was given: read '" in answer.stdout
    assert "python train.py" in answer.stdout
    assert "bash run.sh" in answer.stdout


def test_trace_is_shown_aside_and_saved(repo, tmp_path):
    saved = tmp_path / "trace.json"
    answer = run(repo, "--command", "bash run.sh", "--json", "--trace", "--save-trace", saved)
    assert json.loads(answer.stdout)["learning_rate"] == 0.3
    assert [line.split()[:2] for line in answer.stderr.splitlines()] == [
        ["file_read", "run.sh"],
        ["file_read", "train.py"],
    ]
    record = json.loads(saved.read_text())
    assert [step["asked"] for step in record["steps"]] == ["run.sh", "train.py"]
    assert record["answer"]["optimizer"] == "Adam"


def test_many_jobs_come_out_in_the_order_they_went_in(repo, tmp_path):
    jobs = [{"repo": str(repo), "command": f"python train.py --epochs {number}"} for number in range(1, 12)]
    jobs.insert(3, {"repo": str(tmp_path / "absent"), "command": "python x.py"})
    path = tmp_path / "jobs.jsonl"
    path.write_text("\n".join(json.dumps(job) for job in jobs) + "\n\n")
    answer = run("--jobs", path, "--json")
    records = [json.loads(line) for line in answer.stdout.splitlines()]
    assert answer.exit_code == 2
    assert [record.get("epochs") for record in records] == [1, 2, 3, None, *range(4, 12)]
    assert "does not exist" in records[3]["error"]
    assert "absent" in answer.stderr


def test_jobs_are_read_from_a_pipe(repo):
    answer = run(
        "--jobs", "-", "--json", stdin=json.dumps({"repo": str(repo), "workdir": ".", "command": "bash run.sh"})
    )
    assert json.loads(answer.stdout)["learning_rate"] == 0.3


@pytest.mark.parametrize("line", ["{", "[]", '{"command": "python a.py"}', '{"repo": 5}'])
def test_a_bad_line_names_itself(tmp_path, line):
    path = tmp_path / "jobs.jsonl"
    path.write_text(line)
    with pytest.raises(InputError, match="jobs.jsonl:1"):
        run("--jobs", path)


@pytest.mark.parametrize("arguments", [[], ["--jobs", "absent.jsonl"], ["absent"], [".", "--replay", "absent.json"]])
def test_errors_are_known_ones(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as raised:
        run(*arguments)
    assert raised.value.hint


def test_a_saved_exploration_speaks_again(repo, tmp_path, monkeypatch):
    (repo / "notes.txt").write_text("we train on CIFAR-10\n")
    found = {"field": "dataset_name", "value": "CIFAR-10", "path": "notes.txt", "line": 1, "quote": ""}
    saved = tmp_path / "trace.json"
    with ScriptedServer([calls("file_read", path="notes.txt"), says("DONE"), says({"claims": [found]})]) as server:
        monkeypatch.setenv("SCHEDMATE_LLM_URL", server.url)
        first = run(repo, "--command", "bash run.sh", "--json", "--save-trace", saved)
        monkeypatch.delenv("SCHEDMATE_LLM_URL")
    assert json.loads(first.stdout)["dataset_name"] == "CIFAR-10"
    again = json.loads(run(repo, "--command", "bash run.sh", "--json", "--replay", saved).stdout)
    assert again["dataset_name"] == "CIFAR-10"
    assert again["engine"] == "both"
    assert again["model_calls"] == 3


def test_explain_says_who_proposed_a_value(repo):
    result = run(repo, "--command", "python train.py --lr 0.3", "--explain", "learning_rate")
    assert result.exit_code == 0
    kept = result.stdout.splitlines()
    assert kept[0].startswith("learning_rate = 0.3 ")
    assert "calls on the path, seen" in kept[0]
    assert kept[1].strip() == "command  --lr 0.3"


def test_explain_knows_the_fields(repo):
    with pytest.raises(InputError, match="no field of a job"):
        run(repo, "--command", "python train.py", "--explain", "colour")


def test_a_program_that_is_not_there_is_told_before_all_that_is_unknown(repo):
    shown = run(repo, "--command", "python missing.py --lr 0.2").stdout
    assert 0 < shown.index("missing.py was not found in the repository") < shown.index("unknown")
    assert shown.count("was not found") == 1
