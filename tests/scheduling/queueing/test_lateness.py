"""Late is who waits out of proportion to what it takes, as far as that is known now."""

from schedmate.clusters import LiveJob
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.queueing.lateness import BOUND, BRIEF_S, Lateness
from schedmate.scheduling.queueing.ranking import Ranks
from schedmate.scheduling.view import ClusterView


class Brief:
    def duration_s(self, job):
        return BRIEF_S

    def learn(self, job, duration_s, status):
        pass


def waiting(*jobs):
    ranks = Ranks(Brief())
    late, view = Lateness(ranks), ClusterView("", Inventory([]))
    for job in jobs:
        ranks.take_in(job)
        view.pending[job.number] = job
        late.note(job, view)
    return late, view


def test_who_ran_for_long_meanwhile_is_not_late_because_it_was_thought_to_be_brief():
    brief, ran = LiveJob(0, "brief", 1, 0.0), LiveJob(1, "ran", 1, 0.0)
    late, view = waiting(brief, ran)
    view.now_s = BOUND * BRIEF_S
    ran.served_s = view.now_s / 3
    assert late.due(view) == [brief, ran], "both are ranked anew"
    assert late.worst(view) is brief
    del view.pending[0]
    assert late.worst(view) is None


def test_it_is_late_once_its_wait_is_out_of_proportion_to_what_it_ran_too():
    ran = LiveJob(0, "ran", 1, 0.0)
    late, view = waiting(ran)
    ran.served_s = 2 * BRIEF_S
    view.now_s = BOUND * BRIEF_S
    assert late.due(view) == [ran]
    assert late.worst(view) is None
    late.note(ran, view)
    assert late.next_s() == BOUND * 4 * BRIEF_S, "it has as much before it as behind it"
    view.now_s = late.next_s()
    assert late.due(view) == [ran]
    assert late.worst(view) is ran
