"""Options that are not there at all unless the command gives them: what a file says stays then."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

TRAIN = """
import argparse
import torch

settings = {{"lr": 0.5, "epochs": 7}}
p = argparse.ArgumentParser({of_parser})
p.add_argument("--lr", type=float{of_option})
p.add_argument("--epochs", type=int{of_option})
{more}
settings.update(vars(p.parse_args()))
net = torch.nn.LSTM(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=settings["lr"])
for epoch in range(settings["epochs"]):
    net(epoch).sum().backward()
    optimizer.step()
"""
MANY = "\n".join(f'p.add_argument("--other{n}")' for n in range(120))
AGAIN = """
q = argparse.ArgumentParser(argument_default=argparse.SUPPRESS)
for name, value in vars(p.parse_args()).items():
    q.add_argument("--" + name, type=type(value))
p = q
"""


@pytest.mark.parametrize(
    ("of_parser", "of_option", "more"),
    [
        ("argument_default=argparse.SUPPRESS", "", ""),
        ("", ", default=argparse.SUPPRESS", ""),
        ("", ", default=1", MANY + AGAIN),
    ],
)
def test_only_what_the_command_gives_goes_over_the_settings(read, of_parser, of_option, more):
    program = TRAIN.format(of_parser=of_parser, of_option=of_option, more=more)
    found = read({"fit.py": program}, "python fit.py --epochs 3")
    assert found.epochs == 3
    assert (found.learning_rate == 0.5) is True


SHORT = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("-num_epochs", type=int, default=500)
parser.add_argument("-num_samples", type=int, default=9)
parser.add_argument("-s", type=int, default=1)
args = parser.parse_args()
train(0.25, 8, args.num_epochs)
"""


def test_options_of_one_dash_may_be_shortened_too(read):
    files = {"train.py": TORCH_HEAD + TORCH_LOOP + SHORT}
    assert read(files, "python train.py -num_epoch 250").epochs == 250
    assert read(files, "python train.py -num_ 250").epochs == 500


OPEN_NAMES = """
import argparse
import sys
from far_away import names
parser = argparse.ArgumentParser()
parser.add_argument("--plain", type=int, default=1)
{more}
told{rest} = parser.{parse}()
x = [vars(told).get(name) for name in ("plain", "tree_size", "tree_kind", "deep")]
"""
SAYS = "--plain 2 --tree_size=1e-4 --tree-kind oak --deep"


@pytest.mark.parametrize(
    ("more", "parse", "rest", "told"),
    [
        ('for name in names:\n    parser.add_argument(f"--{name}")', "parse_args", "", [2, 1e-4, "oak", True]),
        ('for name in names:\n    parser.add_argument(f"--{name}")', "parse_known_args", ", _", [2, None, None, None]),
        ('parser.add_argument("--other")', "parse_args", "", [2, None, None, None]),
    ],
)
def test_what_a_command_says_to_a_parser_of_open_names_is_one_of_them(outcome, more, parse, rest, told):
    assert outcome(OPEN_NAMES.format(more=more, parse=parse, rest=rest), SAYS) == told
