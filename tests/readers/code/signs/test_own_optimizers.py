"""Optimizers that a repository writes itself: classes with a step, functions over parameters and gradients."""

import pytest

OWN = """
import gym
import numpy as np
import tensorflow as tf

class {name}:
    def __init__(self, size):
        self.moments = np.zeros(size)

    def {step}(self, grad, rate):
        self.moments = self.moments - rate * grad

env = gym.make("CartPole-v0")
rule = {name}(8)
for step in range(70):
    rule.{step}(np.ones(8), 0.004)
"""


@pytest.mark.parametrize(
    ("name", "step", "optimizer"), [("MpiAdam", "update", "Adam"), ("SlowLAMBOptimizer", "step", "LAMB")]
)
def test_an_optimizer_written_out_trains(read, name, step, optimizer):
    found = read({"fit.py": OWN.format(name=name, step=step)}, "python fit.py")
    assert (found.is_training, found.optimizer, found.learning_rate) == (True, optimizer, 0.004)


def test_other_objects_that_are_updated_do_not_train(read):
    assert read({"fit.py": OWN.format(name="Madam", step="update")}, "python fit.py").is_training is not True


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
