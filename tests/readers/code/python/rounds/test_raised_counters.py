"""Counters that loops raise and are left by: told in one walk over the body, however many ways out there are."""

import ast
import time

import pytest

from schedmate.readers.code.python.rounds.left_loops import exits
from schedmate.readers.code.python.rounds.raised_counters import rises, stores


def loop(body):
    tree = ast.parse(f"for one in rows:\n{body}").body[0]
    assert isinstance(tree, ast.For)
    return tree


def test_where_counters_rise():
    body = "    step += 1\n    self.n = self.n + 1\n    work(one)\n    step += 1\n    other += 2\n    third -= 1\n"
    assert rises(loop(body)) == {"step": [0, 3], "self.n": [1]}


def test_how_often_names_are_set():
    body = "    step += 1\n    if one:\n        step = 0\n        self.best = one\n    for a, b in one:\n        pass\n"
    assert stores(loop(body)) == {"step": 2, "self.best": 1, "a": 1, "b": 1}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    step += 1\n    if step >= 8: break\n", [("step", "8", 0)]),
        ("    work(one)\n    step = step + 1\n    if step > most: return\n", [("step", "most", 1)]),
        ("    if step == 9: exit()\n    train(one)\n    step += 1\n", [("step", "9", 0)]),
        ("    step += 1\n    if step >= 8: break\n    if one: step = 0\n", []),
        ("    step += 1\n    step += 1\n    if step >= 8: break\n", []),
        ("    found += 1\n    if found >= 8: break\n", []),
        ("    step += 2\n    if step >= 8: break\n", []),
    ],
)
def test_ways_out_of_a_loop(body, expected):
    found = [(one.counter, ast.unparse(one.bound), one.more) for one in exits(loop(body))]
    assert found == expected


def test_thousands_of_ways_out_are_told_in_time():
    ways = "".join(f"    if step >= most{n}: break\n    kept{n} = model(one)\n" for n in range(4_000))
    started = time.monotonic()
    assert len(exits(loop(f"    step += 1\n{ways}"))) == 4_000
    assert time.monotonic() - started < 10


def test_thousands_of_ways_out_of_an_endless_loop_are_told_in_time(read):
    ways = "".join(f"    if n{n} >= most{n}: break\n    n{n} += 1\n" for n in range(1_500))
    program = f"import itertools\nimport torch\nfor one in itertools.count():\n    loss(one).backward()\n{ways}"
    started = time.monotonic()
    assert read({"go.py": program}, "python go.py").framework == "PyTorch"
    assert time.monotonic() - started < 30
