"""Nothing leaves the repository, nothing secret is read, nothing blocks."""

import json
import os
import subprocess
import sys

import pytest

from schedmate import extract
from schedmate.errors import InputError
from schedmate.readers.code.candidates import MOST_LOOKED_AT, likely_commands
from schedmate.tools.code_search import code_search
from schedmate.tools.file_read import file_read
from schedmate.tools.file_tree import file_tree
from schedmate.tools.masking import mask_code
from schedmate.tools.reading_trace import ReadingTrace
from schedmate.tools.repository import MOST_DEPTH, NotReadable, Repository
from schedmate.tools.secrets import names_secret

FAKE_TOKEN = "hf_" + "a1B2c3D4e5" * 3


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "outside.txt").write_text("not for you")
    root = tmp_path / "repo"
    (root / "src").mkdir(parents=True)
    (root / "train.py").write_text("lr = 0.1\n")
    (root / "src" / "model.py").write_text("class Net: ...\n")
    return Repository(root)


@pytest.mark.parametrize("path", ["../outside.txt", "src/../../outside.txt", "/etc/passwd", "a\0b", "x" * 9000])
def test_paths_out_of_the_repository_are_refused(repository, path):
    with pytest.raises(NotReadable):
        repository.read_text(path)
    assert not repository.is_file(path)


def test_links_out_are_refused_and_links_within_are_followed(repository):
    os.symlink(repository.root.parent / "outside.txt", repository.root / "link.txt")
    os.symlink(repository.root.parent, repository.root / "up")
    os.symlink("train.py", repository.root / "alias.py")
    for path in ("link.txt", "up/outside.txt"):
        with pytest.raises(NotReadable):
            repository.read_text(path)
    assert repository.read_text("alias.py") == "lr = 0.1\n"
    assert "link.txt" not in file_tree(repository)
    assert "not for you" not in code_search(repository, "not for you").replace("'not for you'", "")


def test_fifos_devices_and_folders_do_not_block(repository):
    os.mkfifo(repository.root / "pipe.py")
    for path in ("pipe.py", "src"):
        with pytest.raises(NotReadable):
            repository.read_text(path)
    assert "no line matches" in code_search(repository, "nothing like this")


def test_large_and_binary_files_are_refused(repository):
    (repository.root / "weights.py").write_bytes(b"\0\1\2" * 100)
    (repository.root / "huge.py").write_bytes(b"x = 1\n" * 400_000)
    for path in ("weights.py", "huge.py"):
        with pytest.raises(NotReadable):
            repository.read_text(path)


def test_of_a_large_file_the_beginning_is_given_and_of_none_nothing(repository):
    (repository.root / "huge.py").write_bytes(b"x = 1\n" * 400_000)
    (repository.root / "weights.py").write_bytes(b"\0\1\2" * 100)
    assert repository.beginning("huge.py", 12) == "x = 1\nx = 1\n"
    assert [repository.beginning(path) for path in ("weights.py", "no.py", "../outside.txt")] == ["", "", ""]


@pytest.mark.parametrize(
    ("path", "secret"),
    [
        (".env", True),
        ("deploy/.env.production", True),
        (".env.example", False),
        ("keys/id_rsa", True),
        ("server.pem", True),
        ("credentials.json", True),
        ("hf_token.txt", True),
        (".git/config", True),
        ("tokenizer.json", False),
        ("tokens.py", False),
        ("secrets.yaml", True),
        ("src/tokenizers/model.py", False),
        ("environment.yml", False),
    ],
)
def test_secrets_are_known_by_name(path, secret):
    assert names_secret(path) is secret


def test_secret_files_are_never_read_not_even_through_a_link(repository):
    (repository.root / ".env").write_text("A=1")
    os.symlink(".env", repository.root / "config.txt")
    for path in (".env", "config.txt"):
        with pytest.raises(NotReadable, match="secrets"):
            repository.read_text(path)


def test_tokens_in_source_are_masked_wherever_text_comes_out(repository):
    (repository.root / "push.py").write_text(
        f'login("{FAKE_TOKEN}")\nHF_TOKEN = "abc123def456ghi"\npassword = ask_user()\n'
    )
    shown = [file_read(repository, "push.py"), repository.shown("push.py"), code_search(repository, "login|TOKEN")]
    for text in shown:
        assert FAKE_TOKEN not in text
        assert "abc123def456ghi" not in text
        assert "<secret>" in text
    assert "ask_user()" in shown[0]


