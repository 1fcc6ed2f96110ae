"""Of several data sets of TensorFlow's one trains: who is called after an evaluation does not, and who is open may."""

import pytest

CODE = """
import jax
import optax
import tensorflow as tf
import tensorflow_datasets as tfds
from absl import app, flags
flags.DEFINE_string("eval_dataset", "cifar100", "what results are measured on")
flags.DEFINE_integer("batch_size", 512, "")
FLAGS = flags.FLAGS

def main(_):
    rows = tf.data.Dataset.from_tensor_slices(range(99)).batch(SIZE)
    words = tf.data.Dataset.from_tensor_slices(range(9)).batch(8)
    held_out = tfds.load(FLAGS.eval_dataset)
    optimizer = optax.adamw(1e-3)
    weights = {"w": 0.0}
    state = optimizer.init(weights)
    print(FLAGS.batch_size)
    for row in rows:
        grads = jax.grad(lambda w: w["w"] * row)(weights)
        updates, state = optimizer.update(grads, state, weights)
        weights = optax.apply_updates(weights, updates)

app.run(main)
"""


@pytest.mark.parametrize(("size", "batch"), [("FLAGS.batch_size // jax.process_count()", 512), ("8", 8)])
def test_the_batch_of_one_of_several_data_sets_is_told_only_where_all_are_known(read, size, batch):
    job = read({"train.py": CODE.replace("SIZE", size)}, "python train.py")
    assert job.batch_size == batch


def test_what_an_option_calls_evaluation_is_not_what_is_trained_on(read):
    assert read({"train.py": CODE.replace("SIZE", "8")}, "python train.py").dataset_name is None
    trains = CODE.replace("SIZE", "8").replace("eval_dataset", "dataset")
    assert read({"train.py": trains}, "python train.py").dataset_name == "cifar100"


STREAMED = """
import argparse
import tensorflow as tf
import tensorflow_datasets as tfds

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=4)
told = parser.parse_args()
verses = iter(tfds.as_numpy(tfds.load("wiki40b", split="train").batch(1)))

def rows():
    while True:
        yield [next(verses)[0] for _ in range(told.batch_size)]

model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.Adam(1e-3)
for step, batch in zip(range(500), rows()):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
"""


def test_a_stream_of_single_items_gives_way_to_the_batch_that_the_command_tells(read):
    assert read({"go.py": STREAMED}, "python go.py --batch_size 96").batch_size == 96
    assert read({"go.py": STREAMED}, "python go.py --batch_size 1").batch_size == 1
