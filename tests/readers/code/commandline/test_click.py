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
