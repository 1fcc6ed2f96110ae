"""Optimizers that are functions of the repository, and programs whose loop is lost."""

import pytest

GRAPH = """
import tensorflow as tf

def adamax(params, loss, alpha=3e-4):
    updates = []
    for weight, gradient in zip(params, tf.gradients(loss, params)):
        updates.append(weight.assign(weight - alpha * gradient))
    return tf.group(*updates)

def sgd(text, words):
    return text.join(words)

step = {name}([tf.Variable(1.0)], tf.constant(2.0){rate})
session = tf.Session()
for epoch in range(9):
    session.run(step)
"""


@pytest.mark.parametrize(("rate", "peak"), [(", alpha=0.02", 0.02), (", 0.05", 0.05), ("", 3e-4)])
def test_a_function_that_is_an_optimizer_trains(read, rate, peak):
    job = read({"main.py": GRAPH.format(name="adamax", rate=rate)}, "python main.py")
    assert (job.is_training, job.optimizer, job.learning_rate) == (True, "Adamax", peak)


@pytest.mark.parametrize(("given", "peak"), [("rate=0.25, alpha=0.9", 0.25), ("alpha=0.9", None)])
def test_the_alpha_of_rmsprop_is_no_rate(read, given, peak):
    program = GRAPH.replace("def adamax(params, loss, alpha=3e-4)", f"def rmsprop(params, loss, {given})")
    job = read({"main.py": program.format(name="rmsprop", rate="")}, "python main.py")
    assert (job.optimizer, job.learning_rate) == ("RMSprop", peak)


def test_a_function_that_only_bears_an_optimizers_name_is_none(read):
    job = read({"main.py": GRAPH.format(name="sgd", rate="")}, "python main.py")
    assert (job.is_training, job.optimizer) == (None, None)


LOST = """
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.2)
model = read_back("net.pickle")(parser.parse_args().lr)
for epoch in range(9):
    model.advance()
"""


@pytest.mark.parametrize(
    ("name", "trains", "rate"),
    [
        ("train_net.py", True, 0.2),
        ("pretrain2.py", True, 0.2),
        ("main.py", None, None),
        ("eval_train.py", None, None),
        ("plot_training.py", None, None),
        ("training_report.py", None, None),
        ("trained_sizes.py", None, None),
    ],
)
def test_a_program_that_is_named_after_training_trains_where_its_loop_is_lost(read, name, trains, rate):
    job = read({name: LOST}, f"python {name}")
    assert (job.is_training or None, job.learning_rate) == (trains, rate)
