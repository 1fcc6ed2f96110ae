"""Sia told how much is left: who tells it, when that is belied, and what it changes."""

import numpy as np
import pytest

pytest.importorskip("highspy")
pytest.importorskip("scipy")

from schedmate.clusters.elastic import Configurations
from schedmate.clusters.simulation.experience import Experience
from schedmate.clusters.simulation.likeness import Matching
from schedmate.clusters.simulation.told_remaining import Legibility
from schedmate.clusters.simulation.work_left import SILENT, Outlook
from schedmate.scheduling.policies.sia import list_configurations
from schedmate.scheduling.policies.sia_left import left_s, part_in_steps, weigh, weighed
from tests.scheduling.test_sia import folder, play

__all__ = ["folder"]


class Told:
    """A job of 10 units a second on one GPU, 20 on two, that tells what it is told to."""

    application = "bert"
    category = "adaptive"
    wanted_gpus = 1

    def __init__(self, left: float | None) -> None:
        self.left = left

    def goodputs(self, shapes: Configurations) -> np.ndarray:
        return np.where(shapes.gpus <= 2, 10.0 * shapes.gpus, 0.0)

    def restarting(self, now_s: float) -> bool:
        return False

    def work_left(self, now_s: float) -> float | None:
        return self.left


def test_a_log_tells_with_its_error_and_only_after_some_time():
    outlook = Outlook(told=1.5, told_after_s=180.0, expected=1000.0)
    assert outlook.left(done=100.0, whole=500.0, ran_s=60.0) == 900.0, "till then its like's work counts"
    assert outlook.left(done=100.0, whole=500.0, ran_s=180.0) == 600.0
    assert outlook.without_like().left(done=100.0, whole=500.0, ran_s=60.0) is None
    assert outlook.without_like().left(done=100.0, whole=500.0, ran_s=180.0) == 600.0


def test_who_did_more_than_its_like_is_not_known_any_longer():
    outlook = Outlook(expected=300.0)
    assert outlook.left(done=200.0, whole=500.0, ran_s=1e6) == 100.0, "its true end is not looked at"
    assert outlook.left(done=300.0, whole=500.0, ran_s=1e6) is None
    assert SILENT.left(done=0.0, whole=500.0, ran_s=1e6) is None


def test_a_move_is_held_back_by_what_is_left():
    shapes = list_configurations((("t4", 4, 4),))
    one, two, four = (shapes.column("t4", gpus) for gpus in (1, 2, 4))
    part = part_in_steps(left_s(Told(2400.0), shapes, 0.0), 120.0)
    assert part[one] == pytest.approx(240 / 360), "240 s of steps after 120 s of loading"
    assert part[two] == pytest.approx(120 / 240)
    assert part[four] == 1.0, "out of reach, not judged"
    assert part_in_steps(left_s(Told(2.4e6), shapes, 0.0), 120.0).min() > 0.99
    assert part_in_steps(left_s(Told(None), shapes, 0.0), 120.0) == 1.0


def test_who_is_soon_done_weighs_more_within_bounds():
    shapes = list_configurations((("t4", 4, 4),))
    soon, brief, usual, long, silent = (left_s(Told(work), shapes, 0.0) for work in (1.0, 500.0, 1000.0, 1e9, None))
    assert weigh([soon, usual, long, silent]) == [3.0, 1.0, 1 / 3, 1.0]
    assert weigh([brief, usual, usual]) == pytest.approx([2**0.5, 1.0, 1.0])
    assert weigh([long, silent]) == [1.0, 1.0], "alone in telling, it is the median"
    assert weigh([silent, silent]) == [1.0, 1.0]


def test_a_light_jobs_moves_cost_as_much_as_anybodys():
    unmoved, cost = np.array([1.0, 0.5, np.inf]), np.array([1.0, 0.7, np.inf])
    light, heavy = (weighed(cost, unmoved, weight, 1.1) for weight in (0.5, 2.0))
    assert light.tolist() == pytest.approx([1.1 - 0.5 * 0.1, 1.1 - 0.5 * 0.6 + 0.2, np.inf])
    assert heavy.tolist() == pytest.approx([1.1 - 2 * 0.1, 1.1 - 2 * 0.4, np.inf])


def test_likes_and_logs_tell_nothing_unless_they_are_asked(folder):
    past = Experience()
    _, _, jobs = play(folder, experience=past)
    assert past.work == {"toy": jobs[0].spec.app.progress(5) * jobs[0].spec.app.first_batch}
    _, _, jobs = play(folder, experience=past.copied(Matching(1.0)))
    assert all(job.spec.borrowed and job.spec.outlook is SILENT for job in jobs)


def test_a_like_lends_its_work_and_one_that_was_none_takes_it_away():
    past = Experience(Matching(1.0), {"toy": {}, "other": {}}, work={"toy": 100.0, "other": 7.0})
    deaf = Legibility(share=0.0, ratios=(2.0,))
    assert past.outlook(0, "toy", deaf) == Outlook(None, deaf.after_s, 200.0), "as far off as a log may be"
    assert past.outlook(0, "other", deaf).expected == 14.0, "whoever is taken for a like is believed"
    assert past.outlook(0, None, deaf).expected is None
    tells = [past.outlook(number, None, Legibility(share=0.6)).told is not None for number in range(500)]
    assert 0.5 < np.mean(tells) < 0.7


def test_told_what_is_left_jobs_load_less_often(folder):
    silent, told = (moves(folder, Experience(legibility=read)) for read in (None, Legibility(share=1.0, after_s=0.0)))
    assert told < silent


def moves(folder, experience):
    recorder, books, jobs = play(folder, count=12, nodes="4x4:t4", experience=experience)
    assert np.isfinite(recorder.end_s).all()
    assert {job.spec.outlook.told for job in jobs} == {1.0 if experience.legibility else None}
    return books.order.count("Resize")


def test_where_every_like_is_wrong_all_still_end(folder):
    past = Experience(legibility=Legibility(share=0.0, ratios=(0.1, 10.0)))
    play(folder, experience=past)
    past.steps["other"], past.noise["other"], past.work["other"] = past.steps["toy"], past.noise["toy"], 1e-3
    recorder, _, jobs = play(folder, experience=past.copied(Matching(0.0, wrong=1.0)))
    assert np.isfinite(recorder.end_s).all()
    assert all(0 < job.spec.outlook.expected < 1 for job in jobs), "belied by the first of its steps"
