"""Objects that only stand in a class for what its own objects hold."""

import pytest

NET = """
import jax, optax
import flax.linen as nn

class Basis(nn.Module):
    width: int = 4

class Pondering(nn.Module):
    basis: nn.Module = Basis()

    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(self.basis(x))

{made}
rule = optax.sgd(0.1)
state = rule.init(weights)
for step in range(5):
    grads = jax.grad(lambda w: step * w)(weights)
    updates, state = rule.update(grads, state)
    weights = optax.apply_updates(weights, updates)
"""


@pytest.mark.parametrize(
    ("made", "name"),
    [("weights = Pondering().init(jax.random.PRNGKey(0), 1)", "Pondering"), ("weights = load_from(elsewhere)", None)],
)
def test_a_part_that_a_class_has_by_default_is_not_the_network(read, made, name):
    assert read({"go.py": NET.format(made=made)}, "python go.py").model_name == name
