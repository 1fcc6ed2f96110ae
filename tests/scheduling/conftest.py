"""Small clusters and workloads, and a run of the loop that checks the books at every decision."""

import numpy as np
import pytest

from schedmate.clusters import LiveJob, NodeSpec
from schedmate.clusters.simulation.cluster import SimulatedCluster
from schedmate.clusters.simulation.restart_cost import PUBLISHED
from schedmate.clusters.simulation.rigid_jobs import RigidPhysics
from schedmate.scheduling.catalogue import PolicyParts, policy_maker
from schedmate.scheduling.estimators.table import TableEstimator
from schedmate.scheduling.loop import Loop
from schedmate.scheduling.placement.cut_gpus import BY_TIME
from schedmate.scheduling.simulation.results import Recorder


class Books:
    """Fails the test as soon as a GPU is held twice, a job is lost, or work is done that nobody asked for."""

    def __init__(self, nodes):
        self.gpus = {node.name: node.gpus for node in nodes}
        self.live, self.done = set(), set()
        self.order = []

    def submitted(self, job, part):
        assert job.number not in self.live | self.done
        self.live.add(job.number)

    def ended(self, job, part, status):
        self.live.remove(job.number)
        self.done.add(job.number)
        assert job.placement is None

    def decided(self, part, actions):
        view = part.view
        holders = {}
        for job in view.running.values():
            assert job.placement is not None
            assert bool(job.placement.piece) == (job.gpus < 1)
            assert job.gpus <= job.placement.gpus <= max(job.gpus, job.most_gpus, 1) or job.spec is not None
            for node, mask in job.placement.parts:
                assert mask.bit_length() <= self.gpus[node]
                for gpu in range(mask.bit_length()):
                    if mask >> gpu & 1:
                        holders.setdefault((node, gpu), []).append(job)
        used = 0.0
        for jobs in holders.values():
            if jobs[0].placement.piece:
                used += self.check_cut(jobs, view.inventory.cut)
                continue
            used += 1
            assert len(jobs) == 1 or (len(jobs) == 2 and jobs[0].partner is jobs[1] and jobs[1].partner is jobs[0])
        assert view.inventory.free_gpus == view.inventory.total_gpus - len(holders)
        assert view.inventory.busy_gpus == pytest.approx(used)
        assert not view.pending.keys() & view.running.keys()
        assert all(job.placement is None for job in view.pending.values())
        self.order += [type(action).__name__ for action in actions]

    @staticmethod
    def check_cut(jobs, cut):
        """All on it have pieces, large enough, side by side; give what is held of it."""
        held = 0
        for job in jobs:
            piece = job.placement.piece
            assert piece
            assert job.partner is None
            share = piece / cut.units if cut is BY_TIME else max(s for s, masks in cut.profiles if piece in masks)
            assert share >= job.gpus - 1e-5
            assert cut is BY_TIME or not held & piece
            held += piece
        assert cut.used(held) <= cut.units
        return cut.used(held) / cut.units


@pytest.fixture
def play():
    def run(policy, jobs, nodes, predicted=None, cut=BY_TIME, **options):
        nodes = [NodeSpec(f"n{i}", 4) for i in range(nodes)] if isinstance(nodes, int) else nodes
        submit, duration = (np.array([float(job[k]) for job in jobs]) for k in (0, 1))
        gpus = np.array([job[2] for job in jobs])
        sizes = [job[2] if job[2] < 1 else int(job[2]) for job in jobs]
        live = [LiveJob(i, str(i), sizes[i], float(submit[i])) for i in range(len(jobs))]
        for job in live:
            job.packable = job.gpus >= 1
        guess = duration if predicted is None else np.array(predicted, float)
        restart = PUBLISHED
        parts = PolicyParts(TableEstimator(duration), TableEstimator(guess), restart)
        recorder, books = Recorder(submit, duration, gpus), Books(nodes)
        cluster = SimulatedCluster(nodes, iter(live), RigidPhysics(duration, restart), **options)
        make = policy if callable(policy) else policy_maker(policy, parts)
        loop = Loop(cluster, make, [recorder, books], cut=cut)
        loop.run()
        assert not books.live
        return recorder.outcomes(np.zeros(len(jobs), np.int32)), loop

    return run
