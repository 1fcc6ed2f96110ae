"""Sia: its step-time model, its integer program against brute force, and whole runs of elastic jobs made up here."""

import itertools
import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("highspy")
pytest.importorskip("scipy")

from schedmate.clusters import LiveJob
from schedmate.clusters.simulation.applications import Application
from schedmate.clusters.simulation.cluster import SimulatedCluster
from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.clusters.simulation.elastic_jobs import TrainingPhysics
from schedmate.clusters.simulation.experience import Experience
from schedmate.clusters.simulation.first_guess import average_gain
from schedmate.clusters.simulation.goodput import BatchLimits, Noise, StepModel, best_batch, fit, loss_and_slope
from schedmate.clusters.simulation.likeness import Matching
from schedmate.errors import InputError
from schedmate.scheduling.loop import Loop
from schedmate.scheduling.policies.sia import Sia, list_configurations
from schedmate.scheduling.policies.sia_program import assign
from schedmate.scheduling.simulation.results import Recorder
from schedmate.traces.training_profiles import read_training_profiles
from tests.scheduling.conftest import Books

MODELS = {"t4": StepModel(0.05, 0.01, 0.05, 0.002, 0.02, 0.001, 1.2)}
MODELS["a100"] = MODELS["t4"]._replace(alpha_c=0.02, beta_c=0.003)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write the tables of an application whose steps follow a known model."""
    home = tmp_path_factory.mktemp("profiles")
    path = home / "toy"
    path.mkdir()
    for kind, model in MODELS.items():
        for name in ("placements", "scalability"):
            with (path / f"{name}-{kind}.csv").open("w") as stream:
                shape = "placement" if name == "placements" else "num_nodes,num_replicas"
                stream.write(f"{shape},local_bsz,step_time,sync_time\n")
                for word, batch in itertools.product(["1", "2", "4", "44"], (8, 16, 32, 64)):
                    nodes, replicas = len(word), sum(map(int, word))
                    step_s = float(model.step_s(nodes, replicas, batch))
                    where = word if name == "placements" else f"{nodes},{replicas}"
                    stream.write(f"{where},{batch},{step_s},{step_s - model.compute_s(batch)}\n")
    for batch in (32, 128, 512):
        rows = "".join(f"{100 * e},{e},0.5,0.01,{0.5 * e}\n" for e in range(1, 6))
        (path / f"validation-{batch}.csv").write_text(f"progress,iteration,metric,grad_sqr,grad_var\n{rows}")
    return home


def play(folder, count=6, category="adaptive", nodes="2x4:t4,1x4:a100", experience=None):
    applications = {name: Application(runs) for name, runs in read_training_profiles(folder).items()}
    physics = TrainingPhysics(applications, experience, {spec.kind for spec in parse_nodes(nodes)})
    jobs = [LiveJob(i, str(i), 2, 30.0 * i) for i in range(count)]
    for job in jobs:
        physics.enrol(job, "toy", 512, category)
    specs = parse_nodes(nodes)
    submit = np.array([job.submit_s for job in jobs])
    recorder, books = Recorder(submit, np.full(count, np.nan), np.full(count, 2)), Books(specs)
    Loop(SimulatedCluster(specs, iter(jobs), physics), lambda vc: Sia(), [recorder, books]).run()
    assert not books.live
    return recorder, books, jobs


def test_all_elastic_jobs_end_and_grow(folder):
    recorder, books, jobs = play(folder)
    assert np.isfinite(recorder.end_s).all()
    assert "Resize" in books.order
    assert all(job.spec.epoch == 5 for job in jobs)
    assert max(key[1] for seen in jobs[0].spec.seen.values() for key in seen) > 1


def test_a_job_begins_with_what_ended_ones_saw(folder):
    past = Experience()
    cold, _, _ = play(folder, experience=past)
    assert past.taught == 0
    assert set(past.steps) == {"toy"}
    warm, _, jobs = play(folder, experience=past.copied(Matching(1.0)))
    assert all(job.spec.borrowed for job in jobs)
    assert warm.end_s.mean() < cold.end_s.mean()


def test_trials_are_counted_once_for_jobs_without_a_like(folder):
    cold, _, jobs = play(folder, experience=Experience(trial_s=0.0))
    tried, _, trying = play(folder, count=1, experience=Experience(trial_s=20.0))
    alone, _, _ = play(folder, count=1, experience=Experience())
    assert not any(job.spec.has_tried for job in jobs)
    assert trying[0].spec.has_tried
    later_s = float(tried.end_s[0] - alone.end_s[0])
    assert later_s == pytest.approx(2 * 20.0 + 30.0, abs=60.0), "two kinds, one load more, on a clock of rounds"
    past = Experience()
    play(folder, experience=past)
    warm, _, likes = play(folder, experience=replace(past, matching=Matching(1.0), trial_s=20.0))
    assert not any(job.spec.has_tried for job in likes)
    assert warm.end_s.mean() < cold.end_s.mean()


def test_steps_that_belie_what_was_borrowed_make_a_job_forget_it(folder):
    past = Experience()
    play(folder, experience=past)
    slow = {kind: {key: (10 * a, 10 * b) for key, (a, b) in seen.items()} for kind, seen in past.steps["toy"].items()}
    past.steps["toy"] = slow
    recorder, _, jobs = play(folder, experience=past.copied(Matching(1.0)))
    assert np.isfinite(recorder.end_s).all()
    assert not any(job.spec.borrowed for job in jobs)
    for job in jobs:
        for kind, seen in job.spec.seen.items():
            (nodes, replicas, batch), (step_s, _) = next(iter(seen.items()))
            assert float(job.spec.models[kind].step_s(nodes, replicas, batch)) == pytest.approx(step_s, rel=0.3)


def test_a_like_whose_network_was_another_is_still_one(folder):
    past = Experience()
    play(folder, experience=past)
    for seen in past.steps["toy"].values():
        for key, (step_s, sync_s) in seen.items():
            seen[key] = (step_s + 9 * sync_s, 10 * sync_s)
    _, _, jobs = play(folder, experience=past.copied(Matching(1.0)))
    assert all(job.spec.borrowed for job in jobs)


def test_a_job_without_a_like_begins_as_others_gained_from_more(folder):
    past = Experience()
    cold, _, beginners = play(folder, experience=past)
    assert not any(job.spec.others for job in beginners), "nobody asks"
    asked, _, jobs = play(folder, experience=past.copied(Matching(hit=1e-9)))
    assert not any(job.spec.borrowed for job in jobs)
    (other,), shapes = jobs[-1].spec.others, list_configurations((("a100", 4, 4),))
    one, _, four = other.goodputs(shapes)
    assert four > 3 * one, "the ended ones' batches grew with their GPUs"
    sizes = [next(iter(seen))[1] for job in jobs for seen in job.spec.seen.values()]
    assert max(sizes) > 1
    assert asked.end_s.mean() < cold.end_s.mean()
    _, _, fixed = play(folder, category="rigid", experience=past.copied(Matching(hit=1e-9)))
    assert not any(job.spec.others for job in fixed)


class Gains:
    """A training that gains what it was told."""

    def __init__(self, values):
        self.values = values

    def goodputs(self, shapes):
        return None if self.values is None else np.array(self.values)


def test_others_gains_are_averaged_where_all_have_a_use():
    shapes = list_configurations((("t4", 4, 8),))
    assert shapes.gpus.tolist() == [1, 2, 4, 8]
    one, other, silent = Gains([3.0, 12.0, 12.0, 12.0]), Gains([1.0, 1.0, 4.0, 0.0]), Gains(None)
    mean = [1.0, (0.5 * (4**-0.5 + 1)) ** -2, 4.0, 0.0]
    assert average_gain([one, other, silent], shapes, 8).tolist() == pytest.approx(mean)
    assert average_gain([one, other], shapes, 2).tolist() == pytest.approx([*mean[:2], 0.0, 0.0])
    assert average_gain([silent, Gains([0.0] * 4)], shapes, 8) is None


def test_a_job_at_most_doubles_what_it_has_tried(folder):
    _, _, jobs = play(folder, count=1)
    tried = [key[1] for seen in jobs[0].spec.seen.values() for key in seen]
    assert all(b <= 2 * max(tried[:i]) for i, b in enumerate(tried) if i)


@pytest.mark.parametrize("category", ["rigid", "scale-gpus"])
def test_sizes_that_may_not_change_do_not(folder, category):
    _, _, jobs = play(folder, category=category)
    sizes = {key[1] for job in jobs for seen in job.spec.seen.values() for key in seen}
    assert sizes == {2} if category == "rigid" else sizes <= {1, 2}


def test_same_run_twice_is_the_same(folder):
    assert play(folder)[0].end_s.tolist() == play(folder)[0].end_s.tolist()


def test_an_application_that_was_not_measured(folder):
    physics = TrainingPhysics({})
    with pytest.raises(InputError, match="trains toy, which was not measured"):
        physics.enrol(LiveJob(0, "0", 1, 0.0), "toy", 8, "adaptive")


def test_a_kind_of_gpu_on_which_an_application_was_not_measured(folder):
    with pytest.raises(InputError, match="toy was not measured on GPUs of the kind 'gpu'") as told:
        play(folder, nodes="2x4:t4,1x4")
    assert told.value.hint == "it was on: a100, t4"
    physics = TrainingPhysics({"toy": Application(read_training_profiles(folder)["toy"])}, kinds=("t4", "gpu"))
    job = LiveJob(0, "0", 1, 0.0)
    job.kind = "t4"
    physics.enrol(job, "toy", 8, "adaptive")
    assert job.spec.app.knows("t4")


def test_fit_finds_the_model_that_made_the_steps():
    true = MODELS["t4"]
    seen = {
        (nodes, replicas, batch): (
            float(true.step_s(nodes, replicas, batch)),
            float(true.step_s(nodes, replicas, batch) - true.compute_s(batch)),
        )
        for nodes, replicas in [(1, 1), (1, 2), (1, 4), (2, 8), (4, 16)]
        for batch in (8, 32, 128)
    }
    found = fit(seen)
    for (nodes, replicas, batch), (step_s, _) in seen.items():
        assert float(found.step_s(nodes, replicas, batch)) == pytest.approx(step_s, rel=0.1)


def test_what_no_step_tells_of_stays_at_its_floor():
    found = fit({(1, 1, 8): (0.2, 0.01)})
    assert found.alpha_c == pytest.approx(0.095)
    assert found.alpha_r == found.beta_r == 1e-8
    assert found.alpha_n >= 1.1 * found.alpha_r


def test_the_gradient_is_that_of_the_loss():
    nodes, replicas, batch = np.array([1.0, 1, 2]), np.array([1.0, 4, 8]), np.array([8.0, 16, 32])
    at = np.array([0.1, 0.02, 0.08, 0.004, 0.05, 0.003, 1.5])
    known = np.log([0.3, 0.5, 0.9]), np.log([0.4, 0.6, 1.3])
    _, slope = loss_and_slope(at, nodes, replicas, batch, *known)
    for place in range(7):
        step = np.zeros(7)
        step[place] = 1e-6
        high, low = (loss_and_slope(at + sign * step, nodes, replicas, batch, *known)[0] for sign in (1, -1))
        assert slope[place] == pytest.approx((high - low) / 2e-6, rel=1e-4, abs=1e-6)


def test_best_batch_is_no_worse_than_any_it_tried():
    model, noise, limits = MODELS["t4"], Noise(0.01, 2.0), BatchLimits(32, 512, 8, 64)
    choice = best_batch(model, noise, limits, np.array([1.0, 1.0, 2.0]), np.array([1.0, 4.0, 8.0]))
    for place, (nodes, replicas) in enumerate([(1, 1), (1, 4), (2, 8)]):
        total = replicas * choice.local[place] * (choice.accumulation[place] + 1)
        assert 32 <= total <= 512 + replicas * (choice.accumulation[place] + 1)
        assert 8 <= choice.local[place] <= 64
        smallest = max(32, 8 * replicas)
        seconds = float(model.step_s(nodes, replicas, math.ceil(smallest / replicas)))
        assert choice.goodput[place] >= 0.99 * float(noise.gain(smallest / 32)) * 32 / seconds


rows = st.lists(st.lists(st.sampled_from([0.2, 0.4, 0.5, 0.7, 0.9, 1.0, math.inf]), min_size=4, max_size=4), max_size=5)


@settings(max_examples=60)
@given(rows=rows.filter(bool), capacity=st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_the_program_is_solved_to_the_best(rows, capacity):
    kind, gpus = np.array([0, 0, 1, 1]), np.array([1.0, 2.0, 1.0, 4.0])
    chosen = assign([(np.array(row), None) for row in rows], kind, gpus, capacity, 1.1)

    def cost(picks):
        used = [0.0, 0.0]
        for pick in picks:
            if pick is not None:
                used[kind[pick]] += gpus[pick]
        if used[0] > capacity[0] or used[1] > capacity[1]:
            return math.inf
        return sum(1.1 if pick is None else row[pick] for pick, row in zip(picks, rows, strict=True))

    best = min(cost(picks) for picks in itertools.product([None, 0, 1, 2, 3], repeat=len(rows)))
    assert cost(chosen) == pytest.approx(best, abs=1e-3)


def test_a_job_that_is_restarting_keeps_its_shape():
    cost = np.array([0.0, np.inf])
    rows = [(np.array([0.1, 0.1]), None), (cost, 0)]
    assert assign(rows, np.array([0, 0]), np.array([1.0, 1.0]), [1], 1.1) == [None, 0]


def test_moves_are_held_back_by_restarts_not_yet_earned():
    policy, job = Sia(), LiveJob(0, "0", 1, 0.0)
    job.spec = type("Spec", (), {"application": "bert"})
    assert policy.restart_factor(job, job.spec, 60.0) == 1.0
    policy.restarts[0] = 2
    assert policy.restart_factor(job, job.spec, 1000.0) == pytest.approx((1000 - 240) / 1120)
    assert policy.restart_factor(job, job.spec, 200.0) == 0.0


def test_configurations_are_powers_of_two_then_whole_nodes():
    shapes = list_configurations((("aws", 4, 24), ("rtx", 8, 24)), frozenset({6}))
    usual = [(int(k), int(g)) for k, g in zip(shapes.kind[shapes.regular], shapes.gpus[shapes.regular], strict=True)]
    assert usual == [(0, g) for g in (1, 2, 4, 8, 12, 16, 20, 24)] + [(1, g) for g in (1, 2, 4, 8, 16, 24)]
    assert shapes.gpus[~shapes.regular].tolist() == [6, 6]


def test_the_solver_prints_nothing_between_our_lines():
    """It writes past Python's own streams, so a process of its own is looked at."""
    code = (
        "import numpy as np; from schedmate.scheduling.policies.sia_program import assign; "
        "one = np.array([0]); print(assign([(np.array([0.1]), None)], one, one + 1.0, [1], 1.1))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[0]\n", "")
