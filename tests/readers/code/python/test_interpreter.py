"""The interpreter alone: what names stand for when a module was followed to its end."""

import pytest

from schedmate.readers.code.values.value import Unknown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 3 * 4 + 1", 13),
        ("x = 'a' if 2 > 1 else 'b'", "a"),
        ("x = f'{1 + 1:03d}'", "002"),
        ("x = sum(n for n in range(3))", 3),
        ("def f(a, *, b=2):\n    return a * b\nx = f(5, b=3)", 15),
        ("class A:\n    n = 1\n    def get(self):\n        return self.n\nclass B(A):\n    n = 7\nx = B().get()", 7),
        ("x = 0\nfor n in [1, 2, 3]:\n    x += n", 6),
        ("try:\n    x = {}['a']\nexcept KeyError:\n    x = 'caught'", "caught"),
        ("match 'fit':\n    case 'fit' | 'train':\n        x = 1\n    case _:\n        x = 2", 1),
    ],
)
def test_known_code_gives_known_values(follow, text, expected):
    assert follow(text)[1]["x"].data == expected


def test_a_value_knows_its_line(follow):
    _, names = follow("rate = 0.1\nx = rate * 2\n")
    assert [(spot.path, spot.line) for spot in names["x"].src] == [("main.py", 1), ("main.py", 2)]


def test_an_open_condition_follows_both_ways(follow):
    _, names = follow("import somewhere\nx = 1\nif somewhere.flag():\n    x = 2\n")
    assert isinstance(names["x"].data, Unknown)
    assert sorted(part.data for part in names["x"].data.parts) == [1, 2]


def test_a_call_of_a_library_is_noted_and_is_sure_only_outside_of_open_ways(follow):
    run, _ = follow("import lib\nlib.one()\nif lib.flag():\n    lib.two()\n")
    assert [(event.name, event.sure) for event in run.events] == [
        ("lib.one", True),
        ("lib.flag", True),
        ("lib.two", False),
    ]


def test_endless_recursion_and_endless_loops_end(follow):
    _, names = follow("def f(n):\n    return f(n + 1)\nx = f(0)\nwhile True:\n    x = 1\ny = 2\n")
    assert names["y"].data == 2


def test_what_raises_at_the_top_ends_the_module(follow):
    _, names = follow("x = 1\nraise ValueError('no')\ny = 2\n")
    assert names["x"].data == 1
    assert "y" not in names


@pytest.mark.parametrize("end", ["sys.exit(0)", "raise ValueError('not installed')"])
def test_what_may_have_returned_before_it_ends_the_program_has(follow, end):
    text = f"import sys\nimport somewhere\ndef f():\n    if somewhere.flag():\n        return 5\n    {end}\nx = f()\n"
    assert follow(text)[1]["x"].data == 5
