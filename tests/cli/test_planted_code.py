"""Whoever stands in a hostile folder runs none of its code: modules of Python's and of others' names lie all around."""

import ast
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import schedmate
from schedmate.tools.python_children import safe_path
from tests.cli.test_simulate import ROWS
from tests.scheduling.live.up_process import Up

OTHERS = ("numpy", "pydantic", "typer", "rich", "yaml", "httpx", "re2", "chromadb", "sitecustomize", "tests")
LOADED = "import sys; print(*sys.modules)"
BROKEN = "Traceback (most recent call last):\n  File \"train.py\", line 3\nKeyError: 'lr'\n"
COMMANDS = [
    "diagnose a.log --repo .",
    "diagnose a.log b.log",
    "track a.log",
    "classify a.log",
    "anonymize a.log",
    "extract . --command 'python train.py'",
    "advise . --command 'python train.py'",
    "simulate --trace jobs.csv --nodes 2x4 --policy fifo,sjf --workers 2",
    "trace describe jobs.csv",
    "history add 1 --name a --repo . --command 'python train.py'",
    "history list",
    "history reindex",
    "submit -- true",
    "jobs",
    "actions",
    "config",
    "graph",
    "selftest",
]


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """A working directory in which nearly every name that Python could look for is a module that tells on itself."""
    there = tmp_path / "there"
    there.mkdir()
    at_start = subprocess.run([sys.executable, "-I", "-c", LOADED], capture_output=True, text=True).stdout.split()
    body = f"open({str(tmp_path / 'ran')!r}, 'a').write(__name__ + '\\n')\n"
    for name in {*sys.stdlib_module_names, *OTHERS} - {*at_start, *sys.builtin_module_names}:
        (there / f"{name}.py").write_text(body)
    (there / ".env").write_text("CHROMA_API_IMPL=queue.Queue\nCHROMA_PRODUCT_TELEMETRY_IMPL=queue.Queue\n")
    (there / "a.log").write_text("step 1/5 loss 2.0\n" * 5 + BROKEN)
    (there / "b.log").write_text("step 1/5 loss 2.0\n" * 5 + BROKEN)
    (there / "train.py").write_text("import torch\nfor epoch in range(3):\n    pass\n")
    (there / "jobs.csv").write_text(ROWS)
    monkeypatch.chdir(there)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    return tmp_path / "ran"


def test_the_trap_works(planted):
    subprocess.run([sys.executable, "-c", "import queue"], check=True)
    assert planted.read_text() == "queue\n"


def program(folder):
    """Write the command as pip does: `python -m` has looked around itself before any of our code runs."""
    script = folder / "schedmate"
    script.write_text("from schedmate.cli import main\nif __name__ == '__main__':\n    main()\n")
    return [sys.executable, str(script)]


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: line.split()[0])
def test_no_command_runs_what_lies_in_the_working_directory(planted, line):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(os.path.isabs, sys.path))}
    command = [*program(planted.parent), *shlex.split(line)]
    answer = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert not planted.exists(), planted.read_text()
    assert "Traceback" not in answer.stderr, answer.stderr
    assert answer.returncode < 2, answer.stderr


def test_neither_the_loop_nor_its_helpers_do(planted, tmp_path):
    up = Up(tmp_path / "up", "--slots", "cpu=1")
    up.program = program(tmp_path)
    try:
        up.start()
        job = up.submit("raise KeyError('lr')")
        up.until(lambda: up.store.job(job).diagnosis)
    finally:
        up.close()
    assert not planted.exists(), planted.read_text()


def test_the_working_directory_is_taken_off_the_path_of_children(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ":lib:/opt/site:.")
    assert safe_path() == {"PYTHONSAFEPATH": "1", "PYTHONPATH": "/opt/site"}


def test_one_file_alone_starts_python():
    """No other names the interpreter, `multiprocessing` or a pool of processes."""
    root, found = Path(schedmate.__file__).parent, set()
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            imports = isinstance(node, ast.Import | ast.ImportFrom) and {
                getattr(node, "module", ""), *(alias.name for alias in node.names)
            }  # fmt: skip
            names_it = isinstance(node, ast.Attribute) and node.attr == "executable"
            if names_it or (imports and imports & {"multiprocessing", "ProcessPoolExecutor"}):
                found.add(str(path.relative_to(root)))
    assert found == {"tools/python_children.py"}
