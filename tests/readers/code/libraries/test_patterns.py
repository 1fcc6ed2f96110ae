"""Nothing is worked out of a text that is too long for an option, however the program goes on with it."""

import pytest

TRAINS = """
import re, torch
text = open("corpus.txt").read()
{work}
net = torch.nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr={rate})
for epoch in range(3):
    net(torch.randn(4, 2)).sum().backward()
    opt.step()
"""
GROWS = "text = 'a' * 20\n" + "text = re.sub('a', 'a' * 20, text)\n" * 9


def test_a_corpus_is_not_searched_and_a_short_text_is(read):
    work = "words = re.findall('[0-9]+', text)"
    files = {"train.py": TRAINS.format(work=work, rate="float(words[0]) / 100"), "corpus.txt": "lr 30"}
    assert read(files, "python train.py").learning_rate == 0.3
    files["corpus.txt"] = "word 30 " * 100_000
    assert read(files, "python train.py").learning_rate is None


def test_a_text_that_replacing_makes_long_is_given_up(read):
    assert read({"train.py": TRAINS.format(work=GROWS, rate="0.1")}, "python train.py").learning_rate == 0.1


VARIABLES = """
import os, re
VARIABLE = re.compile(r"\\$(\\w+|\\{(\\w+)\\})")
def fill(match):
    name = match.group(2) or match.group(1)
    return {"SIZE": "base"}.get(name, "") if name != "OPEN" else os.environ[name]
"""


@pytest.mark.parametrize(
    ("text", "made"),
    [("plain-8", "plain-8"), ("net-${SIZE}-$SIZE.pt", "net-base-base.pt"), ("net-$OPEN", "unknown"), ("$NONE/a", "/a")],
)
def test_a_compiled_pattern_is_filled_by_a_function(outcome, text, made):
    assert outcome(f"{VARIABLES}x = VARIABLE.sub(fill, {text!r})\n") == made


def test_a_compiled_pattern_finds_and_replaces(outcome):
    code = "import re\nsize = re.compile('([a-z]+)-([0-9]+)')\nfound = size.match('net-18')\n"
    assert outcome(code + "x = [found.group(1), int(found.group(2)), size.sub('it', 'a net-18')]") == [
        "net",
        18,
        "a it",
    ]


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("re.sub('[0-9]', lambda match: '1', '22', count=1)", "unknown"),
        ("re.sub('2', '1', '22', 1)", "unknown"),
        ("re.compile('2').sub('1', '22', count=1)", "unknown"),
        ("re.compile(',').split('8,3,4', 1)", "unknown"),
        ("re.compile('net').match('a net', 2)", "unknown"),
        ("re.match('net', 'NET', re.I)", "unknown"),
        ("re.compile('n # name', re.X).match('n')", "unknown"),
        ("re.compile('(n.t)', re.I).match('NET').group(1)", "NET"),
        ("re.compile('(n.t)', flags=re.IGNORECASE).match('NET').group(1)", "NET"),
        ("re.compile('net').match('NET')", None),
    ],
)
def test_what_asks_for_a_part_is_not_answered_for_the_whole(follow, code, made):
    told = follow(f"import re\nx = {code}\n")[1]["x"].data
    assert (told if isinstance(told, str | None) else "unknown") == made
