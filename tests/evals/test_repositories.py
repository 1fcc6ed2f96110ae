"""Repositories that are brought to their commits for the evaluation."""

import subprocess

from evals.repositories import export


def test_a_link_that_leads_out_of_the_repository_ends_no_unpacking(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "train.py").write_text("print()\n")
    (work / "data").symlink_to("/elsewhere/data")
    (work / "again.py").symlink_to("train.py")
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "a"]):
        subprocess.run(["git", *words], cwd=work, check=True)
    made = export(work / ".git", "HEAD", tmp_path / "out")
    assert sorted(path.name for path in made.iterdir()) == ["again.py", "train.py"]
