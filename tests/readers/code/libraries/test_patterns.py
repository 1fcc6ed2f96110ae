"""Nothing is worked out of a text that is too long for an option, however the program goes on with it."""

import pytest

from tests.readers.code.programs import TORCH_HEAD

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


MATCH = "import re\nm = re.match(r'(?P<name>[a-z]+)_(\\d+)', 'gpt_12')\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{MATCH}x = m.group('name'), m.group(2)\n", ("gpt", "12")),
        (f"{MATCH}x = m.groups()\n", ("gpt", "12")),
        (f"{MATCH}x = m.groupdict()['name']\n", "gpt"),
        ("from operator import itemgetter\nx = itemgetter('lr')({'lr': 2})\n", 2),
        ("from operator import itemgetter\nx = itemgetter(1)([3, 4])\n", 4),
        ("from operator import attrgetter\nclass A:\n    lr = 2\nx = attrgetter('lr')(A())\n", 2),
        ("import os\nx = [f for d, _, files in os.walk('conf') for f in files if f.endswith('.yaml')]\n", ["a.yaml"]),
        ("from importlib.resources import files\nx = (files('pack') / 'a.yaml').read_text()\n", "lr: 3\n"),
        ("from pathlib import Path\nx = (Path('conf') / 'a.yaml').read_text()\n", "lr: 3\n"),
        (
            "from pathlib import Path\np = Path('conf') / 'a.yaml'\nx = p.stem, p.parent.name, p.exists()\n",
            ("a", "conf", True),
        ),
        ("import inspect\ndef f(a: int, b):\n    pass\nx = inspect.getfullargspec(f).args\n", ["a", "b"]),
    ],
    ids=["group", "groups", "groupdict", "item", "place", "attribute", "walk", "resources", "path", "parts", "argspec"],
)
def test_what_is_taken_apart_is_known(outcome, text, expected):
    files = {"conf/a.yaml": "lr: 3\n", "pack/__init__.py": "", "pack/a.yaml": "lr: 3\n"}
    assert outcome(text, "", files) == expected


def test_a_class_is_found_by_a_name_that_the_program_takes_apart(read):
    program = (
        TORCH_HEAD
        + """
import importlib
import re

def find(name):
    name = re.sub("^local\\\\.", "parts.", name)
    pieces = name.split(".")
    for cut in range(len(pieces), 0, -1):
        try:
            module = importlib.import_module(".".join(pieces[:cut]))
            for piece in pieces[cut:]:
                module = getattr(module, piece)
            return module
        except ImportError:
            pass

model = find("local.nets.BrookNet")()
optimizer = find("torch.optim.SGD")(model.parameters(), lr=0.1)
for epoch in range(7):
    model(torch.randn(4)).sum().backward()
    optimizer.step()
"""
    )
    net = "import torch\nclass BrookNet(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
    job = read({"train.py": program, "parts/__init__.py": "", "parts/nets.py": net}, "python train.py")
    assert (job.optimizer, job.learning_rate, job.epochs, job.model_name) == ("SGD", 0.1, 7, "BrookNet")


CLEANED = """
import os
import re
import sys
import yaml
import torch

def filled(match):
    return os.environ[match.group(1)]

text = re.sub(r"\\$\\{([^}]+)\\}", filled, open(sys.argv[1]).read())
config = yaml.safe_load(text)
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=config["rate"])
model(torch.zeros(1, 4)).sum().backward()
optimizer.step()
"""


def test_a_text_in_which_nothing_is_to_be_replaced_stays_that_files(read):
    assert read({"train.py": CLEANED, "a.yaml": "rate: 0.25\n"}, "python train.py a.yaml").learning_rate == 0.25
