"""The examples run as they stand in the documents."""

import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_readers_plug_into_another_loop(tmp_path):
    paths = os.pathsep.join([str(EXAMPLES.parent), *sys.path])
    answer = subprocess.run(
        [sys.executable, str(EXAMPLES / "plug_into_your_loop.py"), str(tmp_path)],
        capture_output=True, text=True, check=True, timeout=120, env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert "ran to step 12 of 12" in answer.stdout
    assert "died of python.key_error: KeyError: 'linear'; next: hold" in answer.stdout
    assert sum(map(bool, (EXAMPLES / "plug_into_your_loop.py").read_text().splitlines())) <= 32


def test_graphs_are_parts_of_somebody_elses():
    answer = subprocess.run(
        [sys.executable, str(EXAMPLES / "graphs" / "part_of_yours.py")],
        capture_output=True, text=True, check=True, timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(EXAMPLES.parent), *sys.path])},
    )  # fmt: skip
    assert answer.stdout.startswith("it died after step ")
    assert "torch.shape_mismatch (line 45): hold" in answer.stdout
