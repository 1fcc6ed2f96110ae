"""Who is likely done first runs; who has no room shares or takes a place; for who waits too long nodes are kept."""

import pytest

from schedmate.clusters import JobProgress, LiveJob, NodeSpec, Profile
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.policies.fifo import Fifo
from schedmate.scheduling.policies.policy_uses import Uses
from schedmate.scheduling.policies.schedmate import SchedMate
from schedmate.scheduling.queueing.lateness import BOUND
from schedmate.scheduling.view import ClusterView, Preempt, Start, stop


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
    return ClusterView("", Inventory([NodeSpec("n", gpus)]))


def arrive(seen, *jobs):
    for one in jobs:
        seen.pending[one.number] = one
        seen.arrived.append(one)


def decide(policy, seen):
    plan = policy.decide(seen)
    seen.arrived.clear()
    seen.ended.clear()
    seen.broken.clear()
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


def over(seen, *jobs):
    for one in jobs:
        stop(seen, one)
        seen.ended.append(one)


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


@pytest.mark.parametrize(
    ("util", "tells", "mib", "shares"),
    [(70.0, False, 4000, True), (90.0, False, 4000, False), (90.0, True, 4000, True), (90.0, True, 6000, False)],
)
def test_two_that_keep_a_gpu_busy_share_it_only_where_one_is_seen_to_be_slow(util, tells, mib, shares):
    """Up to 140 % together without more; beyond it beside one whose log tells; and never without memory for both."""
    seen = world(1, a=JobProgress(remaining_s=500.0 if tells else None))
    policy = SchedMate(Guess(a=1000, b=2000), gpu_memory_mib=10_000.0)
    pair = job(0, "a"), job(1, "b")
    for one in pair:
        one.profile = Profile("", "", 0, 0, util, 0, mib, 2)
        arrive(seen, one)
    assert decide(policy, seen) == [("a", None), *([("b", "a")] if shares else [])]


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


class Logs:
    """What jobs have told: by name, the remaining seconds, and when they saved."""

    def __init__(self, **told):
        self.told = told

    def __call__(self, job):
        return self.told.get(job.job_id, JobProgress())


def world(*sizes, **told):
    return ClusterView("", Inventory(NodeSpec(f"n{place}", gpus) for place, gpus in enumerate(sizes)), Logs(**told))


def preempted(policy, seen):
    return [action.job.job_id for action in policy.decide(seen).actions if isinstance(action, Preempt)]


def begun(policy, seen, *jobs):
    arrive(seen, *jobs)
    decide(policy, seen)
    assert not seen.pending


def test_who_has_saved_makes_room_for_who_is_done_in_half_the_time():
    seen = world(1, long=JobProgress(saved_s=990.0))
    policy = SchedMate(Guess(long=10_000, short=100, middle=9_000))
    begun(policy, seen, job(0, "long"))
    seen.now_s = 1000.0
    arrive(seen, job(1, "middle", submit_s=1000.0))
    assert decide(policy, seen) == [], "its rank is not half of the other's"
    arrive(seen, job(2, "short", submit_s=1000.0))
    assert preempted(policy, seen) == ["long"]
    assert list(seen.running) == [2]


@pytest.mark.parametrize("saved_s", [None, 1000.0 - 4000])
def test_nobody_goes_who_never_saved_or_would_lose_more_than_is_won(saved_s):
    seen = world(1, long=JobProgress(saved_s=saved_s))
    policy = SchedMate(Guess(long=20_000, short=100))
    begun(policy, seen, job(0, "long"))
    seen.now_s = 1000.0
    arrive(seen, job(1, "short", submit_s=1000.0))
    assert decide(policy, seen) == []


@pytest.mark.parametrize(("uses", "gone"), [(Uses(), []), (Uses(progress=False), ["a"])])
def test_a_log_is_believed_once_it_has_had_time_to_tell(uses, gone):
    seen = world(1, a=JobProgress(remaining_s=5.0, saved_s=190.0))
    policy = SchedMate(Guess(a=50_000, b=1000), uses=uses)
    begun(policy, seen, job(0, "a"))
    seen.now_s = 200.0
    arrive(seen, job(1, "b", submit_s=200.0))
    assert preempted(policy, seen) == gone, "its end is near, whatever was expected"


def test_the_node_is_taken_whose_victims_are_worth_least():
    saved = JobProgress(saved_s=100.0)
    seen = world(2, 2, a=saved, b=saved, c=saved, d=saved)
    policy = SchedMate(Guess(a=9_000, b=90_000, c=50_000, d=50_000, wide=100))
    begun(policy, seen, job(0, "a"), job(1, "b"), job(2, "c"), job(3, "d"))
    here = {one.job_id: one.placement.parts[0][0] for one in seen.running.values()}
    least = min(
        ("n0", "n1"), key=lambda node: sum(1 / {"a": 9, "b": 90, "c": 50, "d": 50}[n] for n in here if here[n] == node)
    )
    seen.now_s = 100.0
    arrive(seen, job(4, "wide", 2, submit_s=100.0))
    assert {here[name] for name in preempted(policy, seen)} == {least}


