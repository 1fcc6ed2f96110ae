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


@pytest.mark.parametrize("name", ["momentum_update", "update_momentum"])
def test_a_copy_of_a_network_that_follows_it_is_no_optimizer(read, name):
    program = f"""
        import torch
        from mylib import build
        model, key = torch.nn.Linear(4, 2), torch.nn.Linear(4, 2)
        def {name}(ours, theirs, m=0.999):
            for one, other in zip(ours.parameters(), theirs.parameters()):
                other.data.mul_(m).add_(one.data, alpha=1 - m)
        optimizer = build(model)
        for step in range(90):
            model(torch.rand(8, 4)).sum().backward()
            optimizer.step()
            {name}(model, key, 0.99)
    """
    assert read({"go.py": program}, "python go.py").optimizer is None


def test_a_whole_training_that_is_named_after_an_optimizer_is_no_step(read):
    program = """
        import torch
        def train_sgd(rows, lr=0.05, epochs=7, batch_size=4):
            w = torch.zeros(10, requires_grad=True)
            for epoch in range(epochs):
                for i in range(0, 1000, batch_size):
                    (rows[i:i + batch_size] @ w).mean().backward()
                    with torch.no_grad():
                        w.sub_(lr * w.grad)
                        w.grad.zero_()
        train_sgd(torch.zeros(1000, 10), 0.1)
    """
    assert read({"go.py": program}, "python go.py").total_steps == 1750
