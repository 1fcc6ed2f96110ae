"""What the loop may rely on, whatever the cluster: see the docstrings of `schedmate.clusters.Cluster`."""

import pytest

from schedmate.clusters import Ended, LiveJob, NodeDown, NodeSpec, NodeUp, Placement, Submitted
from schedmate.scheduling.loop import Loop
from schedmate.scheduling.policies.fifo import Fifo
from tests.contract.bench import Work
from tests.scheduling.conftest import Books

NODES = [NodeSpec("n1", 2), NodeSpec("n2", 2)]
RANK = {Ended: 0, NodeDown: 1, NodeUp: 1, Submitted: 2}
PATIENCE = 400
"""Units after which a test gives up waiting."""


def on(*parts, kind="gpu"):
    """Write a placement as node=mask."""
    return Placement(kind, parts)


class Watch:
    """Waits on a cluster, keeps all that it told, and checks what must hold of every answer."""

    def __init__(self, bench, nodes=NODES, work=()):
        self.bench, self.cluster = bench, bench.make(nodes, work)
        self.jobs, self.ended, self.events = {}, {}, []
        """Jobs and their ends by their place among those that came."""

    def place(self, job):
        return job.number - self.bench.first

    def start(self, job, placement, partner=None):
        """Do both halves of a start: the job's own book, then the cluster."""
        job.placement, job.partner = placement, partner
        if partner is not None:
            partner.partner = job
        self.cluster.start(job, placement, partner)

    def preempt(self, job):
        job.placement = None
        if job.partner is not None:
            job.partner.partner = None
            job.partner = None
        self.cluster.preempt(job)

    def step(self, until_s=None):
        """Wait once."""
        before_s = self.cluster.now_s()
        limit_s = before_s + PATIENCE * self.bench.unit_s
        events = self.cluster.wait(limit_s if until_s is None else until_s)
        assert self.cluster.now_s() >= before_s, "time runs forward"
        ranks = [RANK[type(event)] for event in events or ()]
        assert ranks == sorted(ranks), "ends first, then nodes, then submissions"
        for event in events or ():
            self.events.append(event)
            if isinstance(event, Submitted):
                assert self.place(event.job) not in self.jobs, "a job comes once"
                assert event.job.placement is None
                self.jobs[self.place(event.job)] = event.job
            elif isinstance(event, Ended):
                assert event.job.placement is not None, "only what runs can end"
                assert self.jobs[self.place(event.job)] is event.job, "one job is one object"
                event.job.placement = None
                if event.job.partner is not None:
                    event.job.partner.partner = None
                    event.job.partner = None
                self.ended.setdefault(self.place(event.job), []).append(event.status)
        return events

    def until(self, done):
        """Wait until something is so."""
        limit_s = self.cluster.now_s() + PATIENCE * self.bench.unit_s
        while not done():
            assert self.cluster.now_s() < limit_s, "it never came to be"
            assert self.step() is not None, "it can never come to be"

    def submitted(self, count):
        """Wait until so many jobs have come; give them in order."""
        self.until(lambda: len(self.jobs) >= count)
        return [self.jobs[number] for number in sorted(self.jobs)]

    def all_ended(self, count):
        self.until(lambda: sum(map(len, self.ended.values())) >= count)

    def settle(self, units):
        """Let time pass, whatever happens in it."""
        goal_s = self.cluster.now_s() + units * self.bench.unit_s
        while self.cluster.now_s() < goal_s and self.step(goal_s) is not None:
            pass


def test_nodes_are_listed_as_described(bench):
    watch = Watch(bench)
    assert [(node.name, node.gpus, node.kind) for node in watch.cluster.nodes()] == [("n1", 2, "gpu"), ("n2", 2, "gpu")]


def test_jobs_come_once_in_the_order_of_submission(bench):
    watch = Watch(bench, work=[Work(1), Work(1, at=0.5), Work(1, gpus=2)])
    jobs = watch.submitted(3)
    assert [watch.place(job) for job in jobs] == [0, 1, 2]
    assert [job.submit_s for job in jobs] == sorted(job.submit_s for job in jobs)
    assert sorted(job.gpus for job in jobs) == [1, 1, 2]
    assert all(isinstance(job, LiveJob) for job in jobs)


