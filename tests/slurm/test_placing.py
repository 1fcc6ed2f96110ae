"""Jobs that the policy places: put off while the loop is there, and Slurm's own again when it is not."""

import signal

import pytest

from tests.slurm.conftest import loops_beside
from tests.slurm.test_hooks import hooked as hooked

pytestmark = pytest.mark.slurm

GATED = "import os, time\nwhile not os.path.exists({gate!r}): time.sleep(0.1)"
WITNESS = "open({path!r}, 'a').write('x')"


@pytest.fixture
def make_up(four_nodes, tmp_path):
    with loops_beside(four_nodes, tmp_path, "--mode", "act", "--place") as start:
        yield start


def eligible_s(up, name):
    told = up.real.run("scontrol", "show", "job", name, env={"SLURM_TIME_FORMAT": "%s"}).stdout
    return int(next(word.split("=")[1] for word in told.split() if word.startswith("EligibleTime=")))


@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP])
def test_what_waits_is_put_off_again_and_again_and_slurm_starts_it_when_the_loop_is_gone_or_hangs(
    make_up, tmp_path, fault
):
    up = make_up("--option", "gone=6")
    gate, witness = str(tmp_path / "gate"), tmp_path / "witness"
    before = [up.submit(GATED.format(gate=gate), slots=8) for _ in up.real.nodes]
    up.until(lambda: all(runs and runs[-1].began_s for runs in map(up.store.runs, before)))
    last = up.submit(WITNESS.format(path=str(witness)), slots=8)
    up.until(lambda: up.store.job(last).engine_id)
    name = up.store.job(last).engine_id
    for _ in range(2):
        moment_s = eligible_s(up, name)
        up.until(lambda before_s=moment_s: eligible_s(up, name) > before_s)
    assert up.store.runs(last) == []
    up.process.send_signal(fault)
    (tmp_path / "gate").touch()
    up.until(witness.exists)
    up.kill()
    up.start()
    up.until_state("completed", jobs=[*before, last])
    assert witness.read_text() == "x"
    assert [run.outcome for job in (*before, last) for run in up.store.runs(job)] == ["completed"] * 5


def test_a_users_job_goes_where_the_policy_says(hooked, make_up):
    _, spool, _ = hooked
    up = make_up("--option", f"spool={spool}")
    up.until((spool / "alive").exists)
    names = [up.batch("games", "exit 0", "--gpus=8") for _ in range(6)]
    for name in names:
        row = up.until_job(name, "completed")
        (run,) = up.store.runs(row.id)
        assert [node for node, _ in run.parts] == up.witness("games", name)
    assert "starts on gpu" in up.said()


def test_a_job_is_placed_on_no_node_that_its_user_has_excluded(make_up, tmp_path):
    up = make_up()
    gate = str(tmp_path / "gate")
    before = [up.submit(GATED.format(gate=gate), slots=8) for _ in up.real.nodes]
    up.until(lambda: all(runs and runs[-1].began_s for runs in map(up.store.runs, before)))
    last = up.submit("print('step 1/1')", slots=8)
    up.until(lambda: up.store.job(last).engine_id)
    *excluded, wanted = up.real.nodes
    up.real.check("scontrol", "update", f"JobId={up.store.job(last).engine_id}", f"ExcNodeList={','.join(excluded)}")
    (tmp_path / "gate").touch()
    up.until_state("completed", jobs=[*before, last])
    (run,) = up.store.runs(last)
    assert [node for node, _ in run.parts] == [wanted]
