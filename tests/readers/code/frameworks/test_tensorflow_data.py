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
