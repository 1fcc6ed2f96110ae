"""How jobs ended that the controller has forgotten: the accounting knows, and a log's name says which is meant."""

import os

import pytest

from schedmate.clusters.log_ends import LogEnd
from schedmate.clusters.slurm.commands import Commands
from schedmate.clusters.slurm.past_ends import ends_by_name

SACCT = """#!/usr/bin/env python3
import os, sys
words = dict(word.split("=", 1) for word in sys.argv if "=" in word)
rows = {
    "14": ("14", "14", "COMPLETED", "0:0", "1000", "2000", "gpu1", "None", str(os.getuid())),
    "15": ("15", "15", "FAILED", "1:0", "1000", "2000", "gpu1", "None", str(os.getuid())),
    "16": ("16", "16", "CANCELLED by 0", "0:15", "1000", "2000", "gpu1", "None", str(os.getuid())),
    "17_3": ("17_3", "21", "NODE_FAIL", "0:0", "1000", "2000", "gpu1", "None", str(os.getuid())),
    "18": ("18", "18", "RUNNING", "0:0", "1000", "Unknown", "gpu1", "None", str(os.getuid())),
}
for name in words["--jobs"].split(","):
    if name in rows:
        print(words["--delimiter"].join((*rows[name], "")))
"""


@pytest.fixture
def commands(tmp_path, monkeypatch):
    program = tmp_path / "bin" / "sacct"
    program.parent.mkdir()
    program.write_text(SACCT)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return Commands()


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("slurm-14.out", LogEnd("COMPLETED 0", True)),
        ("train.e15", LogEnd("FAILED 1")),
        ("llm7-16.log", LogEnd("CANCELLED -15", False, True)),
        ("slurm-17_3.out", LogEnd("NODE_FAIL 0")),
        ("slurm-18.out", None),
        ("slurm-99.out", None),
        ("train.log", None),
    ],
)
def test_the_number_in_a_name_says_whose_log_it_is(commands, tmp_path, name, end):
    path = tmp_path / name
    path.write_text("step 3\n")
    os.utime(path, (1990, 1990))
    assert ends_by_name(commands, [str(path)]).get(str(path)) == end


@pytest.mark.parametrize("written_s", [900, 3000])
def test_a_log_that_was_written_when_the_job_did_not_run_is_not_its(commands, tmp_path, written_s):
    path = tmp_path / "slurm-14.out"
    path.write_text("step 3\n")
    os.utime(path, (written_s, written_s))
    assert ends_by_name(commands, [str(path)]) == {}
