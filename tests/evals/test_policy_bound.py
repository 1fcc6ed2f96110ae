from dataclasses import replace

import numpy as np
import pytest

from evals.policy_bound import waits_s
from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.clusters.simulation.restart_cost import NONE, PUBLISHED
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.run_policy import run
from schedmate.traces.generating import generate

TRACE = generate("seren", jobs=3)
HELD_UP = replace(
    TRACE,
    submit_s=np.array([0.0, 10.0, 20.0]),
    duration_s=np.array([1000.0, 5.0, 50.0]),
    gpus=np.array([1, 16, 16]),
)


def at_two_nodes(saving):
    return Experiment(trace=HELD_UP, nodes=tuple(parse_nodes("2x8")), saving=saving, accounting="honest")


def test_who_wants_all_waits_for_those_that_came_before_and_never_save():
    assert waits_s(at_two_nodes(NONE)).tolist() == [0.0, 990.0, 980.0]


def test_nobody_is_held_up_where_all_save():
    assert waits_s(at_two_nodes(PUBLISHED)).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("policy", ["schedmate", "fifo", "tiresias"])
def test_no_policy_that_stops_nobody_is_better(policy):
    world = at_two_nodes(NONE)
    least_s = float(np.mean(HELD_UP.duration_s + waits_s(world)))
    summary = run(world, policy).summary
    assert summary.preemptions > 0 or summary.avg_jct_s >= least_s
