"""Numbers that the standard library and numpy work out of known ones."""

import pytest


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("np.sum([1, 2, 3])", 6),
        ("np.max((4, 9, 2))", 9),
        ("np.amin([4, 9, 2])", 2),
        ("np.mean([1.0, 2.0])", 1.5),
        ("math.gcd(12, 18)", 6),
        ("np.lcm(4, 6)", 12),
    ],
)
def test_numbers_of_known_rows_are_worked_out(outcome, code, expected):
    assert outcome(f"import math\nimport numpy as np\nx = {code}") == expected


@pytest.mark.parametrize("code", ["np.sum([1, open('n')])", "np.max([[1, 2], [3, 4]], axis=0)", "np.sum(np.ones(3))"])
def test_of_others_nothing_is_said(follow, code):
    value = follow(f"import numpy as np\nx = {code}")[1]["x"]
    assert not isinstance(value.data, (int, float))
