"""What programs ask of texts, folders, parsers and wrappers on their way to a value: matches, getters, walks."""

import pytest

MATCH = "import re\nm = re.match(r'(?P<name>[a-z]+)_(\\d+)', 'gpt_12')\n"
CLICK = """
import click
@click.group()
def cli():
    pass
@click.command()
@click.option('--n', type=int, default=1)
def train(n):
    global x
    x = n
x = 0
cli.add_command(train)
cli()
"""
ERROR = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument('--n', type=int, default=1)
args = parser.parse_args()
if args.n > 5:
    parser.error('too many')
x = (args.n, parser.get_default('n'))
"""


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


def test_a_command_that_is_added_to_a_group_is_called(outcome):
    assert outcome(CLICK, "train --n 3") == 3


def test_a_parser_gives_its_defaults_and_ends_what_it_refuses(follow):
    names = follow(ERROR, "--n 3")[1]
    assert [item.data for item in names["x"].data] == [3, 1]


def test_what_is_prepared_together_comes_back_in_its_order(outcome):
    text = "from accelerate import Accelerator\nx, y = Accelerator().prepare(1, 2)\nx = (x, y)\n"
    assert outcome(text) == (1, 2)
