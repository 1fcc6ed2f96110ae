"""The report's drawings and tables: who is best, the profiler's nodes, jobs on scattered GPUs."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.report import figures, page
from schedmate.scheduling.simulation.report.page import policy_table
from schedmate.scheduling.simulation.run_policy import run
from schedmate.scheduling.simulation.simulated import Simulation
from schedmate.scheduling.simulation.timeline import Sample, Stretch, Timeline
from schedmate.traces.generating import generate


@pytest.fixture(scope="module")
def experiment():
    trace = generate(jobs=400, days=3, seed=1)
    return Experiment(trace=replace(trace, gpus=np.minimum(trace.gpus, 16)), nodes=tuple(parse_nodes("9x8")))


def played(experiment, *policies):
    results = {(policy, 0): run(experiment, policy, timeline=Timeline()) for policy in policies}
    return Simulation(experiment, results, tuple(result.summary for result in results.values()))


def test_the_best_stands_out_only_where_policies_differ(experiment):
    assert "class='best'" not in policy_table(played(experiment, "fifo"))
    assert policy_table(played(experiment, "fifo", "srtf")).count("class='best'") > 3


def test_the_nodes_of_the_profiler_are_in_the_picture(experiment):
    result = run(experiment, "lucid", timeline=Timeline())
    setup = experiment.profiler_for("lucid")
    used = {stretch.node for stretch in result.timeline.stretches}
    assert len({node.name for node in experiment.nodes[-setup.nodes :]} & used) == setup.nodes
    assert result.gpus == 72
    area = sum(
        first.busy_gpus * (second.time_s - first.time_s)
        for first, second in zip(result.timeline.samples, result.timeline.samples[1:], strict=False)
    )
    assert area / (72 * result.summary.makespan_s) == pytest.approx(result.summary.gpu_utilisation, rel=0.01)


def test_two_records_of_use_add_up():
    first, second = Timeline(), Timeline()
    first.samples = [Sample(0.0, 4, 1), Sample(10.0, 2, 0)]
    second.samples = [Sample(5.0, 1, 7), Sample(12.0, 0, 0)]
    second.stretches = [Stretch(0, 5.0, 12.0, "p", 1, False)]
    first.add_busy(second)
    assert [(s.time_s, s.busy_gpus, s.waiting) for s in first.samples] == [(0, 4, 1), (5, 5, 1), (10, 3, 0), (12, 2, 0)]
    assert len(first.stretches) == 1


def test_scattered_gpus_are_drawn_where_they_are():
    assert figures.runs(0b11011) == [(0, 2), (3, 2)]
    assert figures.runs(0) == []
    assert sorted(["n-10", "n-9", "n"], key=figures.natural) == ["n", "n-9", "n-10"]


def test_the_waits_that_the_site_recorded_stand_first_and_a_replay_that_misses_them_is_doubted(experiment):
    trace = replace(experiment.trace, waited_s=np.full(len(experiment.trace), 54_321.0))
    simulation = played(replace(experiment, trace=trace), "fifo")
    text = page(simulation, {key[0]: result for key, result in simulation.results.items()})
    table = policy_table(simulation)
    assert table.index("as it was") < table.index("54,321") < table.index("fifo")
    assert "no policy replays the waits that are recorded" in text
    assert "as it was" not in policy_table(played(experiment, "fifo"))
