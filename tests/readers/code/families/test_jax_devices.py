"""JAX: devices count where work is spread over them, not where they are counted or printed."""

CONDITIONAL = """
import jax
import jax.numpy as jnp
import optax

config = {"RATE": 0.25, "UPDATES": 1000}

def schedule(count):
    return config["RATE"] * (1.0 - count / config["UPDATES"])

optimizer = optax.adam(learning_rate=SCHEDULE)

def learn(params, batch):
    grads = jax.grad(lambda params: params)(params)
    updates, state = optimizer.update(grads, None)
    return optax.apply_updates(params, updates)

def step(carry, unused):
    params, count = carry
    params = jax.lax.cond(count % 10 == 0, lambda params: learn(params, None), lambda params: params, params)
    return (params, count + 1), None

LOOP
"""


def test_a_schedule_that_rises_from_its_start_names_no_peak(read):
    text = CONDITIONAL.replace("SCHEDULE", "lambda count: 0.001 + 0.01 * count")
    text = text.replace("LOOP", "jax.lax.scan(step, ({}, 0), None, 100)")
    assert read({"train.py": text}, "python train.py").learning_rate is None
