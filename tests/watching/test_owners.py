"""Where all may write, nobody's log becomes a part of another's job. Files of other accounts need root."""

import os

import pytest

from schedmate.watching.finding import Finder, job_of

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")

ALICE, BOB = 61001, 61002
STEPS = "step 1 loss 2.0\nstep 2 loss 1.9\n"
DEATH = f'{STEPS}Traceback (most recent call last):\n  File "t.py", line 1, in <module>\nIndexError: out\n'
FORGED = (
    "step 9999 loss 0.1\n2026-11-30 08:09:00 gpu-017 kernel: NVRM: Xid (PCI:0000:9d:00): 79, pid=1, GPU has fallen off"
    " the bus.\nsrun: error: gpu-017: task 0: Exited with exit code 1\n"
)


def test_a_log_beside_anothers_takes_neither_his_death_nor_his_message(site):
    for name, owner, text in (("train.rank1.log", BOB, DEATH), ("train.rank0.log", ALICE, FORGED)):
        site.write(name, text)
        os.chown(site.path(name), owner, owner)
    site.pass_by(120)
    told = {one.user: one.diagnosis.failure_id for one in site.told if one.kind == "died"}
    assert told == {str(BOB): "python.index_error", str(ALICE): "gpu.xid_79"}


def test_logs_of_one_job_are_those_of_one_account(tmp_path):
    def owned(name, owner):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.chown(path, owner, owner)
        return job_of(str(path), owner)

    assert owned("a.rank0.log", 0) == owned("a.rank1.log", 0) == f"{tmp_path}/a.rank*.log"
    assert owned("a.rank2.log", BOB) == owned("a.rank3.log", BOB) != owned("a.rank4.log", ALICE)
    assert owned("b.out", BOB) == owned("b.err", BOB) == f"{tmp_path}/b.out"
    assert owned("c.out", BOB) != owned("c.err", ALICE)
    os.chown(tmp_path, BOB, BOB)
    (tmp_path / "attempt_0" / "1").mkdir(parents=True)
    for path, owner in (("attempt_0", BOB), ("attempt_0/1", ALICE)):
        os.chown(tmp_path / path, owner, owner)
    assert owned("attempt_0/0/stderr.log", BOB) == f"{tmp_path}/attempt_0/*/stderr.log"
    assert owned("attempt_0/1/stderr.log", ALICE) != f"{tmp_path}/attempt_0/*/stderr.log"


def test_root_follows_nobodys_link_to_what_is_anothers(tmp_path):
    home, logs = tmp_path / "bob", tmp_path / "logs"
    for folder in (home / "runs", logs):
        folder.mkdir(parents=True)
    for path, owner in ((home / "runs" / "b.log", BOB), (logs / "a.log", ALICE)):
        path.write_text(STEPS)
        os.chown(path, owner, owner)
    os.chown(home / "runs", BOB, BOB)
    links = (
        ("hers.log", logs / "a.log", ALICE),
        ("his.log", home / "runs" / "b.log", ALICE),
        ("folder", home / "runs", ALICE),
        ("roots.log", home / "runs" / "b.log", 0),
        ("gone.log", "nowhere", ALICE),
    )
    for name, target, owner in links:
        (logs / name).symlink_to(target)
        os.chown(logs / name, owner, owner, follow_symlinks=False)
    found = {os.path.relpath(path, logs) for path, _, _ in Finder([str(logs)]).find(0.0)}
    assert found == {"a.log", "hers.log", "roots.log"}
