"""Samples that each step draws at random are its batch; a loader that is told nothing gives one sample."""

import pytest

CODE = """
import random
import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset
from torchtext.data import BucketIterator

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
rows = np.load("rows.npy")
kept = []
{before}
for step in range(900):
    {draw}
    optimizer.zero_grad()
    net(batch).sum().backward()
    optimizer.step()
"""


def batch(read, draw, before=""):
    return read({"fit.py": CODE.format(draw=draw, before=before)}, "python fit.py").global_batch_size


@pytest.mark.parametrize(
    ("draw", "size"),
    [
        ("batch = random.sample(kept, 24)", 24),
        ("batch = rows[np.random.choice(len(rows), 24)]", 24),
        ("batch = rows[np.random.choice(len(rows), size=24, replace=False)]", 24),
        ("batch = rows[np.random.randint(0, len(rows), 24)]", 24),
        ("batch = rows[np.random.randint(len(rows), size=24)]", 24),
        ("batch = rows[torch.randint(0, 99, (24,))]", 24),
        ("batch = rows[torch.randint(99, (24, 8))]", 24),
        ("batch = rows[np.random.randint(0, 99)]", None),
        ("batch = random.sample(kept, 24); more = random.sample(kept, 6)", None),
    ],
)
def test_what_each_step_draws_is_its_batch(read, draw, size):
    assert batch(read, draw) == size


def test_draws_outside_the_loop_are_no_batch(read):
    assert batch(read, "batch = rows", "some = random.sample(kept, 24)") is None


LOOPS = """
for turn in range(30):
    some = {around}
    for batch in {data}:
        other = {beside}
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("data", "around", "beside"),
    [
        ("range(9)", "random.sample(kept, 6)", "0"),
        ("read_all()", "random.sample(kept, 6)", "0"),
        ("read_all()", "0", "np.random.choice(70, 5)"),
        ("DataLoader(read_all(), batch_sampler=kept)", "0", "np.random.choice(70, 5)"),
    ],
)
def test_draws_around_steps_or_beside_data_are_no_batch(read, data, around, beside):
    code = CODE.partition("{before}")[0] + LOOPS.format(data=data, around=around, beside=beside)
    assert read({"fit.py": code}, "python fit.py").batch_size is None


def test_a_loader_that_is_told_nothing_gives_one_sample(read):
    loop = "for epoch in range(3):\n  for batch in loader:\n    optimizer.zero_grad(); net(batch).sum().backward()"
    made = "loader = DataLoader(TensorDataset(torch.zeros(60, 4)))"
    job = read({"fit.py": CODE.partition("{before}")[0] + made + "\n" + loop + "; optimizer.step()\n"}, "python fit.py")
    assert (job.global_batch_size, job.total_steps) == (1, 180)
    whole = f"{made[:-1]}, collate_fn=lambda parts: parts[0])"
    code = CODE.partition("{before}")[0] + whole + "\n" + loop + "; optimizer.step()\n"
    assert read({"fit.py": code}, "python fit.py").global_batch_size is None


def test_iterators_of_torchtext_are_told_one_batch_or_several(read):
    one = "loader, rest = BucketIterator.splits((kept, kept), batch_size=32)"
    several = "loader, rest = BucketIterator.splits((kept, kept), (48, 96))"
    assert (batch(read, "batch = next(loader)", one), batch(read, "batch = next(loader)", several)) == (32, 48)


REMEMBERED = """
import random
import torch
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
kept = []
for step in range(900):
    kept.append(look())
    {shown}
    if len(kept) > {enough}:
        batch = random.sample(kept, 24)
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("enough", "shown", "size"),
    [
        ("24", "pass", 24),
        ("most()", "pass", 24),
        ("most()", "if step > 800: show(random.sample(kept, 6))", None),
    ],
)
def test_a_batch_is_drawn_once_enough_is_remembered(read, enough, shown, size):
    code = REMEMBERED.format(enough=enough, shown=shown)
    assert read({"fit.py": code}, "python fit.py").batch_size == size


DRAWN = """
    import torch
    from tensorflow.examples.tutorials.mnist import input_data
    mnist = input_data.read_data_sets("MNIST_data")
    size = 48
    weights = torch.randn(784, 10, requires_grad=True)
    best = torch.optim.Adam([weights], lr=1e-3)
    for step in range(9000):
        rows, told = {call}
        (torch.from_numpy(rows) @ weights).sum().backward()
        best.step()
    {after}
"""


@pytest.mark.parametrize(
    ("call", "after", "batch"),
    [
        ("mnist.train.next_batch(size)", "", 48),
        ("mnist.train.next_batch(batch_size=size)", "mnist.test.next_batch(500)", 48),
        ("mnist.test.next_batch(size)", "", None),
        ("mnist.train.next_batch(pick())", "", None),
    ],
)
def test_what_a_step_asks_its_data_for_is_a_batch_and_a_torch_program_that_moves_nothing_is_on_the_cpu(
    read, call, after, batch
):
    found = read({"learn.py": DRAWN.format(call=call, after=after)}, "python learn.py")
    assert (found.batch_size, found.num_gpus, found.total_steps) == (batch, 0, 9000)


OUT_OF_SIGHT = """
import torch
import elsewhere
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
kept = elsewhere.make_rows("rows", batch_size=64)
rows = elsewhere.MADE
for batch in rows:
    net(batch).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("made", "size"),
    [
        ("make_rows('rows', batch_size=8)", 8),
        ("make_rows('rows', rows=8)", None),
        ("make_test_rows('rows', batch_size=8)", None),
    ],
)
def test_what_is_told_a_batch_out_of_sight_gives_batches(read, made, size):
    assert read({"go.py": OUT_OF_SIGHT.replace("MADE", made)}, "python go.py").batch_size == size


def test_a_mini_batch_is_a_batch(read):
    draw = "batch = rows[step * minibatch:(step + 1) * minibatch]"
    assert batch(read, draw, "minibatch = 24") == 24
