"""Repositories that are brought to their commits for the evaluation."""

import subprocess
import tarfile

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
    inner = ["again.py"] if hasattr(tarfile, "data_filter") else []  # before Python 3.11.4 no link is unpacked
    assert sorted(path.name for path in made.iterdir()) == [*inner, "train.py"]
