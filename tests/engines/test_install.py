"""The wheel as others get it: installed by an old pip and by the newest, whole and lean, and used from elsewhere.

`make test-install` runs this. It needs a package index and some minutes; each install is thrown away.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engines.lean import LEAN

ROOT = Path(__file__).parent.parent.parent
OLD_PIP = "pip==23.0.1"
"""Debian 12's own, which searches long where a range leaves it much to search."""
LIMIT_S = 600
"""Only catches what does not end."""
LEAN_MIB = 60

pytestmark = [
    pytest.mark.install,
    pytest.mark.skipif("INSTALL_TEST" not in os.environ, reason="needs a package index and minutes: make test-install"),
]


def run(*command, cwd, **more):
    answer = subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=LIMIT_S, check=False, **more
    )
    assert answer.returncode == 0, answer.stdout[-2000:] + answer.stderr[-2000:]
    return answer.stdout


def environment(folder, pip):
    run(sys.executable, "-m", "venv", folder, cwd=folder.parent)
    run(folder / "bin/python", "-m", "pip", "install", "--quiet", "--upgrade", pip, cwd=folder.parent)
    return folder / "bin"


def size_mib(bin_folder):
    """What the packages take, the environment's own pip aside."""
    site = next(bin_folder.parent.glob("lib/python*/site-packages"))
    ours = [file for file in site.rglob("*") if file.is_file() and file.relative_to(site).parts[0][:3] != "pip"]
    return sum(file.stat().st_size for file in ours) / 2**20


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT, cwd=folder)
    return next(folder.glob("schedmate-*.whl"))


@pytest.mark.parametrize("pip", [OLD_PIP, "pip"])
def test_the_wheel_installs_whole_and_answers(wheel, pip, tmp_path, capsys):
    tools = environment(tmp_path / "whole", pip)
    run(tools / "python", "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    told = json.loads(run(tools / "schedmate", "diagnose", ROOT / "examples/logs/user_bug.log", "--json", cwd=tmp_path))
    assert told["category"] == "script"
    with capsys.disabled():
        print(f"\n{pip}: {size_mib(tools):.0f} MiB installed")


def test_the_readers_alone_are_small_and_answer(wheel, tmp_path, capsys):
    tools = environment(tmp_path / "lean", "pip")
    run(tools / "python", "-m", "pip", "install", "--quiet", "--no-deps", wheel, cwd=tmp_path)
    run(tools / "python", "-m", "pip", "install", "--quiet", *LEAN, cwd=tmp_path)
    logs = ROOT / "examples" / "logs"
    assert json.loads(run(tools / "schedmate", "diagnose", logs / "user_bug.log", "--json", cwd=tmp_path))["category"]
    assert json.loads(run(tools / "schedmate", "track", logs / "finetune_running.log", "--json", cwd=tmp_path))["step"]
    repo = ROOT / "examples" / "repo"
    assert json.loads(run(tools / "schedmate", "extract", repo, "--json", cwd=tmp_path))["is_training"]
    assert run(tools / "schedmate", "anonymize", logs / "user_bug.log", cwd=tmp_path)
    size = size_mib(tools)
    with capsys.disabled():
        print(f"\nreaders alone: {size:.0f} MiB installed")
    assert size < LEAN_MIB
