"""What ended jobs of a kind took says how soon the next one is likely over, whatever a single long one did."""

import pytest

from schedmate.clusters import LiveJob
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.queueing import ends
from schedmate.scheduling.queueing.ends import KindEnds, seconds_an_end
from schedmate.scheduling.queueing.ranking import Ranks
from schedmate.scheduling.view import ClusterView

WEEK_S = 604_800.0


class Hour:
    def duration_s(self, job):
        return 3600.0

    def learn(self, job, duration_s, status):
        pass


def ended(took_s, gpus=1.0, user="u", name="n"):
    job = LiveJob(0, "j", gpus, 0.0, user, name)
    job.served_s = took_s
    return job


def taught(*took_s, **kind):
    book = KindEnds()
    for one in took_s:
        book.note(ended(one, **kind))
    return book


@pytest.mark.parametrize(
    ("took_s", "each_s"),
    [
        ([100.0, 100.0, 100.0], 100.0),
        ([60.0, 60.0, 60.0, WEEK_S], 80.0),
        ([WEEK_S, WEEK_S, WEEK_S], WEEK_S),
        ([10.0, 1000.0, 1000.0, 1000.0], 40.0),
        ([300.0, 600.0, 900.0], 600.0),
    ],
)
def test_an_end_costs_what_all_run_up_to_the_best_moment(took_s, each_s):
    assert seconds_an_end(took_s) == pytest.approx(each_s)


@pytest.mark.parametrize("took_s", [(WEEK_S, 60.0, 60.0, 60.0), (60.0, 60.0, WEEK_S, 60.0)])
def test_it_does_not_matter_which_of_them_was_the_long_one(took_s):
    assert taught(*took_s).soonest_s(ended(0.0)) == pytest.approx(80.0)


def test_two_ends_are_too_few_and_who_never_ran_is_none():
    assert taught(60.0, 60.0).soonest_s(ended(0.0)) is None
    assert taught(60.0, 60.0, 0.0).soonest_s(ended(0.0)) is None
    assert taught(60.0, 60.0, 60.0).soonest_s(ended(0.0)) == 60.0


@pytest.mark.parametrize("other", [{"gpus": 8.0}, {"user": "v"}, {"name": "m"}])
def test_another_size_user_or_name_is_another_kind(other):
    assert taught(60.0, 60.0, 60.0).soonest_s(ended(0.0, **other)) is None


def test_a_kind_that_has_changed_is_judged_by_its_latest():
    book = taught(*[60.0] * ends.LATEST)
    assert book.soonest_s(ended(0.0)) == 60.0
    for _ in range(ends.LATEST):
        book.note(ended(5000.0))
    assert book.soonest_s(ended(0.0)) == 5000.0


def test_kinds_are_forgotten_before_they_fill_the_memory(monkeypatch):
    monkeypatch.setattr(ends, "MOST_KINDS", 2)
    book = KindEnds()
    for name in ("a", "b", "a", "c"):
        for _ in range(3):
            book.note(ended(60.0, name=name))
    assert book.soonest_s(ended(0.0, name="b")) is None
    assert book.soonest_s(ended(0.0, name="a")) == book.soonest_s(ended(0.0, name="c")) == 60.0
    assert len(book.latest) == 2


def test_a_newcomer_is_ranked_by_its_like_and_later_by_what_it_has_run():
    ranks, view = Ranks(Hour()), ClusterView("", Inventory([]))
    waiting = LiveJob(1, "w", 1, 0.0, "u", "n")
    ranks.take_in(waiting)
    assert ranks.of(waiting, view) == pytest.approx(0.3 * 3600)
    for took_s in (60.0, 60.0, 60.0, WEEK_S):
        ranks.forget(ended(took_s))
    assert ranks.of(waiting, view) == pytest.approx(80.0)
    waiting.served_s = 500.0
    assert ranks.of(waiting, view) == pytest.approx(500.0)


def test_without_estimates_what_others_took_is_not_asked():
    ranks, view = Ranks(Hour(), estimates=False), ClusterView("", Inventory([]))
    waiting = LiveJob(1, "w", 1, 0.0, "u", "n")
    ranks.take_in(waiting)
    for _ in range(3):
        ranks.forget(ended(60.0))
    assert ranks.of(waiting, view) == 1.0


def test_no_rank_is_below_a_second_however_soon_its_like_ended():
    ranks, view = Ranks(Hour()), ClusterView("", Inventory([]))
    for _ in range(ends.ENOUGH):
        ranks.ends.note(ended(1e-9))
    job = LiveJob(7, "j", 1.0, 0.0, "u", "n")
    ranks.take_in(job)
    assert ranks.of(job, view) == 1.0
