"""Functions of the repository's own that apply gradients, as programs of TensorFlow 1 and Theano write them."""

import pytest

PROGRAM = """
import tensorflow as tf

def {name}(params, loss, lr=0.5, decay=0.9):
    updates = []
    for one, slope in zip(params, tf.gradients(loss, params)):
        mean = tf.Variable(tf.zeros(one.get_shape()))
        updates.append(mean.assign(decay * mean + slope))
        updates.append(one.{does}(one - lr * mean))
    return tf.group(*updates)

rows = tf.placeholder(tf.float32, [32, 4])
weights = [tf.get_variable("w", [4, 1])]
loss = tf.reduce_mean(tf.matmul(rows, weights[0]))
train_op = tf.group({name}(weights, loss, lr=0.02), tf.no_op())
with tf.Session() as sess:
    for step in range(900):
        {run}
"""


def job_of(read, name, run="sess.run([loss, train_op], {rows: 1})", does="assign"):
    program = PROGRAM.replace("{name}", name).replace("{run}", run).replace("{does}", does)
    return read({"go.py": program}, "python go.py")


@pytest.mark.parametrize(
    ("name", "optimizer"),
    [("adam_updates", "Adam"), ("apply_rmsprop", "RMSprop"), ("sgd", "SGD"), ("adam_step", "Adam")],
)
def test_a_function_that_is_named_after_an_optimizer_is_one(read, name, optimizer):
    job = job_of(read, name)
    assert (job.is_training, job.optimizer, job.learning_rate, job.total_steps) == (True, optimizer, 0.02, 900)


@pytest.mark.parametrize("name", ["adam_plots", "update", "get_updates", "madam"])
def test_a_function_of_another_name_is_none(read, name):
    assert job_of(read, name).optimizer is None


def test_steps_that_no_session_runs_are_not_counted(read):
    assert job_of(read, "adam_updates", run="sess.run(loss, {rows: 1})").total_steps is None
