"""Accumulation by the names that its options have, and where the batch of all devices is one of several."""

import pytest

CODE = """
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--{name}", type=int, default=4)
args = parser.parse_args()
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
print(args.{name})
for epoch in range(3):
    for x in torch.utils.data.DataLoader([], batch_size=64):
        net(x).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize("name", ["n_accum", "n_accums", "num_accum", "num_accums", "iteration_per_update"])
def test_usual_names_of_accumulation(read, name):
    found = read({"go.py": CODE.format(name=name)}, "python go.py")
    assert (found.batch_size, found.global_batch_size) == (64, 256)


ALL_DEVICES = """
import argparse
import jax
import optax
parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=64)
parser.add_argument("--n_accums", type=int, default={times})
args = parser.parse_args()
print(args.n_accums, args.batch_size)
optimizer = optax.adam(1e-3)

@jax.pmap
def step(params, state, x):
    grads = jax.grad(lambda p: (p * x).sum())(params)
    updates, state = optimizer.update(jax.lax.pmean(grads, "d"), state)
    return optax.apply_updates(params, updates), state

params, state = open("x").read(), None
for number in range(100):
    params, state = step(params, state, number)
"""


@pytest.mark.parametrize(("times", "whole"), [(1, 64), (4, None)])
def test_the_batch_of_all_devices_is_not_that_of_a_step_where_several_are_gathered(read, times, whole):
    assert read({"go.py": ALL_DEVICES.format(times=times)}, "python go.py").global_batch_size == whole
