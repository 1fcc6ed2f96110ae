"""What goes wrong beside a real Slurm: each job keeps its own witness, and the store must say the same as they."""

import os
import shutil
import signal
import time

import pytest

from tests.slurm.conftest import emptied
from tests.slurm.real_slurm import PATHS
from tests.slurm.slurm_up import BUG, SlurmUp

pytestmark = pytest.mark.slurm

KILLS = int(os.environ.get("SLURM_KILLS", "50"))
SQUEUE = """#!/bin/sh
case "$(cat {mode} 2>/dev/null)" in
    hang) exec sleep 600;;
    half) {squeue} "$@" | head -c 300; exit 0;;
    fail) echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2; exit 1;;
esac
exec {squeue} "$@"
"""
SBATCH = """#!/bin/sh
[ "$(cat {mode} 2>/dev/null)" = late ] || exec {sbatch} "$@"
{sbatch} "$@" >/dev/null
echo handed in >> {mode}.calls
exec sleep 600
"""


@pytest.fixture
def up(four_nodes, tmp_path, monkeypatch):
    tools, mode = tmp_path / "tools", tmp_path / "mode"
    tools.mkdir()
    for name, text in (("squeue", SQUEUE), ("sbatch", SBATCH)):
        (tools / name).write_text(text.format(mode=mode, **{name: shutil.which(name, path=PATHS)}))
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    made = SlurmUp(tmp_path, four_nodes, "--mode", "act")
    made.mode, made.gate = mode, f"gate-{os.urandom(4).hex()}"
    made.start()
    yield made
    mode.unlink(missing_ok=True)
    made.close()
    emptied(four_nodes)


def gated(up, user, *options, then="exit 0"):
    """Hand in a job that runs until the gate is open."""
    gate = up.place_of(user) / up.gate
    return up.batch(user, f"until test -e {gate}; do sleep 0.1; done; {then}", "--gpus=1", *options)


def open_gate(up, *users):
    for user in users:
        (up.place_of(user) / up.gate).touch()


def agrees(up, user, name, *outcomes):
    """Compare what the store says of a job's runs with what they said themselves."""
    rows = up.store.runs(up.number(name))
    assert [row.outcome for row in rows] == list(outcomes), up.said()
    assert len(up.witness(user, name)) == len(rows)


def runs(up, name):
    row = up.row(name)
    return row is not None and row.state == "running" and up.store.runs(row.id)[-1].began_s is not None


def test_a_loop_that_is_killed_again_and_again_loses_nothing_and_does_nothing_twice(up):
    names = [gated(up, "games") for _ in range(4)] + [gated(up, "news", then=BUG) for _ in range(3)]
    users = ["games"] * 4 + ["news"] * 3
    brief = [up.batch("mail", "sleep 1", "--gpus=1") for _ in range(4)]
    looked = 0
    for place in range(KILLS):
        if place % 3 == 0:  # a loop that has looked
            up.until(lambda before=looked: up.said().count(" up on ") > before)
        looked = up.said().count(" up on ")
        time.sleep(place % 3 * 0.3)  # one that is about to, or just begins
        up.kill()
        if place == KILLS // 2:
            open_gate(up, "games", "news")
        up.start()
    for name in (*names[:4], *brief):
        up.until_job(name, "completed")
    for name in names[4:]:
        up.until_job(name, "held")
    for user, name in [*zip(users, names, strict=True), *(("mail", name) for name in brief)]:
        agrees(up, user, name, "failed" if name in names[4:] else "completed")
    up.until(lambda: not up.store.actions(("planned", "approved", "started")))
    for name in names[4:]:
        kinds = [row.kind for row in up.store.actions(job=up.number(name))]
        assert len(kinds) == len(set(kinds))
        assert {row.event for row in up.store.actions(job=up.number(name))} <= {"done", "refused"}
    assert up.store.verify().broken is None
    assert up.store.marks() == {}


def test_half_an_answer_and_none_end_no_job(up):
    names = [gated(up, "games") for _ in range(3)]
    up.until(lambda: all(runs(up, name) for name in names))
    for mode in ("half", "fail", "hang"):
        before = up.said().count("waiting, nothing is lost")
        up.mode.write_text(mode)
        up.until(lambda count=before: up.said().count("waiting, nothing is lost") > count)
        up.mode.write_text("")
        up.until(lambda count=before: up.said().count("the cluster answers again") > count)
    assert all(up.row(name).state == "running" for name in names)
    open_gate(up, "games")
    for name in names:
        up.until_job(name, "completed")
        agrees(up, "games", name, "completed")


