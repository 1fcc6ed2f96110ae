"""Texts that a program runs: once and one inside the other; what runs itself costs only its own part."""

import pytest


@pytest.mark.parametrize(
    "text",
    [
        "import cProfile\ns = 'cProfile.run(s); cProfile.run(s)'\ncProfile.run(s)\nx = 5\n",
        "s = 'exec(s); exec(s); exec(s)'\nexec(s)\nx = 5\n",
        "s = 'eval(s)'\neval(s)\nx = 5\n",
        "a = 'exec(b)'\nb = 'exec(a)'\nexec(a)\nx = 5\n",
        "s = 's = s + chr(32); exec(s)'\nexec(s)\nx = 5\n",
        "exec(open('again.py').read())\nx = 5\n",
    ],
)
def test_a_text_that_runs_itself_ends(outcome, text):
    assert outcome(text, files={"again.py": "exec(open('again.py').read())\n"}) == 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exec('y = 4')\nx = y", 4),
        ("exec('exec(\"y = 4\")')\nx = y", 4),
        ("y = 1\nfor n in [1, 2, 3]:\n    exec('y = y + 2')\nx = y", 7),
        ("import cProfile\ndef main():\n    global y\n    y = 6\ncProfile.run('main()')\nx = y", 6),
        ("x = eval('eval(\"2 + 3\")')", 5),
    ],
)
def test_texts_one_inside_the_other_are_followed(outcome, text, expected):
    assert outcome(text) == expected
