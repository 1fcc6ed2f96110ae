"""Gradients that are gathered by a loop inside of each step."""

import pytest

from tests.readers.code.programs import lasts

CODE = """
import torch
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = iter(torch.utils.data.DataLoader(open_rows(), batch_size=4))
for step in range(50):
    for part in range(8):
        rows = {rows}
        model(rows).sum().backward()
        {inside}
    {behind}
"""


def read_job(read, rows="next(loader)", inside="pass", behind="optimizer.step()"):
    return read({"train.py": CODE.format(rows=rows, inside=inside, behind=behind)}, "python train.py")


def test_rounds_of_a_step_are_gathered(read):
    assert read_job(read).global_batch_size == 32


def test_rounds_that_take_a_step_or_no_batch_are_not(read):
    assert read_job(read, inside="optimizer.step()", behind="pass").global_batch_size == 4
    assert read_job(read, rows="torch.rand(2)").global_batch_size == 4


def test_parts_of_one_batch_and_several_losses_are_not(read):
    assert read_job(read, rows="(batch := torch.rand(8, 2))[part:part + 1]").global_batch_size == 4
    assert read_job(read, rows="batch_norm(batch[part]).to(batch.device)").global_batch_size == 4


@pytest.mark.parametrize(
    ("loops", "found"),
    [
        ("for epoch in range(6):\n    for i in range(20):\n        work(next(rows))", (6, 120)),
        ("for epoch in range(6):\n    for i in range(20):\n        work(source.next_batch(4))", (6, 120)),
        ("for iteration in range(6):\n    for i in range(20):\n        work(next(rows))", (None, 6)),
        ("for epoch in range(6):\n    for i in range(20):\n        work(parts[i])", (6, None)),
        ("for epoch in range(6):\n    for i in range(many()):\n        work(next(rows))", (6, None)),
        (
            "for epoch in range(6):\n    optimizer.zero_grad()\n    for i in range(20):\n"
            "        model(next(rows)).sum().backward()\n    optimizer.step()",
            (6, None),
        ),
    ],
)
def test_rounds_that_each_take_a_batch_are_steps(read, loops, found):
    assert lasts(read, loops + "\n") == found
