"""Rounds over arrays of whole numbers, told by place or by name."""

import pytest

from schedmate.readers.code.python.rounds.loop_counts import count_of


@pytest.mark.parametrize(
    ("made", "count"),
    [
        ("numpy.arange(7)", 7),
        ("numpy.arange(stop=7)", 7),
        ("numpy.arange(2, 30, step=4)", 7),
        ("numpy.arange(2, 30, 4)", 7),
        ("numpy.arange(20, step=3)", 7),
        ("numpy.arange(13, stop=20)", 7),
        ("numpy.arange(start=13, stop=20, dtype=int)", 7),
        ("numpy.arange(20, 6, -2)", 7),
        ("numpy.arange(9, 3)", 0),
        ("torch.arange(0, 21, step=3, device='cpu')", 7),
        ("torch.arange(start=1, end=8)", 7),
        ("torch.arange(end=7)", 7),
        ("tensorflow.range(2, limit=9)", 7),
        ("tensorflow.range(2, 30, delta=4)", 7),
        ("numpy.arange(0 if given else 3, 7)", 7),
    ],
)
def test_rounds_that_are_told(follow, made, count):
    assert count_of(rows_of(follow, made)).data == count


@pytest.mark.parametrize(
    "made",
    [
        "numpy.arange(0.0, 7.0, 0.5)",
        "numpy.arange(7, step=0.5)",
        "numpy.arange(0, 7, step=given)",
        "numpy.arange(given, 7, step=2)",
        "numpy.arange(0, 7, step=0)",
        "numpy.arange(0, 7, stop=9)",
        "numpy.arange(0, 7, 1, int)",
        "numpy.arange(step=2)",
        "numpy.arange(7, other=3)",
        "numpy.arange()",
    ],
)
def test_rounds_that_are_not(follow, made):
    assert count_of(rows_of(follow, made)) is None


def rows_of(follow, made):
    return follow(f"import numpy, tensorflow, torch\nfrom elsewhere import given\nx = {made}\n")[1]["x"]
