"""What the README says is true: its commands run, its targets, files and folders exist."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from schedmate.cli import COMMANDS as COMMANDS_THERE_ARE
from schedmate.cli import GROUPS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def shell_lines(text):
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        yield from (line for line in block.splitlines() if line and not line.startswith("#"))


COMMANDS = list(shell_lines(README))
MODULES = sorted(
    {
        found
        for document in DOCUMENTS
        for found in re.findall(r"python -m (evals|benchmarks) (\w+)", document.read_text("utf-8"))
    }
)


def test_there_are_commands():
    assert len(COMMANDS) >= 4


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("schedmate ")])
def test_a_command_runs(line, own_home):
    answer = subprocess.run(
        [sys.executable, "-m", *shlex.split(line, comments=True)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=600,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.strip()


def test_the_picture_is_what_the_command_prints():
    picture = re.search(r"^\$ schedmate (diagnose \S+)\n(.*?)^```", README, re.M | re.S)
    verb, log = picture[1].split()
    command = [sys.executable, "-m", "schedmate", verb, ROOT / "examples" / "logs" / log]
    printed = " ".join(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    shown = [part.strip("╭─╮╰╯│ ") for line in picture[2].splitlines() for part in re.split(r"\.\.\.|\s{3,}", line)]
    assert [part for part in shown if " ".join(part.split()) not in printed] == []


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("make ")])
def test_a_target_exists(line):
    target = line.split()[1]
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.M)


@pytest.mark.parametrize(("package", "name"), MODULES)
def test_what_a_document_measures_by_exists(package, name):
    assert (ROOT / package / "__main__.py").is_file()
    assert (ROOT / package / f"{name}.py").is_file() or (ROOT / package / name / "__init__.py").is_file()


def test_every_line_is_of_a_kind_that_is_tested():
    assert [line for line in COMMANDS if not line.startswith(("schedmate ", "make "))] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text("utf-8")):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_the_table_names_every_command_and_no_other():
    rows = re.findall(r"^\| (`schedmate .*?) \|", README, re.M)
    named = {word for row in rows for word in re.findall(r"`(?:schedmate )?(\w+)", row)}
    assert named == {*COMMANDS_THERE_ARE, *GROUPS}


def test_every_file_that_the_map_of_the_house_names_exists():
    named = re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.(?:py|toml))`", (ROOT / "docs" / "architecture.md").read_text("utf-8"))
    there = [path for room in ("schedmate", "tests", "examples") for path in (ROOT / room).rglob("*.*")]
    files = [f"/{path.relative_to(ROOT).as_posix()}" for path in there]
    assert len(named) > 30
    assert [name for name in named if not any(file.endswith(f"/{name}") for file in files)] == []


def test_the_index_of_decisions_names_each_entry_once_and_each_room_once():
    text = (ROOT / "DECISIONS.md").read_text("utf-8")
    index, _, entries = text.partition("## By room")[2].partition("\n## ")
    heads = re.findall(r"^## (.*)$", f"## {entries}", re.M)
    there = [re.sub(r"[^a-z0-9 _-]", "", head.lower()).replace(" ", "-") for head in heads]
    rooms = re.findall(r"^- \*\*(.*?)\*\*", index, re.M)
    assert len(rooms) == len(set(rooms))
    assert sorted(re.findall(r"\]\(#([^)]*)\)", index)) == sorted(there)


def test_every_page_is_linked_from_another():
    linked = {
        target.rpartition("/")[2]
        for document in DOCUMENTS
        for target in re.findall(r"\]\(([^)#]+\.md)[^)]*\)", document.read_text("utf-8"))
        if target.rpartition("/")[2] != document.name
    }
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - linked == set()