def test_what_is_parsed_is_what_was_written(repository):
    """A mask in the parsed text would change what the program does, or end the parser."""
    text = 'tokens = batch[token_key].index_select(1, k1_a2_b3_c4_d5)\nhf_tokenizer="a1b2c3d4e5f6/g7h8i9"\n'
    (repository.root / "step.py").write_text(text)
    assert repository.read_text("step.py") == text


def test_masking_a_private_key_keeps_the_lines():
    key = "a\n-----BEGIN RSA PRIVATE KEY-----\nMII\nxyz\n-----END RSA PRIVATE KEY-----\nb"
    assert mask_code(key).split("\n")[5] == "b"
    assert "xyz" not in mask_code(key)


def test_names_of_files_are_no_keys():
    text = "_base_ = './mask-rcnn_r50_fpn_1x_coco.py'  # task-specific-settings-of-2x-schedule"
    assert mask_code(text) == text
    assert mask_code("key: sk-" + "a1B2c3D4e5" * 3) == "key: <secret>"


def test_no_such_folder_and_a_file_instead_of_one(tmp_path):
    (tmp_path / "file").write_text("")
    for name in ("absent", "file"):
        with pytest.raises(InputError):
            Repository(tmp_path / name)


def test_tree_leaves_out_what_is_transient_and_folds_what_is_many(repository):
    for folder in ("__pycache__", ".git", "wandb", "checkpoints"):
        (repository.root / folder).mkdir()
        (repository.root / folder / "x.py").write_text("")
    for number in range(300):
        folder = repository.root / "configs" / f"g{number % 30}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"c{number}.yaml").write_text("")
    text = file_tree(repository, most_lines=60)
    assert len(text.split("\n")) <= 62
    assert "train.py" in text
    assert "model.py" in text
    assert "10 files" in text
    assert "wandb" not in text
    assert "__pycache__" not in text


def test_pages_go_on_where_they_ended(repository):
    (repository.root / "long.py").write_text("\n".join(f"x{i} = {i}" for i in range(2000)))
    first = file_read(repository, "long.py", page_tokens=500)
    assert "x0 = 0" in first
    following = int(first.rsplit("start_line=", 1)[1].rstrip("]"))
    assert f"x{following - 1} = " in file_read(repository, "long.py", following, page_tokens=500)
    assert "has 2000" in file_read(repository, "long.py", 9999)


def test_notebooks_are_read_as_code_at_their_own_lines(repository):
    book = (
        '{\n "cells": [\n  {"cell_type": "markdown", "source": ["lr = 9\\n"]},\n  {"cell_type": "code", "source": [\n'
    )
    book += '   "%pip install x\\n",\n   "lr = \\"1e-3\\"\\n"]}\n ]\n}\n'
    (repository.root / "train.ipynb").write_text(book)
    page = file_read(repository, "train.ipynb")
    assert "    6 lr = " in page
    assert "# %pip" in page
    assert "lr = 9" not in page


def test_search_takes_any_pattern_and_stops_at_its_limit(repository):
    (repository.root / "many.py").write_text("hit\n" * 500)
    assert code_search(repository, "(((").count("\n") == 0
    assert code_search(repository, "hit").count("many.py:") == 40
    assert "train.py:1: lr = 0.1" in code_search(repository, r"^lr\s*=")


def test_trace_counts_a_file_once_and_tells_its_listener():
    heard = []
    trace = ReadingTrace(listener=heard.append)
    trace.note("file_read", "a.py", "x" * 400)
    trace.note("file_read", "a.py", "x" * 40)
    trace.note("search", "lr", "y" * 8)
    assert trace.tokens == 102
    assert [step.tool for step in heard] == ["file_read", "file_read", "search"]


JOB = """import torch
model = torch.nn.Linear(3, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    model(torch.zeros(1, 3)).sum().backward()
    optimizer.step()
"""


def test_a_chain_of_folders_is_left_where_nothing_starts_a_job_any_more(tmp_path):
    """By its whole length, the time to look at it grows with the square and more: 900 levels took minutes."""
    folder = tmp_path / "repo"
    for level in range(400):
        folder = folder / "d"
        if level == 0:
            folder.mkdir(parents=True)
            (tmp_path / "repo" / "train.py").write_text(JOB)
        else:
            folder.mkdir()
        (folder / "train.py").write_text("import torch\n")
    repository = Repository(tmp_path / "repo")
    assert len(list(repository.walk())) == MOST_DEPTH + 1
    assert repository.unseen.startswith(f"folders more than {MOST_DEPTH} levels deep, as d/d/d/")
    told = extract(tmp_path / "repo", engine="built-in")
    assert told.command == "python train.py"
    assert any(note.startswith("not looked at: folders more than") for note in told.notes)


