"""Sets and lists whose items are known."""

import pytest


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = sorted({'a', 'b'} & {'b': 1, 'c': 2}.keys())", ["b"]),
        ("x = sorted(set(['a', 'b', 'a']) | {'c'})", ["a", "b", "c"]),
        ("x = list({1, 2, 3} - {2})", [1, 3]),
        ("x = list({1, 2} ^ {2, 3})", [1, 3]),
        ("x = list(set([1, 2]).union([3]).difference([1]))", [2, 3]),
        ("x = [{1}.issubset({1, 2}), frozenset([1, 2]).issuperset([3])]", [True, False]),
        ("x = [3, 1, 2]\nx.sort()", [1, 2, 3]),
        ("x = [3, 1, 2]\nx.sort(reverse=True)\nx.reverse()", [1, 2, 3]),
        ("x = ['a', 'b']\nx.remove('a')", ["b"]),
        ("x = ['a']\nx.clear()", []),
        ("x = [2 in set([1, 2]), len({1, 2} & {2})]", [True, 1]),
        ("x = ''.join(sorted(set('a river')))", " aeirv"),
        ("import lib\nx = set(lib.names()) & {1}", "unknown"),
        ("import lib\nx = {lib.a} & {1}", "unknown"),
    ],
)
def test_known_sets(outcome, code, expected):
    assert outcome(code + "\n") == expected


@pytest.mark.parametrize(
    ("rows", "expected"), [("open('rows.txt')", "unknown"), ("['a', 'b']", True), ("['c']", False)]
)
def test_what_a_set_shares_with_one_that_grew_unseen_is_not_counted(outcome, rows, expected):
    code = f"seen = {{}}\nfor row in {rows}:\n    seen[row] = 1\nx = len(set(['a']).intersection(seen.keys())) > 0\n"
    assert outcome(code) == expected
