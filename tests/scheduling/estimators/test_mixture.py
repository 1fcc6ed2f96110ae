"""The online mixture: it believes who was right, forgets who was, and says honestly how sure it is."""

import math

import numpy as np
import pytest

from schedmate.scheduling.estimators.mixture import Mixture

NAN = math.nan


def taught(mixture, group, ends, opinion=lambda truth: truth):
    for truth in ends:
        mixture.learn(group, np.array([opinion(truth), 3.0, NAN]), truth)


def test_who_is_right_is_believed_to_the_minute():
    mixture = Mixture([0.0, 0.0, 0.0])
    draw = np.random.default_rng(1)
    taught(mixture, "ada", draw.uniform(4, 12, 60))
    low, middle, high = mixture.quantiles("ada", np.array([9.0, 3.0, NAN]), (0.1, 0.5, 0.9))
    assert middle == pytest.approx(9.0, abs=0.05)
    assert 8.5 < low < middle < high < 9.5


def test_a_user_who_is_unlike_others_is_learned_apart():
    mixture = Mixture([0.0, 0.0, 0.0])
    taught(mixture, "ada", np.linspace(5, 11, 80))
    taught(mixture, "bob", [3.0] * 20, opinion=lambda truth: 9.0)
    assert mixture.quantiles("bob", np.array([9.0, 3.0, NAN]), (0.5,))[0] == pytest.approx(3.0, abs=0.2)
    assert mixture.quantiles("ada", np.array([9.0, 3.0, NAN]), (0.5,))[0] == pytest.approx(9.0, abs=0.2)


def test_intervals_hold_what_they_promise():
    mixture, draw, held = Mixture([0.0]), np.random.default_rng(2), []
    for truth in draw.laplace(7, 1.2, 1_000):
        opinion = np.array([7.0])
        low, high = mixture.quantiles("ada", opinion, (0.1, 0.9))
        held.append(low <= truth <= high)
        mixture.learn("ada", opinion, truth)
    assert np.mean(held[100:]) == pytest.approx(0.8, abs=0.08)


def test_one_surprise_does_not_end_a_belief():
    mixture = Mixture([0.0, 0.0, 0.0])
    taught(mixture, "ada", np.linspace(5, 11, 50))
    mixture.learn("ada", np.array([5.0, 3.0, NAN]), 16.0)
    assert mixture.quantiles("ada", np.array([9.0, 3.0, NAN]), (0.5,))[0] == pytest.approx(9.0, abs=0.3)
