"""click and typer alone: what reaches the function that the command line calls."""

import pytest

HEAD = "import click\n"


@pytest.mark.parametrize(
    ("options", "words", "expected"),
    [
        ("@click.option('--lr', type=float, default=0.1)", "", {"lr": 0.1}),
        ("@click.option('--lr', type=float, default=0.1)", "--lr 0.5", {"lr": 0.5}),
        ("@click.option('--lr', default=0.1)", "--lr 0.5", {"lr": 0.5}),
        ("@click.option('--batch-size', '-b', type=int)", "-b 4", {"batch_size": 4}),
        ("@click.option('-b', '--batch', 'size', type=int)", "--batch 4", {"size": 4}),
        ("@click.option('--amp', is_flag=True)", "--amp", {"amp": True}),
        ("@click.option('--amp/--no-amp', default=True)", "--no-amp", {"amp": False}),
        ("@click.argument('data')", "cifar", {"data": "cifar"}),
        ("@click.option('--tag', multiple=True)", "--tag a --tag b", {"tag": ("a", "b")}),
    ],
)
def test_what_the_words_make_of_an_option(outcome, options, words, expected):
    text = f"{HEAD}@click.command()\n{options}\ndef main(**given):\n    global x\n    x = given\nmain()\n"
    found = outcome(text, words)
    assert {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()} == expected


def test_a_group_starts_the_command_that_is_named(outcome):
    text = (
        f"{HEAD}x = 'nothing'\n@click.group()\ndef cli():\n    pass\n@cli.command()\n@click.option('--n', type=int)\n"
        "def fit(n):\n    global x\n    x = n\n@cli.command()\ndef test():\n    global x\n    x = 'test'\ncli()\n"
    )
    assert outcome(text, "fit --n 3") == 3
    assert outcome(text, "test") == "test"


def test_typer_takes_options_from_the_signature(outcome):
    text = (
        "import typer\napp = typer.Typer()\n@app.command()\n"
        "def main(data: str, lr: float = typer.Option(0.1, '--rate'), amp: bool = False):\n"
        "    global x\n    x = [data, lr, amp]\napp()\n"
    )
    assert outcome(text, "cifar --rate 0.5 --amp") == ["cifar", 0.5, True]


def test_typer_gathers_what_an_option_of_several_values_is_told(outcome):
    text = (
        "import typer\nfrom typing import List\napp = typer.Typer()\n@app.command()\n"
        "def main(names: List[str] = typer.Option([]), sizes: list[int] = typer.Option([]), one: str = 'a'):\n"
        "    global x\n    x = [names, sizes, one]\napp()\n"
    )
    assert outcome(text, "--names pear --names 12 --sizes 3 --sizes 4 --one b --one c") == [["pear", "12"], [3, 4], "c"]


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


def test_a_command_that_is_added_to_a_group_is_called(outcome):
    assert outcome(CLICK, "train --n 3") == 3


CUT = """
import click
def cut(context, param, value, mark=","):
    try:
        return [part for part in value.split(mark)]
    except ValueError:
        raise click.BadParameter(f"not words: {value}")

@click.command()
@click.option("--plans", callback=cut, default="a")
@click.option("--rate", callback=lambda context, param, value: value / 1000, type=float, default=2)
def go(plans, rate):
    global x
    x = [len(plans), plans[-1], rate]
go()
"""


def test_a_callback_makes_the_value(outcome):
    assert outcome(CUT, "--plans one,two") == [2, "two", 0.002]
    assert outcome(CUT, "--rate 5") == [1, "a", 0.005]


PASSED = """
import click
from elsewhere import check
def warn(context, param, value):
    if value is None:
        raise click.BadParameter("none")
    return value
def size(_, param, value):
    return {"s": 8, "l": 64}[value]
@click.command()
@click.option("--seen", callback=check, default=7)
@click.option("--size", callback=size, default="s")
@click.option("--kept", callback=warn)
def go(seen, size, kept):
    global x
    x = [seen, size]
go()
"""


def test_one_of_a_library_s_leaves_it(outcome):
    assert outcome(PASSED, "--size l --kept 1") == [7, 64]
    assert outcome(PASSED, "") == [7, 8]


def test_each_command_of_a_loop_is_told_a_whole_word(read):
    start = """
import subprocess
import click
def words(context, param, value):
    return [word for word in value.split(",")]
@click.command()
@click.argument("job")
@click.option("--plans", callback=words, default="base")
@click.option("--seeds", callback=words, default="1")
def go(job, plans, seeds):
    for plan in plans:
        for seed in seeds:
            subprocess.run(f"python {job}.py --epochs={plan} --seed={seed}", shell=True)
go()
"""
    fit = """
import argparse, torch
options = argparse.ArgumentParser()
options.add_argument("--epochs", type=int)
options.add_argument("--seed", type=int)
told = options.parse_args()
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(told.epochs):
    for rows in batches():
        net(rows).sum().backward()
        sgd.step()
"""
    assert read({"start.py": start, "fit.py": fit}, "python start.py fit --plans=25 --seeds=3,4").epochs == 25


@pytest.mark.parametrize(
    ("argument", "expected"), [("nargs=-1, type=click.UNPROCESSED", [0.5, 3]), ("nargs=1", [None, None])]
)
def test_an_argument_that_takes_all_words_gets_the_options_that_are_not_known_too(outcome, argument, expected):
    code = (
        "import argparse\nimport click\n@click.command(context_settings={'ignore_unknown_options': True})\n"
        f"@click.argument('kind')\n@click.argument('words', {argument})\ndef run(kind, words):\n    global x\n"
        "    parser = argparse.ArgumentParser()\n    parser.add_argument('--lr', type=float)\n"
        "    parser.add_argument('--n', type=int)\n    told = parser.parse_args(words)\n"
        "    x = [told.lr, told.n]\nrun()\n"
    )
    assert outcome(code, "net --lr 0.5 --n=3") == expected
    known = code.replace("@click.argument('kind')", "@click.option('--kind', type=float)")
    assert outcome(known, "--kind 0.5 --lr 0.5 --n 3") == expected


SEVERAL = """
import torch
from typer import Typer
app = Typer()
@app.command()
def look():
    torch.nn.Linear(2, 2).eval()
@app.command()
def learn(lr: float = 0.1):
    net = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    net(torch.ones(2)).sum().backward()
    optimizer.step()
torch.nn.Linear(2, 2).eval()
app()
"""


def test_a_group_of_which_no_command_is_named_only_tells_how_it_is_used(read):
    answers = [read({"go.py": SEVERAL}, f"python go.py {word}").is_training for word in ("learn", "look", "")]
    assert answers == [True, False, None]
