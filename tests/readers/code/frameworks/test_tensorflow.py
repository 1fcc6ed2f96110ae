"""TensorFlow and Keras: steps on replicas, and models that are compiled and fitted."""

import pytest

KERAS = """
import argparse
from tensorflow import keras

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=200)
parser.add_argument("--epochs", type=int, default=6)
args = parser.parse_args()
model = keras.Sequential([keras.layers.Dense(4)])
model.compile(optimizer=keras.optimizers.Adam(learning_rate=0.002), loss="mse")
model.fit(None, steps_per_epoch=args.steps{more}, epochs=args.epochs)
"""


@pytest.mark.parametrize(("more", "steps"), [("", 350), (", initial_epoch=2", None), (" // unknown()", None)])
def test_keras_takes_steps_an_epoch_where_they_are_told(read, more, steps):
    found = read({"fit.py": KERAS.format(more=more)}, "python fit.py --steps 50 --epochs 7")
    assert (found.epochs, found.total_steps) == (7, steps)


REPLICAS = """
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1"])
with strategy.scope():
    net = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
    adam = tf.keras.optimizers.Adam(learning_rate=0.003)

def step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(batch))
    adam.apply_gradients(zip(tape.gradient(loss, net.trainable_weights), net.trainable_weights))

for batch in tf.data.Dataset.from_generator(draw).batch(8):
    strategy.{way}(step, args=(batch,))
"""


@pytest.mark.parametrize("way", ["run", "experimental_run_v2"])
def test_a_step_that_a_strategy_runs_trains(read, way):
    job = read({"go.py": REPLICAS.format(way=way)}, "python go.py")
    assert (job.is_training, job.learning_rate) == (True, 0.003)


def test_no_default_stands_in_for_a_rate_that_is_given_but_open(read):
    main = """
    import tensorflow as tf
    rate = tf.cond(tf.zeros([]) > 1, lambda: tf.zeros([]), lambda: tf.ones([]))
    loss = tf.reduce_sum(tf.layers.dense(tf.zeros([2, 3]), 4))
    train = tf.train.AdamOptimizer({rate}).minimize(loss)
    with tf.Session() as session:
        for step in range(30):
            session.run(train)
    """
    assert read({"main.py": main.replace("{rate}", "rate")}, "python main.py").learning_rate is None
    assert read({"main.py": main.replace("{rate}", "")}, "python main.py").learning_rate == 0.001


KEPT = """
import tensorflow as tf
layers = [tf.keras.layers.Conv3D(4, 3, input_shape=(8, 8, 8, 1)), tf.keras.layers.Dense(1)]
state = tf.train.Checkpoint(net=tf.keras.Sequential(layers), rule=tf.keras.optimizers.RMSprop(5e-4))
for epoch in range(7):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(state.net(tf.zeros((2, 8, 8, 8, 1))))
    grads = tape.gradient(loss, state.net.trainable_variables)
    state.rule.apply_gradients(zip(grads, state.net.trainable_variables))
"""


def test_what_a_checkpoint_saves_is_found_in_it(read):
    job = read({"go.py": KEPT}, "python go.py")
    assert (job.model_name, job.model_type, job.optimizer, job.learning_rate) == ("3D CNN", "cnn", "RMSprop", 0.0005)


STANDS_IN = """
import torch, keras
from torch import nn
other = keras.Sequential([keras.layers.Dense(1)])
other.compile(loss="mse", optimizer="adam")
net = nn.LSTM(3, 3)
optimizer = make_rule(net)
for step in range(7):
    net(step)[0].sum().backward()
    optimizer.step()
{last}
"""


@pytest.mark.parametrize(("last", "rate"), [("", None), ("other.fit([1], [2])", 0.001)])
def test_a_model_that_is_compiled_and_never_fitted_is_not_what_learns(read, last, rate):
    assert read({"go.py": STANDS_IN.format(last=last)}, "python go.py").learning_rate == rate
