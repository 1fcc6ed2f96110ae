"""A program of Haiku: functions that are transformed before they are called."""

import pytest

HAIKU = """
from absl import app, flags
import haiku as hk
import jax
import jmp
import optax

flags.DEFINE_string("policy", "p=f32,c=f32,o=f32", "")
FLAGS = flags.FLAGS

class LanguageModel(hk.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.attention = hk.MultiHeadAttention(4, 8, 1.0)

    def __call__(self, x):
        return self.attention(x, x, x)

@hk.transform
def loss_fn(x):
    return LanguageModel(32)(x).mean()

def rule():
    return optax.chain(optax.trace(decay=0.9, nesterov=True), optax.scale(-0.0625))

def main(_):
    hk.mixed_precision.set_policy(LanguageModel, jmp.get_policy(FLAGS.policy))
    params = loss_fn.init(jax.random.PRNGKey(0), 1)
    state = rule().init(params)
    for step in range(77):
        grads = jax.grad(loss_fn.apply)(params, None, 1)
        updates, state = rule().update(grads, state)
        params = optax.apply_updates(params, updates)

app.run(main)
"""


@pytest.mark.parametrize(
    ("policy", "precision"),
    [("p=f32,c=f32,o=f32", "fp32"), ("p=f32,c=bf16,o=f32", "bf16"), ("params=float32,compute=float16", "fp16")],
)
def test_haikus_functions_are_followed_and_jmps_policies_read(read, policy, precision):
    found = read({"fit.py": HAIKU}, f"python fit.py --policy {policy}")
    assert (found.precision, found.total_steps) == (precision, 77)
    assert (found.model_name, found.model_type) == ("LanguageModel", "transformer")
    assert found.optimizer == "SGD"