def test_waiting_for_nothing_ends_at_the_time_that_was_named(bench):
    watch = Watch(bench, work=[Work(5, gated=True)])
    (job,) = watch.submitted(1)
    watch.start(job, on(("n1", 1)))
    until_s = watch.cluster.now_s() + bench.unit_s
    while watch.cluster.now_s() < until_s:
        assert watch.step(until_s) == []


def test_a_job_runs_its_time_and_ends_once(bench):
    watch = Watch(bench, work=[Work(2)])
    (job,) = watch.submitted(1)
    began_s = watch.cluster.now_s()
    watch.start(job, on(("n1", 1)))
    watch.all_ended(1)
    assert watch.cluster.now_s() - began_s >= 1.9 * bench.unit_s
    watch.settle(2)
    assert watch.ended == {0: ["completed"]}


def test_a_job_that_was_not_started_never_ends(bench):
    watch = Watch(bench, work=[Work(1), Work(1)])
    first, _ = watch.submitted(2)
    watch.start(first, on(("n1", 1)))
    watch.all_ended(1)
    watch.settle(4)
    assert watch.ended == {0: ["completed"]}


def test_nothing_can_happen_any_more(bench):
    watch = Watch(bench, work=[Work(1)])
    (job,) = watch.submitted(1)
    watch.start(job, on(("n1", 1)))
    watch.all_ended(1)
    if bench.closes:
        assert watch.cluster.wait(None) is None
    else:
        assert watch.step(watch.cluster.now_s() + bench.unit_s) == []


def test_a_job_sees_the_gpus_it_was_given_and_no_others(bench):
    watch = Watch(bench, work=[Work(3, gated=True), Work(3, gpus=3, gated=True)])
    small, large = watch.submitted(2)
    watch.start(small, on(("n1", 0b10)))
    watch.start(large, on(("n2", 0b11), ("n1", 0b01)))
    watch.settle(0.5)
    assert bench.sees(small) == {"n1": [1]}
    assert bench.sees(large) == {"n1": [0], "n2": [0, 1]}
    bench.let_go(small, large)
    watch.all_ended(2)


def test_a_preempted_job_is_silent_until_it_is_started_again(bench):
    watch = Watch(bench, work=[Work(2, gated=True)])
    (job,) = watch.submitted(1)
    watch.start(job, on(("n1", 1)))
    watch.settle(0.5)
    watch.preempt(job)
    watch.settle(4)
    assert watch.ended == {}
    assert watch.cluster.speed(job) is None
    watch.start(job, on(("n2", 1)))
    bench.let_go(job)
    watch.all_ended(1)
    watch.settle(1)
    assert watch.ended == {0: ["completed"]}


def test_gpus_of_a_preempted_job_serve_the_next_at_once(bench):
    watch = Watch(bench, work=[Work(9, gpus=2, gated=True), Work(1, gpus=2)])
    long, short = watch.submitted(2)
    watch.start(long, on(("n1", 0b11)))
    watch.settle(0.5)
    watch.preempt(long)
    watch.start(short, on(("n1", 0b11)))
    watch.all_ended(1)
    assert watch.ended == {1: ["completed"]}


def test_stopping_and_starting_in_one_moment_leaves_one_run(bench):
    watch = Watch(bench, work=[Work(2, gated=True)])
    (job,) = watch.submitted(1)
    for node in ("n1", "n2", "n1", "n2"):
        watch.start(job, on((node, 1)))
        if node == "n1" or job.preemptions == 0:
            watch.preempt(job)
            job.preemptions += 1
    watch.settle(0.5)
    assert bench.sees(job) == {"n2": [0]}
    bench.let_go(job)
    watch.all_ended(1)
    watch.settle(2)
    assert watch.ended == {0: ["completed"]}


def test_a_resized_job_goes_on_where_it_was_moved_to(bench):
    watch = Watch(bench, work=[Work(2, gated=True)])
    (job,) = watch.submitted(1)
    watch.start(job, on(("n1", 0b01)))
    watch.settle(0.5)
    job.placement = on(("n1", 0b10), ("n2", 0b01))
    watch.cluster.resize(job, job.placement)
    watch.settle(0.5)
    assert bench.sees(job) == {"n1": [1], "n2": [0]}
    bench.let_go(job)
    watch.all_ended(1)
    watch.settle(1)
    assert watch.ended == {0: ["completed"]}