def test_a_controller_that_restarts_and_an_accounting_that_is_gone_delay_only(up):
    real = up.real
    names = [gated(up, "games", then="exit 0") for _ in range(2)]
    up.until(lambda: all(runs(up, name) for name in names))
    real.kill("slurmdbd")
    real.kill("slurmctld", signal.SIGTERM)  # killed hard it forgets what it has just started, and drains the node
    up.until(lambda: "waiting, nothing is lost" in up.said())
    open_gate(up, "games")
    real.start_dbd()
    real.start_controller()
    for name in names:
        up.until_job(name, "completed")
        agrees(up, "games", name, "completed")


def test_a_node_that_dies_with_its_job_and_an_operator_who_acts_too(up):
    real = up.real
    name = gated(up, "games", "-w", "gpu3")
    held = gated(up, "news")
    up.until(lambda: runs(up, name) and runs(up, held))
    # An operator requeues a job under our eyes: another run of the same job, in the books of both.
    real.check("scontrol", "requeue", held)
    up.until(lambda: len(up.store.runs(up.number(held))) == 2 and runs(up, held))
    # The node of the other dies; Slurm gives the job back to the queue, and an operator lets it go anywhere.
    real.kill("slurmd-gpu3")
    real.check("scontrol", "update", "NodeName=gpu3", "State=DOWN", "Reason=dead")
    up.until(lambda: up.row(name).state == "pending")
    real.check("scontrol", "update", f"JobId={name}", "ReqNodeList=")
    up.until(lambda: runs(up, name))
    open_gate(up, "games", "news")
    for user, one in (("games", name), ("news", held)):
        up.until_job(one, "completed")
        agrees(up, user, one, "lost", "completed")
    real.start_node("gpu3")
    assert up.store.marks() == {}


def test_what_ended_while_no_loop_was_up_and_was_forgotten_is_told_by_the_accounting_once_it_is_there(up):
    real = up.real
    names = [gated(up, "games") for _ in range(2)]
    up.until(lambda: all(runs(up, name) for name in names))
    began_s = {name: up.store.runs(up.number(name))[-1].began_s for name in names}
    up.until(lambda: time.time() > max(began_s.values()) + 3)  # Slurm tells whole seconds: the next run is another
    up.kill()
    real.check("scontrol", "requeue", names[1])
    up.until(lambda: len(up.witness("games", names[1])) == 2)
    open_gate(up, "games")
    asked = ("sacct", "-X", "-n", "-o", "State", "-j", ",".join(names))
    up.until(lambda: real.run(*asked).stdout.split() == ["COMPLETED"] * 2)
    real.forget_jobs()
    real.kill("slurmdbd")
    up.start()
    up.until(lambda: "wait until the accounting says how they ended" in up.said())
    # The accounting delays these alone: others come, run and end meanwhile.
    up.until_job(up.batch("news", "exit 0"), "completed")
    assert [up.row(name).state for name in names] == ["running"] * 2
    real.start_dbd()
    for name, outcomes in zip(names, (["completed"], ["lost", "completed"]), strict=True):
        up.until_job(name, "completed")
        agrees(up, "games", name, *outcomes)


def test_a_job_whose_handing_in_got_no_answer_is_handed_in_once(up):
    real, place = up.real, up.place_of("root")
    asked = ("sacct", "-X", "-n", "-u", "root", "-S", "1970-01-01", "-o", "State")
    before = real.run(*asked).stdout.split().count("COMPLETED")
    script = f"open('{place}/{up.gate}-{{0}}', 'a').write('x')"
    up.mode.write_text("late")
    seen = up.submit(script.format("seen"))
    up.until(lambda: (place / f"{up.gate}-seen").exists())
    up.mode.write_text("")
    up.until_state("completed", jobs=[seen])
    # Another comes and goes, and the controller forgets it, before the next loop is there.
    up.mode.write_text("late")
    gone = up.submit(script.format("gone"))
    up.until(lambda: (place / f"{up.gate}-gone").exists())
    up.kill()
    up.mode.write_text("")
    up.until(lambda: real.run(*asked).stdout.split().count("COMPLETED") >= before + 2)
    up.until(lambda: not real.run("squeue", "-h", "-o", "%i").stdout.strip())
    real.forget_jobs()
    up.start()
    up.until_state("completed", jobs=[gone])
    assert [(place / f"{up.gate}-{name}").read_text() for name in ("seen", "gone")] == ["x", "x"]
