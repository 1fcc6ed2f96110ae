"""The command line as a user meets it: real processes, exit codes, what lands on which stream."""

import json
import os
import re
import subprocess
import sys

import pytest

from schedmate.cli import COMMANDS, make_app


@pytest.fixture
def run(tmp_path):
    def run(*arguments, **variables):
        return subprocess.run(
            [sys.executable, "-m", "schedmate", *arguments],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables},
            timeout=120,
            check=False,
        )

    return run


def test_help_lists_the_commands(run):
    answer = run("--help")
    assert answer.returncode == 0
    for command in ("config", "graph", "selftest"):
        assert command in answer.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_an_example_of_itself(name):
    (command,) = make_app(name).registered_commands
    assert f"\n$ schedmate {name}" in command.help or f" | schedmate {name}" in command.help
    for example in re.findall(r"^\$ (.*)", command.help, re.M):
        assert "schedmate " in example


def test_version(run):
    assert run("--version").stdout.startswith("schedmate ")


def test_a_known_error_is_one_line_and_a_hint(run):
    answer = run("graph", "nonsense")
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.splitlines()[0] == "error: there is no graph 'nonsense'"
    assert answer.stderr.splitlines()[1].startswith("hint: graphs: ")


def test_a_bad_setting_is_no_traceback(run):
    answer = run("config", SCHEDMATE_LLM_ATTEMPTS="none")
    assert answer.returncode == 2
    assert "llm_attempts" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_config_masks_secrets_and_names_sources(run):
    answer = run("config", "--json", SCHEDMATE_LLM_KEY="sk-very-secret")
    rows = {row["name"]: row for row in json.loads(answer.stdout)}
    assert "very-secret" not in answer.stdout
    assert rows["llm_key"]["value"] == "********"
    assert rows["llm_key"]["source"] == "environment variable SCHEDMATE_LLM_KEY"
    assert rows["embedder"]["source"] == "default"


def test_a_closed_pipe_is_quiet(tmp_path):
    answer = subprocess.run(
        ["sh", "-c", '"$0" -m schedmate config | head -c 1', sys.executable],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=120,
        check=False,
    )
    assert answer.stderr == ""
    assert len(answer.stdout) == 1


def test_help_imports_nothing_heavy(run):
    code = (
        "import sys, schedmate.cli\n"
        "heavy = {'langgraph', 'langchain_core', 'chromadb', 'numpy', 'pydantic', 'torch', 'rich', 'matplotlib'}\n"
        "print(sorted(heavy & {name.split('.')[0] for name in sys.modules}))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=120,
        check=True,
    )
    assert answer.stdout.strip() == "[]"