def test_two_jobs_on_the_same_gpus_both_end(bench):
    watch = Watch(bench, work=[Work(2, gpus=2, gated=True), Work(1, gpus=2, gated=True)])
    first, second = watch.submitted(2)
    watch.start(first, on(("n1", 0b11)))
    watch.start(second, on(("n1", 0b11)), first)
    watch.settle(0.3)
    assert bench.sees(first) == bench.sees(second) == {"n1": [0, 1]}
    for job in (first, second):
        speed = watch.cluster.speed(job)
        assert speed is None or 0 < speed < 10
    bench.let_go(first, second)
    watch.all_ended(2)
    assert watch.ended == {0: ["completed"], 1: ["completed"]}


def test_a_partner_outlives_the_other(bench):
    watch = Watch(bench, work=[Work(2, gated=True), Work(2, gated=True)])
    first, second = watch.submitted(2)
    watch.start(first, on(("n1", 1)))
    watch.start(second, on(("n1", 1)), first)
    watch.settle(0.5)
    watch.preempt(second)
    bench.let_go(first)
    watch.all_ended(1)
    assert watch.ended == {0: ["completed"]}


def test_a_node_that_fails_takes_its_jobs_with_it_and_no_others(bench):
    watch = Watch(bench, work=[Work(4, gated=True), Work(4, gated=True), Work(4, gpus=2, gated=True)])
    here, there, both = watch.submitted(3)
    watch.start(here, on(("n1", 0b01)))
    watch.start(there, on(("n2", 0b01)))
    watch.start(both, on(("n1", 0b10), ("n2", 0b10)))
    watch.settle(0.5)
    bench.break_node("n1")
    watch.until(lambda: any(isinstance(event, NodeDown) for event in watch.events) and len(watch.ended) == 2)
    assert watch.ended == {0: ["node_fail"], 2: ["node_fail"]}
    assert [node.name for node in watch.cluster.nodes()] == ["n2"]
    watch.start(here, on(("n2", 0b10)))
    bench.let_go(here, there)
    watch.all_ended(4)
    assert watch.ended == {0: ["node_fail", "completed"], 1: ["completed"], 2: ["node_fail"]}


def test_a_node_comes_back_and_serves_again(bench):
    watch = Watch(bench, work=[Work(1)])
    (job,) = watch.submitted(1)
    bench.break_node("n1")
    watch.until(lambda: any(isinstance(event, NodeDown) for event in watch.events))
    bench.repair_node("n1")
    watch.until(lambda: any(isinstance(event, NodeUp) for event in watch.events))
    assert [event for event in watch.events if isinstance(event, NodeDown | NodeUp)] == [
        NodeDown("n1"),
        NodeUp(NODES[0]),
    ]
    assert {node.name for node in watch.cluster.nodes()} == {"n1", "n2"}
    watch.start(job, on(("n1", 1)))
    watch.all_ended(1)


class Churn(Fifo):
    """Starts who fits, and parts or moves somebody at every other decision."""

    name = "churn"

    def __init__(self, pause_s):
        super().__init__()
        self.pause_s, self.turns = pause_s, 0

    def decide(self, view):
        self.turns += 1
        plan = super().decide(view)
        running = list(view.running.values())
        if running and self.turns % 2 and self.turns < 12:
            victim = running[self.turns % len(running)]
            plan.preempt(victim)
            self.queue.extend([victim])
        plan.wake_at(view.now_s + self.pause_s)
        if not view.pending and not view.running:
            plan.wake_s = None
        return plan


@pytest.mark.parametrize("policy", ["fifo", "churn"])
def test_the_loop_brings_all_work_to_an_end(bench, policy):
    work = [Work(1 + number % 3, 1 + number % 3, 0.2 * number) for number in range(9)]
    books = Books(NODES)
    cluster = bench.make(NODES, work)
    loop = Loop(cluster, lambda vc: Fifo() if policy == "fifo" else Churn(bench.unit_s / 2), [books])
    limit_s = cluster.now_s() + PATIENCE * bench.unit_s
    while len(books.done) < len(work) and loop.turn():
        assert cluster.now_s() < limit_s
    assert books.done == set(range(bench.first, bench.first + 9))
    assert not books.live
