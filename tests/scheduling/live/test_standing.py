"""Where a waiting job stands: who is before it, what it waits for, when it may start; asking changes nothing."""

import pytest

from schedmate.clusters import LiveJob, NodeSpec
from schedmate.scheduling.live.standing import standing
from schedmate.scheduling.policies.fifo import Fifo
from schedmate.scheduling.policies.qssf import Qssf
from schedmate.scheduling.policies.schedmate import SchedMate
from schedmate.scheduling.queueing.lateness import BOUND, BRIEF_S
from schedmate.scheduling.virtual_cluster import VirtualCluster


class Guess:
    def __init__(self, **seconds):
        self.seconds = seconds

    def duration_s(self, job):
        return self.seconds[job.name]

    def learn(self, job, duration_s, status):
        pass


def job(number, name, gpus=1, submit_s=0.0):
    return LiveJob(number, str(number + 1), gpus, submit_s, "u", name)


class Bench:
    """A part with some jobs, decided once."""

    def __init__(self, policy, nodes, guess):
        self.part, self.guess = VirtualCluster("", policy), guess
        for name, gpus in nodes.items():
            self.part.view.inventory.add(NodeSpec(name, gpus))

    def add(self, *jobs, now_s=0.0):
        view = self.part.view
        view.now_s = now_s
        for one in jobs:
            view.pending[one.number] = one
            view.arrived.append(one)
        self.part.policy.decide(view)
        view.arrived.clear()

    def stands(self, one):
        free = self.part.view.inventory.free_gpus
        told = standing(one, self.part, self.guess.duration_s)
        assert self.part.view.inventory.free_gpus == free, "asking changes nothing"
        return told


@pytest.fixture
def bench():
    guess = Guess(busy=100, short=10, long=1000, large=50)
    return Bench(SchedMate(guess), {"a": 1, "b": 1}, guess)


def test_the_shorter_are_before_it(bench):
    long, short = job(2, "long"), job(3, "short")
    bench.add(job(0, "busy"), job(1, "busy"))
    bench.add(long, short, now_s=40.0)
    told = bench.stands(long)
    assert (told["position"], told["waiting"], told["policy"]) == (2, 2, "schedmate")
    assert told["before"] == [
        {"job": 3, "job_id": "4", "name": "short", "user": "u", "slots": 1, "expected_s": 10, "waited_s": 40.0}
    ]
    assert told["waits_for"] == "1 slot together; 0 of 2 are free"
    assert told["expected_start_in_s"] == 60.0, "two slots come free at once"
    assert bench.stands(short)["before"] == []


def test_who_is_overdue_may_run_as_long_again(bench):
    bench.add(job(0, "short"), job(1, "busy"))
    late = job(2, "short")
    bench.add(late, now_s=30.0)
    assert bench.stands(late)["expected_start_in_s"] == 30.0


def test_what_is_scattered_and_what_is_set_aside_is_said():
    late_s = 1.1 * BOUND * BRIEF_S
    guess = Guess(busy=late_s + 300, large=50, small=9e9)
    here = Bench(SchedMate(guess), {"a": 2}, guess)
    here.add(job(0, "busy"))
    large, small = job(3, "large", 2), job(4, "small", submit_s=late_s)
    here.add(large)
    assert here.stands(large)["waits_for"] == "2 slots together; 1 of 2 are free"
    here.add(small, now_s=late_s)
    assert here.stands(large)["waits_for"].startswith("a to be empty enough: kept for it")
    assert here.stands(small)["waits_for"] == "a place beside a, kept for job 4, which waits more out of proportion"
    assert here.stands(small)["before"][0]["job_id"] == "4"


def test_more_than_there_is_says_so(bench):
    huge = job(0, "large", 3)
    bench.add(huge)
    told = bench.stands(huge)
    assert told["waits_for"] == "3 slots; the nodes that take jobs have 2"
    assert told["expected_start_in_s"] is None


def test_policies_that_keep_no_order_of_their_own_give_no_place():
    guess = Guess(busy=100, short=10)
    for policy, place in ((Fifo(), 1), (Qssf(guess), None)):
        here = Bench(policy, {"a": 1}, guess)
        waits = job(1, "short")
        here.add(job(0, "busy"), waits)
        assert here.stands(waits)["position"] == place


def test_a_place_far_back_is_not_played_through():
    guess = Guess(busy=100, short=10)
    here = Bench(SchedMate(guess), {"a": 1}, guess)
    jobs = [job(number, "short") for number in range(6000)]
    here.add(*jobs)
    told = here.stands(jobs[-1])
    assert (told["position"], told["expected_start_in_s"]) == (5999, None)
    assert here.stands(jobs[100])["expected_start_in_s"] == 1000.0


def test_who_keeps_away_from_a_node_says_so():
    here = Bench(SchedMate(Guess(long=50, again=5)), {"a": 1, "b": 1}, Guess(long=50, again=5))
    here.add(job(0, "long"))
    (busy,) = [name for name, _ in here.part.view.running[0].placement.parts]
    (free,) = {"a", "b"} - {busy}
    again = job(1, "again")
    again.avoid = frozenset([free])
    here.add(again)
    said = here.stands(again)["waits_for"]
    assert said == f"a place elsewhere than on {free}: it failed there, or its user excluded them"
