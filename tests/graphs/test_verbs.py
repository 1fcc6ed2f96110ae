"""A graph answers as its verb does, also where what it is given is awkward."""

import asyncio
import time

import pytest

import schedmate
from schedmate.graphs import load_builder
from schedmate.history.database import open_database
from schedmate.history.jobs import add_jobs
from schedmate.schemas import Job, PastJob
from schedmate.settings import get_settings
from schedmate.tools.accounts import my_account

ROWS = "".join(f"step {step} loss {4 / step:.3f} time per iter: 0.25s\n" for step in range(1, 40))
TRAIN = """
import torch
model, steps = torch.nn.Linear(4, 2), 700
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(steps):
    model(torch.ones(4)).sum().backward()
    optimizer.step()
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("repo", "one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "repo" / "train.py").write_text(TRAIN)
    (tmp_path / "job.log").write_text(ROWS)
    (tmp_path / "empty.log").touch()
    for name, logs in {"one": ("rank_0.log", "rank_1.log"), "two": ("job-11.log", "job-12.log")}.items():
        for number, log in enumerate(logs):
            (tmp_path / name / log).write_text(f"{ROWS}ValueError: no {number}\n")
    return tmp_path


def remember(site):
    """Have the job run before, by who asks now."""
    day_before_s = time.time() - 86_400
    asked = Job(job_id="j1", user=my_account(), command="python train.py", workdir=site / "repo", submit_s=day_before_s)
    past = PastJob(job=asked.model_copy(update={"status": "completed"}), ran_s=2400.0)
    connection = open_database(get_settings().data_dir)
    add_jobs(connection, [past])
    connection.close()


def unlike_each_time(value):
    """Leave out what takes another time each time."""
    if isinstance(value, dict):
        return {name: unlike_each_time(one) for name, one in value.items() if name != "elapsed_s"}
    return value


ASKED = [
    ("track", "metrics", {"path": "job.log", "command": "python train.py --max-steps 500"}),
    ("track", "metrics", {"path": "job.log", "command": "python train.py", "repo": "repo"}),
    ("diagnose", "diagnosis", {"path": "empty.log", "exited": "137"}),
    ("diagnose", "diagnosis", {"path": "one"}),
    ("diagnose", "diagnosis", {"path": "two", "one_job": True}),
    ("extract", "extraction", {"repo": "repo", "command": "python train.py --name \udcff"}),
    ("classify", "classification", {"path": "job.log"}),
    ("advise", "estimate", {"repo": "repo", "command": "python train.py"}),
]


@pytest.mark.parametrize(("name", "key", "given"), ASKED)
def test_a_graph_answers_as_its_verb_does(site, name, key, given):
    remember(site)
    place, *rest = given.values()
    named = dict(zip([*given][1:], rest, strict=True))
    said = getattr(schedmate, name)(place, **named, engine="built-in").model_dump(mode="json")
    final = asyncio.run(load_builder(name)().ainvoke(given, context={"engine": "built-in"}))
    assert unlike_each_time(final[key]) == unlike_each_time(said)


def test_what_is_given_beside_the_log_is_used(site):
    remember(site)
    assert schedmate.track("job.log", command="python train.py --max-steps 500").total_steps == 500
    assert schedmate.track("job.log", command="python train.py", repo="repo").total_steps == 700
    assert schedmate.diagnose("empty.log", exited="137").notes[0] == "the log is empty"
    assert schedmate.diagnose("one").jobs_in_folder == 1
    found = schedmate.advise("repo", command="python train.py")
    assert (found.source, found.duration_p50_s) == ("resubmission", 2400.0)
