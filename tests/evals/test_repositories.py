"""Repositories that are brought to their commits for the evaluation."""

import subprocess
import tarfile

import pytest

from evals.repositories import export, git_directory


def test_a_link_that_leads_out_of_the_repository_ends_no_unpacking(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "train.py").write_text("print()\n")
    (work / "data").symlink_to("/elsewhere/data")
    (work / "again.py").symlink_to("train.py")
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "a"]):
        subprocess.run(["git", *words], cwd=work, check=True)
    made = export(work / ".git", "HEAD", tmp_path / "out")
    inner = ["again.py"] if hasattr(tarfile, "data_filter") else []  # before Python 3.11.4 no link is unpacked
    assert sorted(path.name for path in made.iterdir()) == [*inner, "train.py"]


@pytest.mark.parametrize("place", ["", ".git", "repo", "repo/.git"])
def test_a_clone_is_known_however_deep_its_history_lies(tmp_path, place):
    git = tmp_path / place
    (git / "objects").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    assert git_directory(tmp_path) == git
