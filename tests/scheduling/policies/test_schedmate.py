"""The policy of the paper's 4.3: shortest expected first, past those that do not fit, but nobody waits for ever."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.clusters import LiveJob, NodeSpec, Profile
from schedmate.scheduling.inventory import Inventory
from schedmate.scheduling.policies.fifo import Fifo
from schedmate.scheduling.policies.schedmate import PATIENCE_S, SchedMate
from schedmate.scheduling.view import Start, View, stop


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


def over(seen, *jobs):
    for one in jobs:
        stop(seen, one)
        seen.ended.append(one)


def test_small_jobs_pass_a_large_one_until_it_has_waited_enough():
    seen = view(2)
    first, second, large = job(0, "first"), job(1, "second"), job(2, "large", 2)
    small = [job(number, "small") for number in range(3, 6)]
    policy = SchedMate(Guess(first=1, second=9, large=2, small=9 * PATIENCE_S))
    arrive(seen, first, second)
    decide(policy, seen)
    arrive(seen, large, small[0])
    over(seen, first)
    assert decide(policy, seen) == [("small", None)]
    arrive(seen, *small[1:])
    seen.now_s = PATIENCE_S
    over(seen, small[0])
    assert decide(policy, seen) == [], "a slot is free, and is kept for the large one"
    assert seen.inventory.free_gpus == 1, "what is set aside is free in the books"
    over(seen, second)
    assert decide(policy, seen) == [("large", None)]
    over(seen, large)
    assert decide(policy, seen) == [("small", None), ("small", None)]


def test_only_the_nodes_that_are_needed_are_set_aside():
    seen = View("", Inventory([NodeSpec("a", 2), NodeSpec("b", 2)]))
    running = [job(number, f"r{number}") for number in range(4)]
    policy = SchedMate(Guess(r0=10, r1=10, r2=9e9, r3=9e9, large=5, small=9e9))
    arrive(seen, *running)
    decide(policy, seen)
    arrive(seen, job(4, "large", 2))
    seen.now_s = PATIENCE_S
    assert decide(policy, seen) == []
    arrive(seen, job(5, "small"), job(6, "small"))
    over(seen, running[0], running[2])
    assert decide(policy, seen) == [("small", None)], "on b: a is expected to be free first"
    assert seen.running[5].placement.parts[0][0] == "b"
    over(seen, running[1])
    assert decide(policy, seen) == [("large", None)]


def test_who_is_gone_in_time_may_use_what_is_set_aside():
    seen = view(2)
    wait_s = PATIENCE_S + 100
    policy = SchedMate(Guess(brief=1, busy=wait_s, large=1, small=50, long=101))
    brief, busy = job(0, "brief"), job(1, "busy")
    arrive(seen, brief, busy)
    decide(policy, seen)
    arrive(seen, job(2, "large", 2))
    seen.now_s = PATIENCE_S
    over(seen, brief)
    arrive(seen, job(3, "long", submit_s=seen.now_s), job(4, "small", submit_s=seen.now_s))
    assert decide(policy, seen) == [("small", None)]
    over(seen, seen.running[4])
    arrive(seen, job(5, "small", submit_s=seen.now_s))
    seen.now_s += 51
    assert decide(policy, seen) == [], "it would be late by one second"
    seen.now_s += 1000
    assert decide(policy, seen) == [], "busy is overdue, and that is nobody's leave to begin"
    over(seen, busy)
    assert decide(policy, seen) == [("large", None)]


def test_where_all_wait_for_days_one_is_not_waited_for_after_a_day():
    seen = view()
    policy = SchedMate(Guess(x=1))
    arrive(seen, *(job(number, "x") for number in range(1000)))
    for day in range(1000):
        seen.now_s = day * PATIENCE_S
        decide(policy, seen)
        over(seen, *list(seen.running.values()))
    assert policy.usual_wait_s > 700 * PATIENCE_S
    assert policy.patience() > 2800 * PATIENCE_S


def test_nobody_is_packed_onto_nodes_that_are_set_aside():
    seen = view(2)
    policy = SchedMate(Guess(light=9, heavy=9, large=1, small=1))
    arrive(seen, job(0, "light", share=0.3), job(1, "heavy"))
    decide(policy, seen)
    arrive(seen, job(2, "large", 2), job(3, "small", submit_s=PATIENCE_S, share=0.3))
    seen.now_s = PATIENCE_S
    assert decide(policy, seen) == []


def test_a_reservation_moves_when_its_node_goes_and_goes_with_its_job():
    seen = View("", Inventory([NodeSpec("a", 1), NodeSpec("b", 1)]))
    policy = SchedMate(Guess(r0=10, r1=20, old=5, small=1))
    running = [job(0, "r0"), job(1, "r1")]
    arrive(seen, *running)
    decide(policy, seen)
    arrive(seen, job(2, "old"), job(3, "small", submit_s=PATIENCE_S))
    seen.now_s = PATIENCE_S + 1
    assert decide(policy, seen) == []
    assert policy.reservation.nodes == ("a",)
    seen.inventory.remove("a")
    assert decide(policy, seen) == []
    assert policy.reservation.nodes == ("b",)
    seen.ended.append(seen.pending.pop(2))
    over(seen, running[1])
    assert decide(policy, seen) == [("small", None)]
    assert policy.reservation.job is None


def test_who_could_never_fit_keeps_nobody_else_from_a_reservation():
    seen = view(2)
    policy = SchedMate(Guess(busy=9e9, huge=1, large=1, small=9e9))
    busy = job(0, "busy")
    arrive(seen, busy)
    decide(policy, seen)
    arrive(seen, job(1, "huge", 3), job(2, "large", 2), job(3, "small", submit_s=PATIENCE_S))
    seen.now_s = PATIENCE_S
    assert decide(policy, seen) == []
    assert policy.reservation.job.job_id == "large"


def test_the_moment_at_which_patience_ends_is_asked_for():
    seen = view()
    policy = SchedMate(Guess(a=1, b=2), patience_s=50.0)
    arrive(seen, job(0, "a"), job(1, "b", submit_s=7.0))
    assert policy.decide(seen).wake_s == 57.0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 9)), min_size=1, max_size=25))
def test_who_waits_longest_starts_once_what_runs_has_ended(sizes):
    """However many small jobs come, one wave of ends after its patience is enough for the eldest."""
    seen = View("", Inventory([NodeSpec("a", 2), NodeSpec("b", 2)]))
    policy = SchedMate(Guess(flood=1, **{f"j{number}": size[1] for number, size in enumerate(sizes)}), patience_s=5.0)
    arrive(seen, *(job(number, f"j{number}", size[0]) for number, size in enumerate(sizes)))
    flood = len(sizes)
    for _ in sizes:
        seen.now_s += 10.0
        decide(policy, seen)
        eldest = min(seen.pending, default=flood)
        over(seen, *list(seen.running.values()))
        arrive(seen, *(job(flood + extra, "flood", submit_s=seen.now_s) for extra in range(4)))
        flood += 4
        decide(policy, seen)
        assert eldest not in seen.pending
    assert min(seen.pending, default=flood) >= len(sizes)


@pytest.mark.parametrize("make", [SchedMate, lambda guess: Fifo()])
def test_a_job_that_was_taken_back_and_released_starts_once(make):
    seen = view()
    policy = make(Guess(busy=1, again=2))
    busy, again, anew = job(0, "busy"), job(1, "again"), job(1, "again")
    arrive(seen, busy)
    decide(policy, seen)
    arrive(seen, again)
    decide(policy, seen)
    del seen.pending[1]
    seen.ended.append(again)
    decide(policy, seen)
    arrive(seen, anew)
    assert decide(policy, seen) == []
    over(seen, busy)
    assert decide(policy, seen) == [("again", None)]
    assert anew.placement is not None
    assert again.placement is None


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


def test_who_turns_out_to_be_light_while_it_runs_may_get_company():
    seen = view()
    policy = SchedMate(Guess(a=1, b=2))
    a = job(0, "a")
    arrive(seen, a)
    decide(policy, seen)
    arrive(seen, job(1, "b", share=0.5))
    assert decide(policy, seen) == []
    a.profile = Profile("", "", 0, 0, 40.0, 0, 0, 1)
    seen.revised.append(a)
    assert decide(policy, seen) == [("b", "a")]
    over(seen, a)
    arrive(seen, job(2, "a", share=0.5))
    assert decide(policy, seen) == [("a", "b")], "who was left alone is offered again"


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
