"""GPUs that go bad while their nodes stay up: who dies, what is free meanwhile, and what finding out saves."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.clusters import NodeSpec, Placement
from schedmate.clusters.simulation.gpu_faults import MEETS_S, GpuFaults
from schedmate.clusters.simulation.node_faults import Breakage
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.simulation.experiment import Experiment, Faults
from schedmate.scheduling.simulation.run_policy import run
from schedmate.traces.generating import generate
from tests.scheduling.test_engine import POLICIES, workloads

MEAN_S, REPAIR_S, SAVES_S, START_S = 100_000.0, 5_000.0, 1_000.0, 40.0
NODES = [NodeSpec("n0", 4)]


def breaks(seed, count):
    """Give when GPUs go bad first, in their order, as they are drawn."""
    draw = random.Random(f"gpus {seed}")
    return [draw.expovariate(1 / MEAN_S) for _ in range(count)]


def faults(seed=0, notice_s=0.0, nodes=NODES):
    return GpuFaults(nodes, MEAN_S, REPAIR_S, notice_s, SAVES_S, seed)


def seed_with_one_break(before_s, alone_until_s):
    """Find a seed with which just one GPU goes bad early."""
    for seed in range(1000):
        first, second = sorted(breaks(seed, 4))[:2]
        if first < before_s and second > alone_until_s:
            return seed, first
    raise AssertionError


def test_a_handler_takes_the_gpu_out_and_the_rest_of_the_node_goes_on(play):
    """The job of four GPUs waits for the repair; one of two, which came with it, starts at once on what is left."""
    seed, broke_s = seed_with_one_break(4_000.0, 60_000.0)
    outcomes, _ = play("fifo", [(0, 10_000, 4)], NODES, gpu_faults=faults(seed))
    saved_s = broke_s - broke_s % SAVES_S
    assert outcomes.end_s[0] == pytest.approx(broke_s + REPAIR_S + START_S + 10_000 - saved_s)
    outcomes, _ = play("easy", [(0, 10_000, 4), (1, 100, 2)], NODES, gpu_faults=faults(seed))
    assert outcomes.first_start_s[1] == pytest.approx(broke_s)


def test_where_nobody_knows_the_next_job_placed_there_dies_too(play):
    """Until a person notices the job starts again and again, and each time dies a minute later."""
    seed, broke_s = seed_with_one_break(4_000.0, 60_000.0)
    notice_s = 150.0
    outcomes, _ = play("fifo", [(0, 10_000, 4)], NODES, gpu_faults=faults(seed, notice_s))
    saved_s = broke_s - broke_s % SAVES_S
    # It dies at once, after 60 s, after 120 s, and when the GPU is taken out; of those runs nothing is left.
    left_s = 10_000 - saved_s + START_S
    assert outcomes.end_s[0] == pytest.approx(broke_s + notice_s + REPAIR_S + left_s)
    assert outcomes.run_s[0] == pytest.approx(broke_s + notice_s + left_s)


def test_a_bad_gpu_that_nobody_uses_is_found_by_the_job_that_comes_there(play):
    seed, broke_s = seed_with_one_break(4_000.0, 60_000.0)
    came_s = broke_s + 100
    outcomes, _ = play("fifo", [(0, 1, 1), (came_s, 1_000, 4)], NODES, gpu_faults=faults(seed))
    assert outcomes.end_s[1] == pytest.approx(came_s + MEETS_S + REPAIR_S + 1_000)


def test_a_job_that_is_done_before_it_needs_the_gpu_is_spared(play):
    seed, broke_s = seed_with_one_break(4_000.0, 60_000.0)
    outcomes, _ = play("fifo", [(0, 1, 1), (broke_s + 100, MEETS_S - 1, 4)], NODES, gpu_faults=faults(seed))
    assert outcomes.end_s[1] == pytest.approx(broke_s + 100 + MEETS_S - 1)


def test_a_node_that_comes_back_brings_good_gpus(play):
    """A node away from 0 s on for 100 s: its bad GPU is repaired with it."""
    told = faults(0)
    (spot, at_s), *_ = sorted(told._due_s.items(), key=lambda item: item[1])
    assert [(node, gpu, what) for node, gpu, what in told.until(at_s, {"n0"})] == [(*spot, "bad")]
    assert told.bad_of(Placement("gpu", (("n0", 0b1111),))) == [spot]
    told.mend("n0", at_s)
    assert told.bad_of(Placement("gpu", (("n0", 0b1111),))) == []


@settings(max_examples=15, deadline=None)
@given(jobs=workloads, seed=st.integers(0, 99), notice_s=st.sampled_from([0.0, 300.0]))
def test_no_job_is_lost_and_the_books_are_whole(play, jobs, seed, notice_s):
    nodes = [NodeSpec(f"n{i}", 4) for i in range(2)]
    for policy in POLICIES:
        bad = GpuFaults(nodes, 6_000.0, 200.0, notice_s, 100.0, seed)
        away = Breakage(nodes, 900.0, 200.0, checkpoint_s=100.0, seed=seed)
        outcomes, _ = play(policy, jobs, nodes, gpu_faults=bad, breakage=away)
        assert np.isfinite(outcomes.end_s).all()
        assert (outcomes.run_s >= outcomes.duration_s - 1e-6).all()


def test_the_books_of_free_gpus():
    book = Inventory([NodeSpec("a", 4), NodeSpec("b", 4)])
    first = book.place(2)
    book.serve("a", 0b0100, is_up=False)
    assert (book.free_gpus, book.total_gpus) == (5, 7)
    assert book.place(2).parts == (("b", 0b0011),), "one GPU is left on a"
    book.serve("a", 0b0100, is_up=True)
    book.give(first)
    assert (book.free_gpus, book.total_gpus) == (6, 8)
    book.serve("b", 0b1000, is_up=False)
    book.remove("b")
    assert (book.free_gpus, book.total_gpus) == (4, 4)
    book.add(NodeSpec("b", 4))
    assert (book.free_gpus, book.total_gpus) == (8, 8), "a node comes back whole"


@pytest.mark.parametrize("policy", ["schedmate", "lucid", "slurm", "horus"])
def test_a_handler_saves_time(policy):
    trace = generate(jobs=300, days=4, seed=2)
    nodes = tuple(NodeSpec(f"n{i}", 8) for i in range(int(trace.gpus.max()) // 8 + 2))
    plain = Experiment(trace=trace, nodes=nodes, accounting="honest")
    figures = [
        run(Experiment(trace=trace, nodes=nodes, accounting="honest", faults=one), policy).summary.avg_jct_s
        for one in (Faults(gpu_mean_up_s=2e7), Faults(gpu_mean_up_s=2e7, gpu_notice_s=43_200.0))
    ]
    assert run(plain, policy).summary.avg_jct_s < figures[0] < figures[1]
