"""Many jobs at once: a table first, what was not read in one line, names that tell the jobs apart."""

import json
import os
import re
import subprocess
import sys

import pytest

from tests.cli.terminal import on_terminal

STEPS = "".join(f"step {step}/500 loss 2.{step}\n" for step in range(10, 60, 10))
ENDS = {
    "slurm-11.out": "KeyError: 'lr'\n",
    "slurm-12.out": "slurmstepd: error: *** JOB 12 ON n02 CANCELLED AT 2026-03-01T23:00:00 ***\n",
    "slurm-13.out": "May  1 12:00:00 gpu17 kernel: NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\n",
    "slurm-14.out": "",
    "slurm-15.out": "Training finished in 0:30:00\n",
}


def diagnose(*words):
    command = [sys.executable, "-m", "schedmate", "diagnose", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def folder(tmp_path):
    for name, end in ENDS.items():
        (tmp_path / name).write_text(STEPS + end)
    return tmp_path


def test_many_jobs_get_a_table_with_the_worst_first(folder):
    lines = diagnose(folder).stdout.splitlines()
    assert lines[0].split() == ["job", "class", "failure", "faulty", "do"]
    assert [line.split()[0] for line in lines[1:6]] == [f"slurm-{n}.out" for n in (13, 11, 12, 14, 15)]
    assert "gpu.xid_79" in lines[1]
    assert "gpu17" in lines[1]
    assert lines[3].rstrip().endswith("tell its owner")
    assert "end not known" in lines[4]
    assert lines[6].startswith("5 jobs: 1 infrastructure, 1 script, 1 other, 1 end not known, 1 no failure; --cards")
    assert not any("Why" in line for line in lines)


def test_cards_follow_the_table_where_they_are_wanted_or_few(folder):
    many = diagnose(folder, "--cards").stdout
    assert many.count("\nWhy\n") == 5
    assert "--cards" not in many
    few = diagnose(folder / "slurm-11.out", folder / "slurm-13.out").stdout
    assert few.startswith("job ")
    assert few.count("\nWhy\n") == 2
    assert diagnose(folder / "slurm-11.out").stdout.count("slurm-11.out") == 1


def test_exit_codes_and_json_do_not_know_of_the_table(folder):
    answer = diagnose(folder, "--json", "--exit-code")
    assert [json.loads(line)["category"] for line in answer.stdout.splitlines()] == [
        "script", "other", "infrastructure", "none", "none",
    ]  # fmt: skip
    assert answer.returncode == diagnose(folder, "--exit-code").returncode == 83


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_each_job_stays_on_one_line_of_the_terminal(folder, columns):
    (folder / f"slurm-16_{'x' * 70}.out").write_text(STEPS + ENDS["slurm-13.out"])
    _, shown = on_terminal(folder, "diagnose", ".", columns=columns)
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).replace("\r", "\n").splitlines()
    table = [line for line in lines if line.startswith(("slurm-", "…"))]
    assert len(table) == 6
    assert max(map(len, table)) <= columns


def test_what_is_not_read_is_said_in_one_line(folder):
    (folder / "slurm-99.out").touch()
    (folder / "slurm-11.err").touch()
    (folder / "weights.bin").write_bytes(bytes(range(256)))
    (folder / "README.md").write_text("x")
    os.mkfifo(folder / "pipe.log")
    for answer in (diagnose(folder, "--json"), diagnose(folder)):
        assert answer.returncode == 0
        assert answer.stderr == "2 not read: slurm-99.out is empty, weights.bin bears no log's name\n"
    assert len(diagnose(folder, "--json").stdout.splitlines()) == 5


def test_jobs_of_several_logs_bear_names_of_their_own(tmp_path):
    for number, name in enumerate(("alpha", "beta", "gamma"), 7001):
        (tmp_path / f"{name}.log").write_text(f"SLURM_JOB_ID={number}\n{STEPS}")
        (tmp_path / f"slurm-{number}.out").write_text(STEPS)
    names = [json.loads(line)["log"] for line in diagnose(tmp_path, "--json").stdout.splitlines()]
    assert names == [f"{tmp_path}/* (job {number})" for number in (7001, 7002, 7003)]


def test_a_folder_that_two_jobs_share_names_neither(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "slurm-5.out").write_text(STEPS)
    for name in ("slurm-6.out", "slurm-6.err", "slurm-7.out", "slurm-7.err"):
        (tmp_path / "a" / name).write_text(STEPS)
    names = [json.loads(line)["log"] for line in diagnose(tmp_path, "--json").stdout.splitlines()]
    assert names == [f"{tmp_path}/a/slurm-6.*", f"{tmp_path}/a/slurm-7.*", f"{tmp_path}/slurm-5.out"]


def test_the_one_job_that_could_be_read_among_many_is_shown_whole(tmp_path):
    well = tmp_path / "ok.log"
    well.write_text(STEPS + "KeyError: 'lr'\n")
    blank = [tmp_path / f"blank-{number}.log" for number in range(4)]
    for path in blank:
        path.write_text("")
    shown = diagnose(*blank, well)
    assert shown.returncode == 2
    assert "python.key_error" in shown.stdout
    assert "First fault" in shown.stdout
