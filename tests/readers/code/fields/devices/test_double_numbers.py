"""A block in which JAX's numbers are double counts where training stands in it."""

import pytest

IN_A_BLOCK = """
import jax, optax
from jax.experimental import enable_x64
import flax.linen as nn
class Net(nn.Module):
    rows: int = 4
state = Net().init(jax.random.PRNGKey(0), 1)
rates = optax.adam(0.1)
def move(state):
    for step in range(9):
        loss, grads = jax.value_and_grad(Net().apply)(state, step)
        updates, kept = rates.update(grads, state)
        state = optax.apply_updates(state, updates)
    return state
"""


@pytest.mark.parametrize(
    ("rest", "precision"),
    [
        ("state = move(state)\nwith enable_x64():\n    print(Net().apply(state, 0))\n", "fp32"),
        ("with enable_x64():\n    print(Net().apply(state, 0))\nstate = move(state)\n", "fp32"),
        ("with enable_x64():\n    state = move(state)\n", "fp64"),
        ("with enable_x64(False):\n    state = move(state)\n", "fp32"),
        ("state = move(state)\nwith enable_x64():\n    optax.apply_updates(state, 1)\n", None),
        ("with enable_x64():\n    rows = jax.numpy.ones(3, jax.numpy.float32)\n    state = move(state)\n", None),
    ],
)
def test_a_block_of_doubles_counts_where_training_stands_in_it(read, rest, precision):
    assert read({"go.py": IN_A_BLOCK + rest}, "python go.py").precision == precision
