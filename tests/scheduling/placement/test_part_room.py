"""A part of a GPU finds room where other parts of a cut GPU go, and whoever never saved stays beside it."""

import pytest

from schedmate.clusters import JobProgress, LiveJob, NodeSpec
from schedmate.scheduling.placement import part_room
from schedmate.scheduling.placement.cut_gpus import cut_by
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.placement.part_room import willing
from schedmate.scheduling.policies.schedmate import SchedMate
from schedmate.scheduling.view import ClusterView, Preempt

NOW_S = 1000.0
SAVED = JobProgress(saved_s=NOW_S - 10)


class Guess:
    def __init__(self, seconds):
        self.seconds = seconds

    def duration_s(self, job):
        return self.seconds[job.job_id]

    def learn(self, job, duration_s, status):
        pass


def gone(running, gpus=1, newcomer=0.5, takes_s=100.0, fractions="time"):
    """Start jobs of (name, part, expected seconds, what is known of it); say who goes when a newcomer comes."""
    told = {name: progress for name, _, _, progress in running}
    inventory = Inventory([NodeSpec("n", gpus)], cut_by(fractions))
    seen = ClusterView("", inventory, lambda job: told.get(job.job_id, JobProgress()))
    policy = SchedMate(Guess({name: takes for name, _, takes, _ in running} | {"new": takes_s}))
    for number, (name, part, *_) in enumerate(running):
        seen.pending[number] = LiveJob(number, name, part, 0.0)
        seen.arrived.append(seen.pending[number])
        policy.decide(seen)
        seen.arrived.clear()
    assert not seen.pending
    seen.now_s = NOW_S
    seen.pending[99] = LiveJob(99, "new", newcomer, NOW_S)
    seen.arrived.append(seen.pending[99])
    actions = policy.decide(seen).actions
    stopped = [action.job.job_id for action in actions if isinstance(action, Preempt)]
    assert (99 in seen.running) == bool(stopped)
    return stopped


def test_who_saved_gives_up_its_part_beside_one_that_never_did():
    assert gone([("stays", 0.5, 90_000, JobProgress()), ("goes", 0.5, 90_000, SAVED)]) == ["goes"]


def test_a_whole_gpu_is_not_cut_where_a_part_of_a_cut_one_will_do():
    """The whole one would be worth less, but nobody knows for how long it would then be lost to whole jobs."""
    running = [("whole", 1, 900_000, SAVED), ("stays", 0.5, 90_000, JobProgress()), ("goes", 0.5, 90_000, SAVED)]
    assert gone(running, gpus=2) == ["goes"]
    assert gone([running[0], ("stays", 1.0, 90_000, JobProgress())], gpus=2) == ["whole"]


def test_no_more_go_than_the_part_takes_and_the_least_worthy_first():
    running = [("a", 0.25, 50_000, SAVED), ("b", 0.25, 90_000, SAVED), ("c", 0.25, 70_000, SAVED)]
    running.append(("never", 0.25, 90_000, JobProgress()))
    assert gone(running, newcomer=0.25) == ["b"]
    assert gone(running, newcomer=0.5) == ["b", "c"]
    assert gone(running, newcomer=0.8) == []


def test_nobody_goes_whose_part_is_not_needed():
    """The small part is worth least and makes no room; the large one makes enough alone."""
    running = [("small", 0.1, 90_000, SAVED), ("large", 0.5, 50_000, SAVED), ("never", 0.4, 90_000, JobProgress())]
    assert gone(running, newcomer=0.5) == ["large"]
    assert gone(running, newcomer=0.6) == ["small", "large"]


def test_who_never_saved_stays_however_long_it_has_to_go():
    endless = [("a", 0.5, float("inf"), JobProgress()), ("b", 0.5, float("inf"), JobProgress())]
    assert gone(endless) == []


def test_no_more_cut_gpus_are_looked_at_than_may_cost_less(monkeypatch):
    """The one with the least worthy of all comes first, and where it alone goes no other can cost less."""
    running = [(f"job{number}", 0.5, 50_000 + 1000 * number, SAVED) for number in range(80)]
    looks = []
    monkeypatch.setattr(part_room, "willing", lambda *asked: looks.append(asked) or willing(*asked))
    assert gone(running, gpus=40) == ["job79"]
    assert len(looks) == 1


def test_of_two_cut_gpus_the_one_whose_parts_are_worth_least():
    running = [("a", 0.6, 50_000, SAVED), ("b", 0.4, 90_000, JobProgress())]
    running += [("c", 0.6, 70_000, SAVED), ("d", 0.4, 90_000, JobProgress())]
    assert gone(running, gpus=2, newcomer=0.6) == ["c"]


@pytest.mark.parametrize("told", [JobProgress(), JobProgress(saved_s=NOW_S - 5000), JobProgress(150.0, saved_s=990.0)])
def test_nobody_gives_up_a_part_who_never_saved_or_loses_much_or_is_soon_done(told):
    assert gone([("a", 0.5, 10_000, told), ("b", 0.5, 10_000, told)]) == []


def test_slices_go_as_shares_of_time_do():
    running = [("stays", 0.5, 90_000, JobProgress()), ("goes", 0.4, 90_000, SAVED)]
    assert gone(running, newcomer=0.4, fractions="mig") == ["goes"]
