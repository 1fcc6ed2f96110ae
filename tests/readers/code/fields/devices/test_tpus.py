"""TensorFlow's estimators on TPUs: no GPU is counted, and the cores share the batch."""

import pytest

PROGRAM = """
import argparse
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--use-tpu", action="store_true")
args = parser.parse_args()

def shape(features, labels, mode, params):
    optimizer = tf.train.AdamOptimizer(1e-3)
    if args.use_tpu:
        optimizer = tf.contrib.tpu.CrossShardOptimizer(optimizer)
    return optimizer.minimize(tf.layers.dense(features, 2))

def rows(params):
    return tf.data.Dataset.range(9).batch(params["batch_size"])

estimator = tf.contrib.tpu.TPUEstimator(model_fn=shape, use_tpu=args.use_tpu, train_batch_size=64)
estimator.train(rows, max_steps=500)
"""


@pytest.mark.parametrize(
    ("switch", "gpus", "spread", "batch"),
    [("--use-tpu", None, "TPU data parallel", 64), ("", 1, "none", 64)],
)
def test_a_tpu_is_no_gpu(read, switch, gpus, spread, batch):
    job = read({"main.py": PROGRAM}, f"python main.py {switch}")
    assert (job.num_gpus, job.distributed, job.global_batch_size) == (gpus, spread, batch)
