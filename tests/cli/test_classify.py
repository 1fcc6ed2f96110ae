"""`schedmate classify` as a user runs it."""

import gzip
import json
import subprocess
import sys

STEPS = [f"step {step} loss 0.{step} lr 0.1" for step in range(50)]
ROWS = ["Traceback (most recent call last):", "KeyError: 'x'", *STEPS]


def run(*arguments, **how):
    command = [sys.executable, "-m", "schedmate", "classify", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **how)


def test_page(tmp_path):
    (tmp_path / "a.log").write_text("\n".join([*ROWS, "[bold]not markup[/bold]"]))
    answer = run(tmp_path / "a.log")
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr == ""
    assert "50 x" in answer.stdout
    assert "line 2" in answer.stdout
    assert "[bold]not markup[/bold]" in answer.stdout
    assert "53 lines" in answer.stdout


def test_json_of_a_packed_log_and_of_a_pipe(tmp_path):
    (tmp_path / "a.log.gz").write_bytes(gzip.compress("\n".join(ROWS).encode()))
    packed = json.loads(run(tmp_path / "a.log.gz", "--json").stdout)
    piped = json.loads(run("-", "--json", input="\n".join(ROWS)).stdout)
    assert packed["counts"]["progress"] == piped["counts"]["progress"] == 50
    assert packed["counts"]["error"] == 2
    assert packed["statements"][0]["line"] == 3


def test_known_errors_are_one_line(tmp_path):
    for arguments in ((tmp_path / "none.log",), (tmp_path,)):
        answer = run(*arguments)
        assert answer.returncode == 2
        assert answer.stderr.startswith("error: ")
        assert "Traceback" not in answer.stderr
    (tmp_path / "a.log").write_text("x")
    answer = run(tmp_path / "a.log", "--engine", "model")
    assert answer.returncode == 2
    assert "SCHEDMATE_LLM_URL" in answer.stderr