COUNTED = """
import json, sys
from collections import Counter
from schedmate import extract
from schedmate.errors import InputError
from schedmate.readers.code import candidates
from schedmate.tools import repository
repository.MOST_FOLDERS, repository.WALK_S, candidates.LOOK_S = 200, float("inf"), float("inf")
seen = Counter()
sys.addaudithook(lambda event, args: seen.update([event]) if args and str(args[0]).startswith(sys.argv[1]) else None)
try:
    told = " ".join(extract(sys.argv[1], engine="built-in").notes)
except InputError as error:
    told = str(error)
print(json.dumps([seen["os.scandir"], seen["open"], told]))
"""


def work_of(folder):
    """Extract without a command in a process of its own; give the folders and files it opened, and what it said."""
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, str(folder.resolve())], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_the_work_of_a_look_at_a_whole_tree_is_bounded_and_what_it_left_out_is_said(tmp_path):
    """Counted by what is opened, not by a clock: folders and files in front of and beyond the bounds."""
    few, many = tmp_path / "few", tmp_path / "many"
    for root, width in ((few, 1), (many, 120)):
        for package in range(width):
            for part in range(10):
                (root / f"p{package}" / f"{part}").mkdir(parents=True)
            (root / f"p{package}" / "train_more.py").write_text(JOB)
        (root / "train.py").write_text(JOB)
    folders, files, told = work_of(few)
    assert folders == 1 + 1 * 11
    assert "not looked at" not in told
    folders, files, told = work_of(many)
    assert folders == 200
    assert MOST_LOOKED_AT <= files <= 2 * MOST_LOOKED_AT
    assert "read 'python train.py'" in told
    assert "not looked at: what comes after the first 200 folders, as p" in told


def test_one_folder_with_more_files_than_are_listed(tmp_path, monkeypatch):
    monkeypatch.setattr("schedmate.tools.repository.MOST_ENTRIES", 50)
    for number in range(200):
        (tmp_path / f"train_{number}.py").write_text("x = 1\n")
    repository = Repository(tmp_path)
    assert len(list(repository.walk())) == 50
    with pytest.raises(
        InputError, match="nothing that looks like a job; not looked at: what comes after the first 50 "
    ):
        extract(tmp_path, engine="built-in")


def test_files_that_are_too_large_to_choose_among_are_named(tmp_path):
    for number in range(3):
        (tmp_path / f"train_{number}.py").write_text(JOB + "# long\n" * 40_000)
    with pytest.raises(InputError, match=r"not looked at: train_0.py has [\d,]+ bytes: .*, and 2 more files"):
        extract(tmp_path, engine="built-in")


def test_a_walk_ends_in_time_and_says_what_it_left(tmp_path, monkeypatch):
    (tmp_path / "far").mkdir()
    (tmp_path / "train.py").write_text(JOB)
    repository = Repository(tmp_path)
    monkeypatch.setattr("schedmate.tools.repository.WALK_S", -1.0)
    assert list(repository.walk()) == []
    assert repository.unseen == "what was not reached within -1 s, as ."
    monkeypatch.setattr("schedmate.tools.repository.WALK_S", float("inf"))
    monkeypatch.setattr("schedmate.readers.code.candidates.LOOK_S", -1.0)
    repository = Repository(tmp_path)
    assert likely_commands(repository).commands == ()
    assert repository.unseen.startswith("the insides of 1 file with likely names")


def test_the_only_file_of_a_name_is_found_in_one_walk_that_saw_all(tmp_path, monkeypatch):
    for folder in ("first", "second/deep"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "train.py").touch()
    (tmp_path / "second" / "once.py").touch()
    repository = Repository(tmp_path)
    assert [repository.find_only(name) for name in ("once.py", "./deep/train.py")] == ["second", "second"]
    assert [repository.find_only(name) for name in ("train.py", "ain.py", "../once.py", "/once.py")] == [None] * 4
    (tmp_path / "late.py").touch()
    assert repository.find_only("late.py") is None
    monkeypatch.setattr("schedmate.tools.repository.MOST_SEARCHED", 2)
    assert Repository(tmp_path).find_only("once.py") is None
