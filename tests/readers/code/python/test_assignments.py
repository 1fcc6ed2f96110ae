"""Bind names, attributes and items, as assignments and loops do."""

import pytest

FILLED = """
import glob, torch
from torch.utils.data import DataLoader

shots = {{}}
for path in glob.glob("shots/*.tif"):
    shots[path] = torch.load(path)
data = {data}
loader = DataLoader(data, batch_size=1)
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(50):
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    "data",
    [
        "list(shots.keys())",
        "[shots[key] for key in sorted(shots.keys())]",
        "[shot * 2 for _, shot in shots.items()]",
        "list({key: shot for key, shot in shots.items()}.values())",
    ],
)
def test_what_a_mapping_holds_that_was_filled_in_a_loop_of_unknown_rounds_is_not_counted(read, data):
    job = read({"train.py": FILLED.format(data=data)}, "python train.py")
    assert (job.epochs, job.total_steps) == (50, None)


@pytest.mark.parametrize("made", ["self.__dict__ = d", "self.__dict__ = dict(d)", "self.__dict__.update(d)"])
def test_an_object_takes_a_mapping_for_all_that_it_holds(read, made):
    code = f"""
        import torch
        class Plan:
            def __init__(self, d):
                {made}
        plan = Plan(dict(heat=0.35, turns=6))
        net = torch.nn.Linear(2, 2)
        optimizer = torch.optim.SGD(net.parameters(), lr=plan.heat)
        for epoch in range(plan.turns):
            net(torch.zeros(1, 2)).sum().backward()
            optimizer.step()
        """
    job = read({"bake.py": code}, "python bake.py")
    assert (job.learning_rate, job.epochs) == (0.35, 6)


def test_a_mapping_that_gets_a_new_key_each_round_has_no_known_length(follow):
    text = """
    import os
    kept, fixed = {}, {}
    for name in os.listdir("data"):
        kept[len(kept)] = name
        fixed["last"] = name
    many, few = len(kept), len(fixed)
    """
    _, names = follow(text)
    assert not isinstance(names["many"].data, int)
    assert names["few"].data == 1


def test_columns_of_rows_that_nobody_counted_have_no_known_length(follow):
    text = """
    rows = []
    for line in open("rows.txt"):
        rows.append(line.split())
    names, sizes = zip(*rows)
    pairs = [("a", 1), ("b", 2), ("c", 3)]
    letters, numbers = zip(*pairs)
    many, three = len(names), len(letters)
    """
    _, names = follow(text)
    assert not isinstance(names["many"].data, int)
    assert names["three"].data == 3


EITHER = """
import types

class Thin:
    size = 3

class Wide:
    size = 5

def grow(self, by):
    return by * 2

one = Thin() if len(open("a.txt").read()) > 3 else Wide()
"""


def test_what_is_put_on_one_of_two_objects_is_found_on_it(outcome):
    assert outcome(EITHER + "one.grow = types.MethodType(grow, one)\nx = one.grow(4)\n") == 8
    assert outcome(EITHER + "one.depth = 7\nx = one.depth\n") == 7


def test_what_only_one_of_two_objects_has_is_not_known(follow):
    more = "two = Thin()\ntwo.depth = 7\none = two if one.size > 3 else Wide()\nx = one.depth\n"
    assert follow(EITHER + more)[1]["x"].data != 7
