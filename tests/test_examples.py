"""The examples run as they stand in the documents."""

import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_readers_plug_into_another_loop(tmp_path):
    paths = os.pathsep.join([str(EXAMPLES.parent), *sys.path])
    answer = subprocess.run(
        [sys.executable, str(EXAMPLES / "plug_into_your_loop.py")], cwd=tmp_path,
        capture_output=True, text=True, check=True, timeout=120,
        env={**os.environ, "PYTHONPATH": paths, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert " of 40, loss " in answer.stdout
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"
    page = (EXAMPLES.parent / "docs" / "your-loop.md").read_text("utf-8")
    shown = page.split("```\n")[3].splitlines()
    assert steady(answer.stdout.splitlines()) == steady(shown), "docs/your-loop.md shows what it prints"


def steady(lines):
    """Leave out the lines that say how fast it went."""
    return [line for line in lines if " left" not in line]


def test_graphs_are_parts_of_somebody_elses():
    answer = subprocess.run(
        [sys.executable, str(EXAMPLES / "graphs" / "part_of_yours.py")],
        capture_output=True, text=True, check=True, timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(EXAMPLES.parent), *sys.path])},
    )  # fmt: skip
    assert answer.stdout.startswith("it died after step ")
    assert "torch.shape_mismatch (line 45): hold" in answer.stdout


def test_the_demos_pod_is_told_by_a_cluster_that_is_none():
    """`make demo` has no cluster: a small program answers in the place of kubectl's proxy."""
    paths = {"PYTHONPATH": os.pathsep.join([str(EXAMPLES.parent), *sys.path])}
    paths["PATH"] = os.pathsep.join([str(EXAMPLES / "cluster"), os.environ["PATH"]])
    answer = subprocess.run(
        [sys.executable, "-m", "schedmate", "diagnose", "--pod", "ml/llm-worker-2"],
        capture_output=True, text=True, check=True, timeout=120, env={**os.environ, **paths},
    )  # fmt: skip
    assert "exit.memory_limit" in answer.stdout
    assert "Reason: OOMKilled" in answer.stdout
