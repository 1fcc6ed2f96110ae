"""What a loop without an operator's right can do beside Slurm, and what it says of the rest."""

import json
import shutil

import pytest

from tests.slurm.conftest import loops_beside, state_of
from tests.slurm.real_slurm import PATHS
from tests.slurm.slurm_up import BUG

pytestmark = pytest.mark.slurm

PROGRAMS = ("squeue", "sinfo", "sacct", "scontrol", "sacctmgr", "sbatch", "scancel")


@pytest.fixture
def make_up(four_nodes, tmp_path, monkeypatch):
    """Start loops that speak to Slurm with the rights of an account that has none."""
    tools = tmp_path / "tools"
    tools.mkdir()
    tmp_path.chmod(0o755)
    for name in PROGRAMS:
        path = shutil.which(name, path=PATHS)
        (tools / name).write_text(f'#!/bin/sh\nexec runuser -u mail -- {path} "$@"\n')
        (tools / name).chmod(0o755)

    with loops_beside(four_nodes, tmp_path) as start:

        def make(*options):
            with monkeypatch.context() as patch:
                patch.setenv("PATH", f"{tools}:{PATHS}")
                return start(*options)

        yield make


def test_who_may_only_look_sees_and_diagnoses_everybodys_jobs(make_up):
    up = make_up()
    fine, bug = up.batch("games", "exit 0", "--gpus=1"), up.batch("news", BUG, "--gpus=1")
    up.until_job(fine, "completed")
    row = up.until_job(bug, "failed")
    assert json.loads(row.diagnosis)["failure_id"] == "python.key_error"
    assert "Slurm does as it was not expected to" not in up.said()


def test_who_may_not_act_says_so_and_harms_nothing(make_up):
    up = make_up("--mode", "act")
    block = [up.batch("games", "sleep 600", "-N1", "--gpus-per-node=8") for _ in up.real.nodes]
    waits = [up.batch("games", "exit 0", "--gpus=1") for _ in range(2)]
    up.until(lambda: "Slurm's own order stays" in up.said())
    up.real.check("scancel", *block)
    bug = up.batch("news", BUG, "--gpus=1")
    for name in waits:
        up.until_job(name, "completed")
    up.until_job(bug, "failed", "held")
    up.until(lambda: "its comment was not written" in up.said())
    assert up.said().count("Slurm's own order stays") == 1
    assert up.real.run("squeue", "-h", "-o", "%i").stdout.split() == []
    assert len(up.witness("news", bug)) == 1
    assert up.row(bug).reason, up.said()


def test_a_drain_without_the_right_says_so_and_leaves_nothing_half_done(make_up):
    up = make_up("--mode", "act")
    node = up.real.nodes[0]
    answer = up.ask("drain", argument=json.dumps({"node": node, "why": "a new fan"}))
    assert not answer.ok
    assert answer.words.startswith("Slurm does not let this account do that")
    assert "docs/slurm.md" in answer.words
    assert up.store.marks() == {}
    assert "DRAIN" not in state_of(up.real, node)
    assert "nobody drained it here" in up.ask("resume", argument=json.dumps({"node": node})).words
    words = "Reason=schedmate:drained drained by root: a new fan"
    up.real.check("scontrol", "update", f"NodeName={node}", "State=DRAIN", words)
    assert "nobody drained it here" in up.ask("resume", argument=json.dumps({"node": node})).words
    assert "DRAIN" in state_of(up.real, node), "what another has drained in our words is not ours"
