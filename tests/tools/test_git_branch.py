"""Branches are read from files that git would write, and from nothing else."""

from schedmate.tools.git_branch import git_branch


def test_branches(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/feature/x\n")
    (tmp_path / "src" / "deep").mkdir(parents=True)
    assert git_branch(tmp_path / "src" / "deep") == "feature/x"
    (tmp_path / ".git" / "HEAD").write_text("0123456789abcdef0123456789abcdef01234567\n")
    assert git_branch(tmp_path) == "0123456789ab"


def test_a_linked_worktree(tmp_path):
    (tmp_path / "main.git").mkdir()
    (tmp_path / "main.git" / "HEAD").write_text("ref: refs/heads/dev\n")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / ".git").write_text("gitdir: ../main.git\n")
    assert git_branch(tmp_path / "tree") == "dev"


def test_no_repository(tmp_path):
    (tmp_path / ".git").mkdir()
    assert git_branch(tmp_path) == ""
