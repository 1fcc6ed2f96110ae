"""Weights that are loaded to be given to another framework's network do not tell in which type that one computes."""

import pytest

PROGRAM = """
    import jax, optax, torch
    from flax import linen as nn
    from transformers import {loader}

    class Weaver(nn.Module):
        rows: int = 4

    given = {loader}.from_pretrained("gpt2", {argument}={kind})
    net = Weaver()
    state = net.init(jax.random.PRNGKey(0), given)
    rates = optax.adam(0.1)
    for step in range(9):
        loss, grads = jax.value_and_grad(net.apply)(state, step)
        updates, kept = rates.update(grads, state)
        state = optax.apply_updates(state, updates)
    """


@pytest.mark.parametrize(
    ("loader", "argument", "kind", "precision"),
    [
        ("AutoModelForCausalLM", "torch_dtype", "torch.float16", None),
        ("FlaxAutoModelForCausalLM", "dtype", "jax.numpy.bfloat16", "bf16"),
    ],
)
def test_only_weights_of_the_same_framework_tell(read, loader, argument, kind, precision):
    text = PROGRAM.format(loader=loader, argument=argument, kind=kind)
    found = read({"go.py": text if "torch." in kind else text.replace(", torch", "")}, "python go.py")
    assert (found.is_training, found.precision) == (True, precision)
