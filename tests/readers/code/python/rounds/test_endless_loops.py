"""`for` loops over what never ends: how often they run is said by the condition under which they are left."""

import pytest

HEAD = """
import itertools, torch
from itertools import count, cycle, islice
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(open_rows(), batch_size=4)
def again(loader):
    while True:
        for rows in loader:
            yield rows
def once(loader):
    for rows in loader:
        yield rows
def work(rows):
    model(rows).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("loop", "steps"),
    [
        ("for step, rows in enumerate(again(loader)):\n    work(rows)\n    if step + 1 == 300:\n        break", 300),
        ("for step, rows in enumerate(again(loader)):\n    if step >= 300:\n        break\n    work(rows)", 300),
        ("for step in count(1):\n    work(next(loader))\n    if step == 300:\n        break", 300),
        (
            "step = 0\nfor rows in cycle(loader):\n    work(rows)\n    step += 1\n    if step == 300: break",
            300,
        ),
        ("for step, rows in enumerate(islice(cycle(loader), 300)):\n    work(rows)", 300),
        (
            "for step, rows in enumerate(cycle(loader)):\n    rows = rows.cuda()\n    if step >= 300: break\n"
            "    model(rows).sum().backward()\n    optimizer.step()",
            300,
        ),
        (
            "worse = 0\nfor rows in cycle(loader):\n    work(rows)\n    worse += 1\n"
            "    if better(rows):\n        worse = 0\n    if worse >= 300: break",
            None,
        ),
        ("for step, rows in zip(range(300), again(loader)):\n    work(rows)", 300),
        ("for step, rows in zip(range(300), once(loader)):\n    work(rows)", None),
        ("for step, rows in enumerate(once(loader)):\n    work(rows)\n    if step + 1 == 300:\n        break", None),
        ("for rows in again(loader):\n    work(rows)\n    if float(rows) > 3:\n        break", None),
    ],
)
def test_steps_of_loops_without_end(read, loop, steps):
    assert read({"train.py": HEAD + loop + "\n"}, "python train.py").total_steps == steps


def test_epochs_are_counted_from_where_they_begin(read):
    loop = "for epoch in itertools.count({}):\n    {}\n    for rows in loader:\n        work(rows)\n    {}\n"
    code = HEAD + loop.format("", "if epoch >= 7: break", "")
    assert read({"train.py": code}, "python train.py").epochs == 7
    code = HEAD + loop.format("start=1", "", "if epoch == 7: break")
    assert read({"train.py": code}, "python train.py").epochs == 7
