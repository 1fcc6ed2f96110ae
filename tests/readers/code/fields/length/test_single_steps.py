"""Epochs of one step each, by what moves the weights."""

import pytest

TAPED = """
import tensorflow as tf

net = tf.keras.Sequential([tf.keras.layers.Dense(4)])
adam = tf.keras.optimizers.Adam(1e-3)
rows = tf.random.normal((64, 8))
for epoch in range(70):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(rows) ** 2)
    adam.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
"""
WHOLE = """
import jax
import optax

tx = optax.adam(1e-3)
weights = jax.numpy.zeros((4,))
state = tx.init(weights)
rows = jax.numpy.load("rows.npy")


def moved(carried, rows):
    weights, state = carried
    updates, state = tx.update(jax.grad(loss)(weights, rows), state)
    return (optax.apply_updates(weights, updates), state), None


for epoch in range(60):
    {step}
"""
ALONE, SCANNED = "moved((weights, state), rows)", "jax.lax.scan(moved, (weights, state), rows)"


@pytest.mark.parametrize(
    ("code", "epochs", "steps"),
    [
        (TAPED, 70, 70),
        (WHOLE.replace("{step}", ALONE), 60, 60),
        (WHOLE.replace("{step}", SCANNED), 60, None),
    ],
)
def test_what_moves_the_weights_once_in_each_epoch_is_a_step(read, code, epochs, steps):
    found = read({"go.py": code}, "python go.py")
    assert (found.epochs, found.total_steps) == (epochs, steps)
