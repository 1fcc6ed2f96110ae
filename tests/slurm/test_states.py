"""What only a real Slurm shows: jobs that are suspended, jobs on shards of a GPU, nodes kept in reserve."""

import json

import pytest

from schedmate.clusters.slurm.cluster import SEEN
from tests.slurm.conftest import loops_beside, state_of
from tests.slurm.slurm_up import BUG

pytestmark = pytest.mark.slurm

GATED = "until test -e gate; do sleep 0.1; done"
SHARED = "import os, time\nwhile not os.path.exists({gate!r}): time.sleep(0.1)"


@pytest.fixture
def make_up(four_nodes, tmp_path):
    with loops_beside(four_nodes, tmp_path) as start:
        yield start


def looked_again(up):
    """Wait until Slurm was asked after this moment."""
    seen_s = float(up.store.fact(SEEN))
    up.until(lambda: float(up.store.fact(SEEN)) > seen_s + 1)


def test_a_job_that_is_suspended_is_one_run_and_neither_dead_nor_hanging(make_up):
    up = make_up("--mode", "act")
    (up.place_of("games") / "gate").unlink(missing_ok=True)
    name = up.batch("games", GATED, "--gpus=1")
    up.until_job(name, "running")
    up.real.check("scontrol", "suspend", name)
    up.until(lambda: up.real.run("squeue", "-h", "-j", name, "-o", "%T").stdout.strip() == "SUSPENDED")
    looked_again(up)
    assert up.row(name).state == "running"
    (up.place_of("games") / "gate").touch()
    looked_again(up)
    assert up.row(name).state == "running", "what is suspended does not see the gate"
    up.real.check("scontrol", "resume", name)
    row = up.until_job(name, "completed")
    assert [run.outcome for run in up.store.runs(row.id)] == ["completed"]
    assert len(up.witness("games", name)) == 1
    assert up.store.actions(job=row.id) == []


def test_each_element_of_an_array_is_diagnosed_by_a_log_of_its_own_that_nobody_named(make_up):
    up = make_up()
    array = up.batch("news", f"test $SLURM_ARRAY_TASK_ID = 3 && exit 0; {BUG}", "-n1", "--mem=10", "-a", "3-5")
    up.until_job(f"{array}_3", "completed")
    for name in (f"{array}_4", f"{array}_5"):
        row = up.until_job(name, "failed")
        told = json.loads(row.diagnosis)
        assert told["failure_id"] == "python.key_error"
        assert "Slurm says FAILED, exit code 1" in told["notes"]
        assert up.store.runs(row.id)[-1].log.endswith(f"/slurm-{name}.out")


def test_a_heterogeneous_job_is_one_job_on_all_its_nodes_and_requeued_whole(make_up):
    up = make_up("--mode", "act")
    gate = up.place_of("games") / "together"
    gate.unlink(missing_ok=True)
    parts = ("-n1", "--gpus=1", "-w", "gpu1", ":", "-n1", "--gpus=1", "-w", "gpu2")
    name = up.batch("games", f"until test -e {gate}; do sleep 0.1; done", *parts)
    row = up.until_job(name, "running")
    up.until(lambda: up.store.runs(row.id)[-1].began_s)
    assert [node for node, _ in up.store.runs(row.id)[-1].parts] == ["gpu1", "gpu2"]
    looked_again(up)
    assert [one for one in up.store.numbers() if one.startswith(name)] == [name]
    gate.touch()
    assert up.until_job(name, "completed").slots == 2
    assert [run.outcome for run in up.store.runs(row.id)] == ["completed"]


def test_a_loop_looks_at_the_jobs_of_its_partitions_alone(make_up):
    up = make_up("--partition", "gpu")
    theirs = up.batch("games", "exit 0", "-n1", "-p", "other")
    up.until_job(up.batch("games", "exit 0", "-n1"), "completed")
    up.kill()
    while_away = up.batch("games", "exit 0", "-n1", "-p", "other")
    ended = ("sacct", "-X", "-n", "-o", "State", "-j", f"{theirs},{while_away}")
    up.until(lambda: up.real.run(*ended).stdout.split() == ["COMPLETED"] * 2)
    up.start()
    looked_again(up)
    assert [up.number(name) for name in (theirs, while_away)] == [None, None]
    assert len(up.witness("games", theirs)) == 1


def test_jobs_on_shards_share_a_gpu_and_are_booked_apart(make_up):
    up = make_up("--mode", "act", "--option", "place=no")
    gate = up.place_of("games") / "shared"
    gate.unlink(missing_ok=True)
    wanted = ("--gres=shard:2", "-w", "gpu2", "-n1", "--mem=100")
    others = [up.batch("games", f"until test -e {gate}; do sleep 0.1; done", *wanted) for _ in "12"]
    ours = [up.submit(SHARED.format(gate=str(gate)), slots=1, share=0.5, memory_gib=0.1) for _ in "12"]
    for name in others:
        up.until_job(name, "running")
    up.until(lambda: all(runs and runs[-1].began_s for runs in map(up.store.runs, ours)))
    assert {up.store.runs(up.number(name))[-1].parts[0][0] for name in others} == {"gpu2"}
    for job in ours:
        told = up.real.run("scontrol", "show", "job", up.store.job(job).engine_id).stdout
        assert "gres/shard=1" in told or "gres:shard:1" in told
    gate.touch()
    for name in others:
        up.until_job(name, "completed")
    up.until_state("completed", jobs=ours)


def test_a_node_in_reserve_is_drained_under_our_mark_once_and_stays_what_an_operator_made_of_it(make_up):
    up = make_up("--mode", "act", "--spares", "1")
    spare = up.real.nodes[-1]
    up.until(lambda: up.reason(spare).startswith("schedmate:spare"))
    whole = [up.batch("games", "exit 0", "--gpus=8") for _ in range(5)]
    for name in whole:
        up.until_job(name, "completed")
        assert spare not in up.witness("games", name)
    up.kill()
    up.start()
    assert up.reason(spare).startswith("schedmate:spare")
    up.real.check("scontrol", "update", f"NodeName={spare}", "State=RESUME")
    looked_again(up)
    assert "DRAIN" not in state_of(up.real, spare)
    up.kill()
    up.start()
    looked_again(up)
    assert "DRAIN" not in state_of(up.real, spare), "what an operator brought back is not taken out again"
