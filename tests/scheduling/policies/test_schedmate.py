"""The policy of the paper's 4.3: shortest expected first, with ageing; late knowledge moves a job; light jobs share."""

from schedmate.clusters import LiveJob, NodeSpec, Profile
from schedmate.scheduling.inventory import Inventory
from schedmate.scheduling.policies.schedmate import SchedMate
from schedmate.scheduling.view import Start, View


class Guess:
    def __init__(self, **seconds):
        self.seconds = seconds

    def duration_s(self, job):
        return self.seconds[job.job_id]

    def learn(self, job, duration_s, status):
        pass


def job(number, name, gpus=1, submit_s=0.0, share=None):
    made = LiveJob(number, name, gpus, submit_s)
    if share is not None:
        made.profile = Profile("", "", 0, 0, 100 * share, 0, 0, 1)
    return made


def view(gpus=1):
    return View("", Inventory([NodeSpec("n", gpus)]))


def arrive(seen, *jobs):
    for one in jobs:
        seen.pending[one.number] = one
        seen.arrived.append(one)


def decide(policy, seen):
    plan = policy.decide(seen)
    seen.arrived.clear()
    seen.ended.clear()
    seen.revised.clear()
    return [
        (action.job.job_id, action.partner and action.partner.job_id)
        for action in plan.actions
        if isinstance(action, Start)
    ]


def test_the_shortest_goes_first():
    seen = view(2)
    arrive(seen, job(0, "long"), job(1, "short"), job(2, "middle"))
    assert decide(SchedMate(Guess(long=9, short=1, middle=5)), seen) == [("short", None), ("middle", None)]


def test_a_long_wait_outweighs_a_short_run():
    seen = view()
    arrive(seen, job(0, "long"), job(1, "short", submit_s=1000.0))
    assert decide(SchedMate(Guess(long=90, short=1), ageing=0.1), seen) == [("long", None)]


def test_nobody_overtakes_a_large_job_that_is_next():
    seen = view(2)
    busy, large, small = job(0, "busy"), job(1, "large", 2), job(2, "small")
    policy = SchedMate(Guess(busy=1, large=2, small=3))
    arrive(seen, busy)
    decide(policy, seen)
    arrive(seen, large, small)
    assert decide(policy, seen) == []


def test_what_is_learned_later_moves_a_job():
    seen = view()
    guess = Guess(busy=1, a=5, b=6)
    policy = SchedMate(guess)
    busy, a, b = job(0, "busy"), job(1, "a"), job(2, "b")
    arrive(seen, busy)
    decide(policy, seen)
    arrive(seen, a, b)
    assert decide(policy, seen) == []
    guess.seconds["b"] = 2
    seen.revised.append(b)
    seen.inventory.give(busy.placement)
    del seen.running[0]
    seen.ended.append(busy)
    assert decide(policy, seen) == [("b", None)]


def test_light_jobs_share_and_heavy_ones_do_not():
    seen = view()
    policy = SchedMate(Guess(a=1, b=2, c=3))
    arrive(seen, job(0, "a", share=0.5), job(1, "b", share=0.5), job(2, "c", share=0.5))
    assert decide(policy, seen) == [("a", None), ("b", "a")]
    for pair in ((0.7, 0.5), (None, 0.5), (0.5, None)):
        seen = view()
        arrive(seen, job(0, "a", share=pair[0]), job(1, "b", share=pair[1]))
        assert decide(SchedMate(Guess(a=1, b=2)), seen) == [("a", None)]


def test_who_left_the_queue_is_passed_over():
    seen = view()
    policy = SchedMate(Guess(busy=1, gone=2, next=3))
    busy, gone, following = job(0, "busy"), job(1, "gone"), job(2, "next")
    arrive(seen, busy)
    decide(policy, seen)
    arrive(seen, gone, following)
    decide(policy, seen)
    del seen.pending[1], seen.running[0]
    seen.inventory.give(busy.placement)
    seen.ended += [busy, gone]
    assert decide(policy, seen) == [("next", None)]
