"""Silence is counted without labels, and what a change of the reader changes is shown."""

import csv
import json
from argparse import ArgumentParser

from evals.silence import add_arguments, run

TRAIN = """
import torch
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr={rate})
for step in range(9):
    model(torch.zeros(1, 4)).sum().backward()
    optimizer.step()
"""


def tables(*words):
    parser = ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args([str(word) for word in words])).tables


def test_jobs_that_train_and_what_is_said_of_them_are_counted_and_changes_shown(tmp_path):
    for name, text in (("us+fit", TRAIN.format(rate=0.1)), ("us+show", "print(1)\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.py").write_text(text)
    jobs, saved = tmp_path / "jobs.csv", tmp_path / "said.jsonl"
    with jobs.open("w", newline="") as file:
        csv.writer(file).writerows(
            [["repo", "command"], *([f"us/{name}", "python main.py"] for name in ("fit", "show"))]
        )
    (told,) = tables(jobs, "--repos", tmp_path, "--save", saved)
    rows = {row[0]: row[1:3] for row in told.rows}
    assert rows["jobs that train"] == [1, 2]
    assert rows["learning_rate"] == [1, 1]
    assert rows["epochs"] == [0, 1]
    assert json.loads(saved.read_text().splitlines()[0])["total_steps"] == 9
    (tmp_path / "us+fit" / "main.py").write_text(TRAIN.format(rate=0.2))
    _, changed = tables(jobs, "--repos", tmp_path, "--before", saved)
    assert [tuple(row) for row in changed.rows] == [("us/fit", "python main.py", "learning_rate", "0.1", "0.2")]
