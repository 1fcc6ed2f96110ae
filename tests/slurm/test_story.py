"""A night on a real Slurm: twelve jobs of three users, of whom none knows of SchedMate.

Node gpu2 is broken: the job that spans it dies, and the program in the place of nccl-tests fails there.
"""

import json
import shlex
import shutil

import pytest

from tests.scheduling.live.test_pinpointing import WATCHDOG, XID
from tests.slurm.conftest import loops_beside

pytestmark = pytest.mark.slurm

TRAIN = """
import os, sys, time
begin = int(open("pretrain.ckpt").read()) if os.path.exists("pretrain.ckpt") and "breaks" in sys.argv else 0
print(f"resumed at step {begin}" if begin else "from the beginning", flush=True)
for step in range(begin, 9):
    print(f"step {step}/9 loss {9 / (step + 1):.4f}", flush=True)
    time.sleep(0.1)
    if "breaks" in sys.argv and step == 6 and not begin:
        open("pretrain.ckpt", "w").write("7")
        print("saved checkpoint to ./pretrain.ckpt")
        sys.exit(sys.argv[2])
if "bug" in sys.argv:
    config = {}
    print(config["lr"])
print("done")
"""
BUG_LINE = TRAIN.splitlines().index('    print(config["lr"])') + 1
BROKEN = "gpu2"
PYTHON = shutil.which("python3", path="/usr/local/bin:/usr/bin")
"""One that every account may run."""


@pytest.fixture
def make_up(four_nodes, tmp_path):
    program = four_nodes.at / "work" / "all_reduce_perf"
    program.write_text(f'#!/bin/sh\necho "$SLURMD_NODENAME" >> {program}.calls\n[ "$SLURMD_NODENAME" != {BROKEN} ]\n')
    program.chmod(0o755)
    rules = tmp_path / "rules.toml"
    rules.write_text(f"[tools]\nnccl_test = '{program}'\ndcgmi = 'no-dcgmi-here'\n[recovery]\ncheck_limit_s = 60\n")
    with loops_beside(four_nodes, tmp_path, "--rules", str(rules)) as start:
        yield start


def train(up, user, *arguments):
    script = up.place_of(user) / "train.py"
    script.write_text(TRAIN)
    return shlex.join([PYTHON, "-S", str(script), *arguments])


def test_twelve_jobs_of_three_users_and_a_broken_node(make_up):
    up = make_up("--mode", "act")
    large = up.batch("games", train(up, "games", "breaks", XID), "-N3", "--gpus-per-node=8", "-J", "pretrain")
    bug = up.batch("news", train(up, "news", "bug"), "--gpus=1", "-J", "tuning")
    array = up.batch("mail", train(up, "mail"), "--gpus=1", "-a", "1-6", "-J", "sweep")
    others = [up.batch(user, train(up, user), "--gpus=2", "-o", "%x-%j.log", "-J", user) for user in ("games", "news")]
    others += [up.batch("mail", train(up, "mail"), "-n1", "-J", "cpu"), up.batch("news", "exit 0", "-J", "brief")]
    elements = [f"{array}_{place}" for place in range(1, 7)]

    # The user's bug is back in the queue, held, and squeue says why.
    assert up.until_job(bug, "held").reason.startswith(f"train.py:{BUG_LINE}: python.key_error")
    up.until(lambda: up.comment(bug) == f"schedmate: python.key_error train.py:{BUG_LINE}")
    assert up.real.run("squeue", "-h", "-j", bug, "-o", "%t").stdout.strip() == "PD"

    # The broken node is found by tests that Slurm started, drained with our reason, and the job went on elsewhere.
    up.until_job(large, "completed")
    steps = {row.kind: row for row in up.store.actions(job=up.number(large))}
    assert steps["nccl_test"].nodes == (BROKEN,)
    assert steps["isolate"].event == "done"
    assert up.reason(BROKEN).startswith(f"schedmate:{steps['isolate'].id} gpu.xid_79")
    first, second = up.witness("games", large)
    assert (first, second) == ("gpu[1-3]", "gpu[1,3-4]")
    assert f"ExcNodeList={BROKEN}\n" in up.real.run("scontrol", "show", "job", large).stdout
    log = (up.place_of("games") / f"slurm-{large}.out").read_text()
    assert "resumed at step 7" in log
    rows = up.store.runs(up.number(large))
    assert [(row.outcome, [node for node, _ in row.parts]) for row in rows] == [
        ("failed", ["gpu1", "gpu2", "gpu3"]),
        ("completed", ["gpu1", "gpu3", "gpu4"]),
    ]

    # All others ran once each, as their own files say, and the store says the same of each.
    for name in (*elements, *others):
        row = up.until_job(name, "completed")
        assert len(up.witness(row.user, name)) == 1
        assert [run.outcome for run in up.store.runs(row.id)] == ["completed"]
    assert {up.row(name).user for name in elements} == {"mail"}

    # What we did is undone by a word.
    up.ask("undo", steps["isolate"].id)
    up.until(lambda: up.reason(BROKEN) == "none")
    assert not up.real.run("scontrol", "show", "reservation", "-o").stdout.startswith("ReservationName")


def test_a_job_keeps_away_from_a_node_that_may_not_be_drained(make_up, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(rules.read_text() + "isolate_share = 0.0\n")
    up = make_up("--mode", "act")
    large = up.batch("mail", train(up, "mail", "breaks", WATCHDOG), "-N3", "--gpus-per-node=8")
    up.until_job(large, "completed")
    steps = {row.kind: row for row in up.store.actions(job=up.number(large))}
    assert (steps["nccl_test"].nodes, steps["isolate"].event) == ((BROKEN,), "refused")
    assert up.witness("mail", large) == ["gpu[1-3]", "gpu[1,3-4]"]
    assert up.reason(BROKEN) == "none"


def test_who_only_observes_changes_nothing(make_up):
    up = make_up()
    bug = up.batch("news", train(up, "news", "bug"), "--gpus=1", "--comment", "mine")
    row = up.until_job(bug, "failed")
    assert json.loads(row.diagnosis)["failure_id"] == "python.key_error"
    assert "would hold job" in row.reason
    assert up.comment(bug) == "mine"
    assert len(up.witness("news", bug)) == 1
    assert up.store.marks() == {}