@pytest.mark.parametrize(("gpus", "gone"), [(1, [["b"]]), (2, [["c", "d"], ["d", "c"]])])
def test_a_node_that_can_be_had_whole_is_spared_for_who_wants_a_node(gpus, gone):
    """The others of it are worth less, but the newcomer may run there for weeks and never save."""
    saved = JobProgress(saved_s=100.0)
    seen = world(2, 2, b=saved, c=saved, d=saved)
    policy = SchedMate(Guess(a=90_000, b=50_000, c=90_000, d=90_000, new=100))
    for place, name in enumerate("abcd"):
        begun(policy, seen, job(place, name))
    assert seen.running[0].placement.parts[0][0] == seen.running[1].placement.parts[0][0]
    seen.now_s = 100.0
    arrive(seen, job(4, "new", gpus, submit_s=100.0))
    assert preempted(policy, seen) in gone


def test_each_part_can_be_left_out():
    saved = JobProgress(saved_s=100.0)
    for uses, told in ((Uses(displacing=False), []), (Uses(), ["long"])):
        seen = world(1, long=saved)
        policy = SchedMate(Guess(long=10_000, short=1), uses=uses)
        begun(policy, seen, job(0, "long"))
        seen.now_s = 100.0
        arrive(seen, job(1, "short", submit_s=100.0))
        assert preempted(policy, seen) == told
    seen = world(1)
    arrive(seen, job(0, "a", share=0.5), job(1, "b", share=0.5))
    assert decide(SchedMate(Guess(a=1, b=2), uses=Uses(packing=False)), seen) == [("a", None)]


def late(policy, seen, waiting):
    """Let a job wait out of all proportion."""
    arrive(seen, waiting)
    assert decide(policy, seen) == []
    seen.now_s = 2 * BOUND * 600.0
    return policy


def test_nodes_are_kept_for_who_waits_out_of_proportion():
    seen = world(2, 2)
    policy = SchedMate(Guess(a=2 * BOUND * 600 + 50, b=2 * BOUND * 600 + 1999, c=9e9, wide=1, brief=20, long=9e6))
    begun(policy, seen, *(job(place, name) for place, name in enumerate("abc")), job(3, "c"))
    a, b = seen.running[0], seen.running[1]
    late(policy, seen, job(4, "wide", 2))
    over(seen, a)
    arrive(seen, job(5, "long", submit_s=seen.now_s), job(6, "brief", submit_s=seen.now_s))
    assert decide(policy, seen) == [("brief", None)], "it is gone in time, the long one would not be"
    assert policy.drain.nodes == {b.placement.parts[0][0]}
    over(seen, b, seen.running[6])
    assert decide(policy, seen)[0] == ("wide", None)
    assert policy.drain.job is None


def kept(b_s=99.0):
    """Let nodes be kept for a job in whose way one is expected to be for some seconds more."""
    seen = world(20, 20)
    policy = SchedMate(Guess(b=2 * BOUND * 600 + b_s, wide=1, brief=20))
    begun(policy, seen, job(0, "b"))
    late(policy, seen, job(1, "wide", 40))
    arrive(seen, job(2, "brief", submit_s=seen.now_s))
    return policy, seen


@pytest.mark.parametrize(("left_s", "begins"), [(99.0, []), (1999.0, [("brief", None)])])
def test_nobody_begins_in_the_last_minutes_before_nodes_are_empty(left_s, begins):
    policy, seen = kept(b_s=left_s)
    assert decide(policy, seen) == begins
    assert policy.drain.job is not None


def test_who_is_held_back_begins_when_those_in_the_way_stay_after_all():
    policy, seen = kept()
    assert policy.decide(seen).wake_s is not None
    seen.arrived.clear()
    seen.now_s += 99
    assert decide(policy, seen) == [("brief", None)], "who stays longer than expected may stay for as long again"


def test_nobody_is_held_back_for_long_where_logs_always_speak_of_minutes():
    policy, seen = kept()
    seen.progress.told["b"] = JobProgress(remaining_s=99.0)
    waited_s = 0.0
    while not decide(policy, seen):
        seen.now_s = seen.now_s + 30
        waited_s += 30
        assert waited_s <= 600
    assert waited_s > 300


@pytest.mark.parametrize(("after_s", "gone"), [(2000.0, []), (4000.0, ["wide"])])
def test_nobody_takes_nodes_from_who_they_were_emptied_for_within_an_hour(after_s, gone):
    policy, seen = kept()
    policy.decide(seen)
    over(seen, seen.running[0])
    assert decide(policy, seen)[0] == ("wide", None)
    seen.now_s += after_s
    seen.progress.told["wide"] = JobProgress(saved_s=seen.now_s)
    arrive(seen, job(3, "brief", 8, submit_s=seen.now_s))
    assert preempted(policy, seen) == gone


def test_nodes_are_kept_no_longer_than_a_day_can_bear():
    seen = world(2)
    policy = SchedMate(Guess(a=1, c=3 * BOUND * 600, wide=1, long=9e6))
    begun(policy, seen, job(0, "a"), job(1, "c"))
    late(policy, seen, job(2, "wide", 2))
    over(seen, seen.running[0])
    arrive(seen, job(3, "long", submit_s=seen.now_s))
    assert decide(policy, seen) == [("long", None)], "a GPU would lie idle for more than 5 % of a day's"
    assert policy.drain.job is None


