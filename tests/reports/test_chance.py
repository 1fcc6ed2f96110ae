"""Exact tails, exact intervals, many comparisons: beside tables and beside another's code."""

import pytest
from scipy import stats

from schedmate.reports.chance import interval, tail, together


@pytest.mark.parametrize("expected", [1e-6, 0.05, 0.9, 3.0, 41.5, 900.0])
def test_tails_are_scipys(expected):
    for count in (0, 1, 2, 5, 40, 41, 60, 1000):
        assert tail(count, expected) == pytest.approx(stats.poisson.sf(count - 1, expected), rel=1e-9, abs=1e-14)


def test_nothing_expected_and_something_seen():
    assert tail(0, 0.0) == 1.0
    assert tail(3, 0.0) == 0.0


@pytest.mark.parametrize("count", [0, 1, 10, 87, 5000])
def test_intervals_are_garwoods(count):
    low, high = interval(count)
    assert low == pytest.approx(stats.chi2.ppf(0.025, 2 * count) / 2 if count else 0.0, rel=1e-6)
    assert high == pytest.approx(stats.chi2.ppf(0.975, 2 * count + 2) / 2, rel=1e-6)


def test_many_comparisons_are_benjaminis_and_hochbergs():
    chances = [0.01, 0.04, 0.03, 0.005, 0.8]
    assert together(chances) == pytest.approx(stats.false_discovery_control(chances))
    assert together([]) == []
