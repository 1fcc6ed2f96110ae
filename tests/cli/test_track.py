"""`schedmate track` as a process: JSON lines in order, errors as one line, never a traceback."""

import json
import re
import subprocess
import sys

import pytest

from tests.cli.terminal import on_terminal


def run(*arguments, text=None):
    command = [sys.executable, "-m", "schedmate", "track", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, input=text, check=False)


def job(path, first):
    path.write_text(
        "".join(f"step {step}/50 loss {1 / step:.3f} {0.5:.3f} s/it\n" for step in range(first, 41)), "utf-8"
    )
    return path


FIELDS = {
    "log", "framework", "step_time_s", "throughput", "throughput_unit", "loss", "metrics", "step", "total_steps",
    "epoch", "total_epochs", "eta_s", "phase", "trend", "evidence", "confidence", "engine", "elapsed_s",
}  # fmt: skip


def test_json_is_one_line_a_log_in_input_order(tmp_path):
    logs = [job(tmp_path / name, first) for name, first in (("b.log", 1), ("a.log", 20))]
    (tmp_path / "empty.log").write_text("")
    answer = run("--json", "--engine", "built-in", *logs, tmp_path / "absent.log", tmp_path / "empty.log")
    rows = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [row["log"].rpartition("/")[2] for row in rows] == ["b.log", "a.log", "absent.log", "empty.log"]
    assert set(rows[0]) >= FIELDS
    assert rows[0]["step_time_s"] == 0.5
    assert rows[3]["step_time_s"] is None
    assert answer.returncode == 2
    assert "absent.log cannot be read" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_folder_stands_for_its_logs(tmp_path):
    for name, first in (("a.log", 1), ("b.log", 20)):
        job(tmp_path / name, first)
    (tmp_path / "train.py").write_text("import torch\n")
    answer = run("--json", "--engine", "built-in", tmp_path)
    rows = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [row["log"].rpartition("/")[2] for row in rows] == ["a.log", "b.log"]
    assert answer.returncode == 0


def test_a_table_for_people_and_standard_input(tmp_path):
    answer = run("-", "--engine", "built-in", text=job(tmp_path / "a.log", 1).read_text("utf-8"))
    assert answer.returncode == 0
    assert "500 ms" in answer.stdout
    assert "40/50" in answer.stdout


def test_the_trend_of_steady_steps_is_no_full_bar_and_tells_of_slower_ones(tmp_path):
    steady = run("-", "--engine", "built-in", text=job(tmp_path / "a.log", 1).read_text("utf-8")).stdout
    assert steady.count("█") < 12
    assert "────────────" in steady
    rows = "".join(f"step {n} loss {1 / n:.3f} {0.5 if n < 35 else 0.65:.3f} s/it\n" for n in range(1, 41))
    assert "⎻ +30%" in run("-", "--engine", "built-in", text=rows).stdout


@pytest.mark.parametrize("columns", [60, 80, 100, 140])
def test_a_job_stays_on_one_line_however_narrow_the_terminal(tmp_path, columns):
    folder = tmp_path / "a_folder_with_a_name_that_is_as_long_as_people_make_them"
    folder.mkdir()
    names = [f"llama3-8b-lr3e-4-warmup2000-seed{number}.log" for number in range(3)]
    for name in names:
        (folder / name).write_text("".join(f"step {step}/50000 loss 2.5 8.44 s/it\n" for step in range(1, 20)))
    shown = on_terminal(tmp_path, "track", *(folder / name for name in names), columns=columns)[1]
    lines = [re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() for line in shown.splitlines() if line.strip()]
    assert len(lines) == 1 + len(names), lines
    for number, line in enumerate(lines[1:]):
        assert len(line) <= columns
        assert f"seed{number}.log" in line
        assert "19/50000" in line
        assert "8.44 s" in line