def test_who_is_left_alone_by_a_fault_may_have_company_before_anybody_notices_it():
    seen = view()
    policy = SchedMate(Guess(a=1, b=2, c=3))
    arrive(seen, job(0, "a", share=0.5), job(1, "b", share=0.5))
    assert decide(policy, seen) == [("a", None), ("b", "a")]
    hit = seen.running[0]
    stop(seen, hit)
    seen.broken.append(hit)
    assert decide(policy, seen) == []
    assert 0 not in policy.tenants.of
    arrive(seen, job(2, "c", share=0.5))
    assert decide(policy, seen) == [("c", "b")]


def test_what_nobody_else_would_have_taken_is_kept_for_nothing():
    seen = world(20, 20)
    policy = SchedMate(Guess(a=9e5, wide=1, brief=20, long=9e6))
    begun(policy, seen, job(0, "a"))
    late(policy, seen, job(1, "wide", 40))
    arrive(seen, job(2, "long", submit_s=seen.now_s), job(3, "brief", submit_s=seen.now_s))
    assert decide(policy, seen) == [("brief", None)], "39 GPUs lie idle for days, but one at most would be used"
    assert policy.drain.job is not None
    assert policy.drain.idle_gpus == 1


@pytest.mark.parametrize(("takes_s", "next_one"), [(900, "next"), (9000, "small")])
def test_where_nodes_were_emptied_the_brief_ones_of_that_size_follow(takes_s, next_one):
    seen = world(20, 20)
    policy = SchedMate(Guess(a=9e5, wide=1, next=takes_s, small=2))
    begun(policy, seen, job(0, "a"))
    late(policy, seen, job(1, "wide", 40))
    arrive(seen, job(2, "next", 40, submit_s=seen.now_s))
    assert decide(policy, seen) == []
    assert policy.drain.job is not None
    over(seen, seen.running[0])
    assert decide(policy, seen) == [("wide", None)]
    arrive(seen, job(3, "small", submit_s=seen.now_s))
    over(seen, seen.running[1])
    assert decide(policy, seen) == [(next_one, None)]


SAVED = JobProgress(saved_s=400.0)


@pytest.mark.parametrize(
    ("uses", "b", "moved"),
    [
        (Uses(), SAVED, ["b"]),
        (Uses(moving=False), SAVED, []),
        (Uses(), JobProgress(), []),
        (Uses(), JobProgress(saved_s=-9000.0), []),
    ],
    ids=["moves", "left out", "never saved", "would lose more than is won"],
)
def test_free_gpus_are_brought_together_by_who_has_saved(uses, b, moved):
    seen = world(2, 2, a=JobProgress(), b=b)
    policy = SchedMate(Guess(a=9_000, fill=1, b=9_000, wide=20_000), uses=uses)
    begun(policy, seen, job(0, "a"), job(1, "fill"), job(2, "b"))
    over(seen, seen.running[1])
    seen.now_s = 400.0
    arrive(seen, job(3, "wide", 2, submit_s=400.0))
    plan = policy.decide(seen)
    assert [action.job.job_id for action in plan.actions if isinstance(action, Preempt)] == moved
    assert [action.job.job_id for action in plan.actions if isinstance(action, Start)] == (
        ["wide", *moved] if moved else []
    )
    assert {one.job_id for one in seen.running.values()} == {"a", "b", *(["wide"] if moved else [])}


def test_nobody_moves_who_would_find_no_room_elsewhere():
    seen = world(4, 4, a=JobProgress(), b=SAVED)
    policy = SchedMate(Guess(a=9_000, fill=1, b=9_000, wide=20_000))
    begun(policy, seen, job(0, "a", 3), job(1, "b", 2))
    seen.now_s = 400.0
    arrive(seen, job(2, "wide", 3, submit_s=400.0))
    assert preempted(policy, seen) == [], "three GPUs are free, and b would find one of them"


@pytest.mark.parametrize("uses", [Uses(moving=False), Uses(displacing=False)], ids=["displaced", "moved"])
def test_of_the_node_for_what_is_left_of_a_job_only_so_much_is_emptied(uses):
    """Six GPUs on nodes of four: one node whole, and two GPUs of another, where somebody stays who never saved."""
    seen = world(4, 4, 4, gone=SAVED)
    policy = SchedMate(Guess(a=90_000, b=90_000, fill=90_000, gone=90_000, wide=20_000), uses=uses)
    begun(policy, seen, *(job(number, name, 2) for number, name in enumerate(["a", "fill", "b", "fill", "gone"])))
    over(seen, seen.running[1], seen.running[3])
    seen.now_s = 400.0
    arrive(seen, job(5, "wide", 6, submit_s=400.0))
    assert preempted(policy, seen) == ["gone"]
    assert {one.job_id for one in seen.running.values()} == {"a", "b", "gone", "wide"}
