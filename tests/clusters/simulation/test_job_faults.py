"""Faults that end single jobs: when they strike, what they cost, and which failures are taken for them."""

import numpy as np
import pytest

from schedmate.clusters import Ended, LiveJob, NodeSpec, Placement, Submitted
from schedmate.clusters.simulation.cluster import SimulatedCluster
from schedmate.clusters.simulation.job_faults import GPU_TIME, SHARE, Mishaps, struck
from schedmate.clusters.simulation.restart_cost import Saving
from schedmate.clusters.simulation.rigid_jobs import RigidPhysics
from schedmate.scheduling.loop import Loop
from schedmate.scheduling.policies.fifo import Fifo
from schedmate.scheduling.requeueing import RequeueAsMeasured
from schedmate.scheduling.view import Start

HERE = Placement("gpu", (("n0", 1),))
HOURLY = Saving(60.0, 60.0, every_s=3600.0)


def play(left, work_s=10_000.0):
    job = LiveJob(0, "0", 1, 0.0)
    physics = RigidPhysics(np.array([work_s]), HOURLY)
    cluster = SimulatedCluster([NodeSpec("n0", 1)], iter([job]), physics, mishaps=Mishaps({0: left}))
    assert cluster.wait(None) == [Submitted(job)]
    ends = []
    while True:
        cluster.start(job, HERE)
        (event,) = cluster.wait(None)
        assert isinstance(event, Ended)
        ends.append((cluster.now_s(), event.status))
        if event.status != "node_fail":
            return ends


def test_a_fault_costs_the_work_since_the_last_checkpoint_and_a_start():
    struck_s = 10_000.0 - 5_000.0
    assert play([5_000.0]) == [
        (struck_s, "node_fail"),
        (pytest.approx(struck_s + 5_000.0 + (5_000.0 - 3_600.0) + 60.0), "completed"),
    ]


def test_each_fault_strikes_once_in_the_order_of_the_work():
    ends = play([8_000.0, 4_000.0])
    assert [status for _, status in ends] == ["node_fail", "node_fail", "completed"]
    assert ends[0][0] == 2_000.0
    assert ends[1][0] == pytest.approx(2_000.0 + 2_000.0 + 60.0 + 4_000.0)


@pytest.mark.parametrize(("blamed", "elsewhere"), [({0}, "n1"), ((), "n0")])
def test_whose_fault_speaks_against_its_node_starts_again_elsewhere(blamed, elsewhere):
    job = LiveJob(0, "0", 1, 0.0)
    nodes = [NodeSpec("n0", 1), NodeSpec("n1", 1)]
    physics = RigidPhysics(np.array([100.0]), HOURLY)
    cluster = SimulatedCluster(nodes, iter([job]), physics, mishaps=Mishaps({0: (50.0,)}, blamed))
    placed = []

    class Places:
        def submitted(self, job, part): ...
        def ended(self, job, part, status): ...
        def decided(self, part, actions):
            placed.extend(one.placement.parts[0][0] for one in actions if isinstance(one, Start))

    Loop(cluster, lambda _: Fifo(), [Places()], RequeueAsMeasured({0: 7.0}, 99.0)).run()
    assert placed == ["n0", elsewhere]
    assert cluster.now_s() == pytest.approx(50.0 + 7.0 + 60.0 + 100.0)


def test_who_is_restarted_in_vain_comes_to_the_same_end_again():
    (first_s, first), (second_s, second) = play([0.0])
    assert (first_s, first, second) == (10_000.0, "node_fail", "completed")
    assert second_s == pytest.approx(10_000.0 + 10_000.0 % 3_600.0 + 60.0)


def test_so_many_failures_are_the_cluster_s_as_took_so_much_of_the_gpu_time():
    random = np.random.default_rng(5)
    gpu_s = random.lognormal(6, 2.5, 20_000)
    failed, resumed = random.random(20_000) < 0.4, gpu_s > 60.0
    found = struck(gpu_s, failed, resumed, seed=1)
    assert found.sum() == round(SHARE * failed.sum())
    assert not (found & ~(failed & resumed)).any()
    assert gpu_s[found].sum() / gpu_s[failed].sum() == pytest.approx(GPU_TIME, abs=0.05)
    assert (found == struck(gpu_s, failed, resumed, seed=1)).all()


def test_nothing_is_struck_where_nothing_failed():
    none = np.zeros(3, bool)
    assert not struck(np.ones(3), none, none, seed=0).any()
