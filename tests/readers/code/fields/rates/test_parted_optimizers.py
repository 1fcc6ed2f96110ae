"""optax's optimizer that is made of several."""

import pytest

PARTS = """
import jax, optax

def muon(rate):
    return optax.GradientTransformation(lambda params: params, lambda grads, state: (grads, state))

mask = {{"bias": False}}

def odd(rate):
    return optax.GradientTransformation(lambda params: params, lambda grads, state: (grads, state))

optimizer = optax.multi_transform({parts}, lambda params: params)
params, state = {{}}, None
for step in range(9):
    grads = jax.grad(lambda p: p)(params)
    updates, state = optimizer.update(grads, state)
    params = optax.apply_updates(params, updates)
"""


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ("{'head': optax.adamw(1e-3), 'muon': muon(0.02)}", "AdamW + Muon"),
        ("{'head': optax.chain(optax.clip(1.0), optax.adamw(1e-3)), 'rest': optax.sgd(0.1)}", "AdamW + SGD"),
        ("{'head': optax.adamw(1e-3), 'rest': optax.adamw(1e-4)}", "AdamW"),
        ("{'head': optax.adamw(1e-3), 'rest': optax.set_to_zero()}", "AdamW"),
        ("{'head': optax.adamw(1e-3), 'rest': odd(0.1)}", None),
        (
            "{'a': optax.adam(0.1), 'b': optax.masked(optax.sgd(0.1), mask), 'c': optax.lion(0.1)}",
            "Adam + Lion + SGD",
        ),
        (
            "{'a': optax.adam(0.1), 'b': optax.masked(inner=optax.chain(optax.clip(1.0), optax.lion(0.1)))}",
            "Adam + Lion",
        ),
        ("{'a': optax.adam(1e-3), 'b': optax.masked(optax.set_to_zero(), mask), 'c': optax.lion(1e-4)}", "Adam + Lion"),
        ("{'a': optax.adam(1e-3), 'sgd': optax.identity(), 'c': optax.lion(1e-4)}", None),
    ],
)
def test_all_that_move_parameters_are_named(read, parts, name):
    assert read({"fit.py": PARTS.format(parts=parts)}, "python fit.py").optimizer == name
