"""What Keras' `fit` and loops over TensorFlow's data go over: how many samples or batches an epoch has."""

import pytest


@pytest.mark.parametrize(
    ("work", "steps"),
    [
        ("paddle.Model(net).fit(data, epochs=5, batch_size=64)", 5 * 938),
        (
            "loader = paddle.io.DataLoader(data, batch_size=100)\nfor epoch in range(5):\n"
            "    for x, y in loader():\n        net(x).backward()\n        best.step()",
            3000,
        ),
    ],
)
def test_paddle_goes_over_its_own_sets(read, work, steps):
    code = f"""
import paddle
net = paddle.nn.Linear(2, 2)
best = paddle.optimizer.Adam(parameters=net.parameters())
data = paddle.vision.datasets.MNIST(mode="train")
{work}
"""
    job = read({"go.py": code}, "python go.py")
    assert (job.epochs, job.total_steps) == (5, steps)


TAPE = """
import tensorflow as tf

(x, y), _ = tf.keras.datasets.mnist.load_data()
stream = tf.data.Dataset.from_tensor_slices((x[..., None], y)).shuffle(100).batch(100{more})
net = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.Adam()
for epoch in range(2):
    for step, (a, b) in enumerate(stream):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(a) - b)
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
"""


@pytest.mark.parametrize(("more", "count"), [("", 1200), (").repeat(", None)])
def test_a_tape_over_a_stream_takes_each_batch_once(read, more, count):
    assert read({"train.py": TAPE.format(more=more)}, "python train.py").total_steps == count


PADDLE = """
import paddle
from paddle.vision.datasets import MNIST
model = paddle.Model(paddle.vision.models.LeNet())
model.prepare(paddle.optimizer.Adam(parameters=model.parameters()), paddle.nn.CrossEntropyLoss())
model.fit(MNIST(mode="train"), epochs=5, batch_size=64{more})
"""


@pytest.mark.parametrize(
    ("more", "steps"),
    [("", 4690), (", drop_last=True", 4685), (", accumulate_grad_batches=4", None), (", num_iters=100", None)],
)
def test_what_paddle_is_told_besides(read, more, steps):
    assert read({"train.py": PADDLE.format(more=more)}, "python train.py").total_steps == steps


@pytest.mark.parametrize(
    ("around", "found"),
    [
        ("for i in range(9):", (5, None)),
        ("for epoch in range(9):", (9, None)),
        ("for fold in range(9):", (5, None)),
    ],
)
def test_a_fit_that_is_done_again_has_steps_of_its_own(read, around, found):
    epochs = 1 if "epoch" in around else 5
    code = f"""
import numpy as np
from tensorflow import keras
{around}
    net = keras.Sequential([keras.layers.Dense(2)])
    net.compile(optimizer="adam", loss="mse")
    net.fit(np.zeros((640, 3)), np.zeros(640), epochs={epochs})
"""
    job = read({"go.py": code}, "python go.py")
    assert (job.epochs, job.total_steps) == found
