"""Networks that a tape of TensorFlow trains, alone and against each other."""

from time import process_time

import pytest

from schedmate.knowledge.models import is_rival

ONE = """
import tensorflow as tf
from layers import Shift
net = tf.keras.Sequential()
net.add(tf.keras.layers.Conv2D(8, 3, input_shape=(16, 16, 1)))
net.add(tf.keras.layers.Flatten())
net.add(tf.keras.layers.Dense(2))
optimizer = tf.keras.optimizers.Adam(0.01)

@tf.function
def step(images):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(images))
    gradients = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))

for epoch in range(4):
    step(tf.zeros((2, 16, 16, 1)))
"""
LAYERS = """
import tensorflow as tf
class Shift(tf.keras.layers.Layer):
    pass
"""
TWO = """
import tensorflow as tf

def build_generator():
    net = tf.keras.Sequential()
    net.add(tf.keras.layers.Conv2DTranspose(8, 3, input_shape=(4, 4, 8)))
    return net

def build_discriminator():
    net = tf.keras.Sequential()
    net.add(tf.keras.layers.Conv2D(8, 3, input_shape=(8, 8, 1)))
    net.add(tf.keras.layers.Dense(1))
    return net

makes, tells = build_generator(), build_discriminator()
first, second = tf.keras.optimizers.Adam(0.001), tf.keras.optimizers.Adam(0.002)
for epoch in range(3):
    with tf.GradientTape() as one, tf.GradientTape() as two:
        made = makes(tf.zeros((2, 4, 4, 8)))
        loss, other = tf.reduce_mean(tells(made)), -tf.reduce_mean(tells(made))
    first.apply_gradients(zip(one.gradient(loss, makes.trainable_variables), makes.trainable_variables))
    second.apply_gradients(zip(two.gradient(other, tells.trainable_variables), tells.trainable_variables))
"""


def test_a_tape_shows_which_network_is_trained(read):
    job = read({"go.py": ONE, "layers.py": LAYERS}, "python go.py")
    assert (job.is_training, job.model_name, job.model_type, job.param_size) == (True, "CNN", "cnn", "3218")


def test_two_networks_against_each_other_are_a_gan(read):
    job = read({"go.py": TWO}, "python go.py")
    assert (job.model_name, job.model_type, job.param_size) == ("GAN", "gan (cnn)", None)


def test_a_script_named_after_a_verb_and_a_family(read):
    assert read({"trainDCGAN.py": TWO}, "python trainDCGAN.py").model_name == "DCGAN"


def test_rows_that_are_shared_are_looked_at_once(read):
    rows = "".join(f"row{depth + 1} = [{', '.join([f'row{depth}'] * 25)}]\n" for depth in range(6))
    asked = ONE.replace("optimizer = ", f"row0 = net.trainable_variables\n{rows}optimizer = ")
    asked = asked.replace("gradient(loss, net.trainable_variables)", "gradient(loss, row6)")
    start = process_time()
    job = read({"go.py": asked, "layers.py": LAYERS}, "python go.py")
    assert (job.model_name, job.param_size) == ("CNN", "3218")
    assert process_time() - start < 5


def test_names_that_only_begin_so_are_no_opponents(read):
    others = TWO.replace("build_generator", "general_net").replace("build_discriminator", "discrete_net")
    assert read({"go.py": others}, "python go.py").model_type == "cnn"


HELD = """
import torch
from torch import nn

class First(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)

class Second(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 1, 3)

{judge} = Second()
{maker} = First()
first = torch.optim.Adam({judge}.parameters())
second = torch.optim.Adam({maker}.parameters())
for step in range(9):
    {judge}({maker}(noise())).mean().backward()
    first.step()
    second.step()
"""


@pytest.mark.parametrize(
    ("judge", "maker", "kind", "name"),
    [("netD", "netG", "gan (cnn)", "First"), ("top", "trunk", "cnn", "Second"), ("netD", "trunk", "cnn", "First")],
)
def test_networks_are_opponents_by_the_names_that_hold_them(read, judge, maker, kind, name):
    job = read({"fit.py": HELD.format(judge=judge, maker=maker)}, "python fit.py")
    assert (job.model_type, job.model_name) == (kind, name)


@pytest.mark.parametrize(
    ("name", "rival"), [("Discriminator_small", True), ("PatchDiscriminator", True), ("Net", False), ("RoadDis", False)]
)
def test_a_judge_has_its_word_anywhere_in_its_name(name, rival):
    assert is_rival(name) is rival
