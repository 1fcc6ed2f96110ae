"""A job that was sent again comes after the end of the one that had broken off, whenever that is here."""

import json

import numpy as np
import pytest

from schedmate.scheduling.policy_table import POLICIES
from schedmate.scheduling.simulation.build_experiment import prepare
from schedmate.scheduling.simulation.options import SimulationOptions
from schedmate.scheduling.simulation.run_policy import run
from schedmate.traces.chains import attempts
from schedmate.traces.reading import read_trace
from tests.cli.test_simulate import run as command  # noqa: F401 (a fixture)

HEAD = "job_id,user,vc,name,submit_s,duration_s,gpus,status,start_s\n"
ROWS = (
    "a,ann,,train,0,100,8,FAILED,0\n"
    "b,bob,,other,10,500,8,COMPLETED,100\n"
    "c,ann,,train,130,200,8,CANCELLED,600\n"  # 30 s after a's end
    "d,ann,,train,820,50,8,COMPLETED,820\n"  # 20 s after c's end
)


@pytest.fixture
def path(tmp_path):
    (tmp_path / "chain.csv").write_text(HEAD + ROWS)
    return str(tmp_path / "chain.csv")


def played(path, nodes, policy="fifo", **more):
    experiment = prepare(
        SimulationOptions(trace=path, nodes=nodes, policies=(policy,), chains=True, accounting="honest", **more)
    )
    return experiment, run(experiment, policy)


def test_the_users_own_time_is_kept(path):
    assert attempts(read_trace(path)) == {0: (2, 30.0), 2: (3, 20.0)}


def test_on_a_larger_cluster_the_next_attempt_comes_sooner(path):
    """On two nodes nobody waits: c ends at 330 s, so d comes at 350 s and not at 820 s."""
    experiment, result = played(path, "2x8")
    assert result.outcomes.submit_s.tolist() == [0.0, 10.0, 130.0, 350.0]
    assert result.outcomes.end_s.tolist() == [100.0, 510.0, 330.0, 400.0]
    assert result.outcomes.queue_s.tolist() == [0.0] * 4
    assert "2 of 4 jobs were sent again" in experiment.trace.notes[-1]


def test_on_a_busy_cluster_the_next_attempt_comes_later(path):
    """On one node c waits for b until 600 s and ends at 800 s; what was recorded is played back."""
    _, result = played(path, "1x8")
    assert result.outcomes.submit_s.tolist() == [0.0, 10.0, 130.0, 820.0]
    assert result.outcomes.end_s.tolist() == [100.0, 600.0, 800.0, 870.0]
    assert result.outcomes.queue_s.tolist() == [0.0, 90.0, 470.0, 0.0]


def test_without_chains_attempts_come_as_recorded(path):
    experiment = prepare(SimulationOptions(trace=path, nodes="2x8"))
    assert not experiment.chains
    assert run(experiment, "fifo").outcomes.submit_s.tolist() == [0.0, 10.0, 130.0, 820.0]


def test_where_a_fault_ends_a_job_for_good_the_next_attempt_still_comes(path, monkeypatch):
    _, result = played(path, "2x8", node_mtbf_h=1 / 6, repair_h=1 / 60, on_node_fail="end")
    assert np.isfinite(result.outcomes.end_s).all()


@pytest.mark.parametrize("policy", sorted(set(POLICIES) - {"sia"}))
def test_all_come_to_their_end_under_every_policy(policy, tmp_path):
    ends = ("FAILED", "CANCELLED", "COMPLETED")
    rows = [(i, f"u{i % 3}", i % 2, i * 97 % 5000, 50 + i * 331 % 900, 1 + i % 4, ends[i % 3]) for i in range(150)]
    lines = ["{},{},,n{},{},{},{},{},\n".format(*row) for row in rows]
    (tmp_path / "many.csv").write_text(HEAD + "".join(lines))
    experiment, result = played(str(tmp_path / "many.csv"), "9x4", policy)
    assert len(experiment.chains) > 10
    outcomes = result.outcomes
    assert np.isfinite(outcomes.end_s).all()
    for first, (second, gap_s) in experiment.chains.items():
        assert outcomes.submit_s[second] == pytest.approx(outcomes.end_s[first] + gap_s)
        assert outcomes.first_start_s[second] >= outcomes.submit_s[second] - 1e-6


def test_the_output_says_so(command, path):  # noqa: F811
    told = command("--trace", path, "--nodes", "2x8", "--policy", "fifo", "--chains", "--json")
    assert "2 of 4 jobs were sent again" in " ".join(told.err.split())
    assert [json.loads(line)["jobs"] for line in told.out.splitlines()][-1] == 4
