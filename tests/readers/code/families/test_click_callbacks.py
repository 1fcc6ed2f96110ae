"""What callbacks of click's options make of their values."""

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


def test_a_callback_makes_the_value(outcome):
    assert outcome(CUT, "--plans one,two") == [2, "two", 0.002]
    assert outcome(CUT, "--rate 5") == [1, "a", 0.005]


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
