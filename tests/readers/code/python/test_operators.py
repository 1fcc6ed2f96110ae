"""Arithmetic and comparisons on known values, within bounds that a hostile program cannot widen."""

import pytest


def test_a_list_is_no_text(outcome):
    code = "import argparse\na = argparse.Namespace(fast='True', sets='A+B')\na.sets = a.sets.split('+')\n"
    code += "for n in vars(a):\n    if vars(a)[n] == 'True':\n        vars(a)[n] = True\n"
    assert outcome(code + "x = [a.fast, a.sets]\n") == [True, ["A", "B"]]


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("w == 'train'", "unknown"),
        ("w == w", True),
        ("'tr' in w", "unknown"),
        ("w in ['train', 'eval']", "unknown"),
        ("w in {'train': 1}", "unknown"),
        ("w in [1, 2]", False),
        ("'runs/' + w == 'data/x'", False),
        ("'runs/' + w == 'runs/x'", "unknown"),
        ("'runs/' + w + '/a' == 'runs/a'", False),
    ],
)
def test_a_word_that_nobody_has_filled_in_may_be_any(outcome, test, expected):
    assert outcome(f"import sys\nw = sys.argv[1]\nx = {test}\n", "${kind}") == expected
