"""How long Keras' fit trains, and over what."""

import pytest

IMAGES = """
from keras.models import Sequential
from keras.layers import Conv2D, Dense, Flatten
from keras.preprocessing.image import ImageDataGenerator

net = Sequential()
net.add(Conv2D(8, (3, 3)))
net.add(Flatten())
net.add(Dense(1))
net.compile(optimizer="adam", loss="binary_crossentropy")
cut = ImageDataGenerator(rescale=1 / 255)
test_set = cut.flow_from_directory("pictures/test", batch_size=3)
training_set = cut.flow_from_directory("pictures/train"{size})
net.fit_generator(training_set, {rest})
"""


def test_epochs_stand_in_their_place(read):
    assert read({"fit.py": IMAGES.format(size="", rest="100, 7")}, "python fit.py").epochs == 7


@pytest.mark.parametrize("rest", ["net.fit(x, x)", "cut.fit(x)"])
def test_epochs_that_only_the_run_knows_are_not_another_call_s_default(read, rest):
    head = IMAGES.partition("test_set")[0]
    program = f"{head}import sys\nx = sys.argv\n{rest}\nnet.fit_generator(cut.flow(x, x), epochs=int(input()))\n"
    job = read({"fit.py": program}, "python fit.py")
    assert (job.is_training, job.epochs) == (True, None)


TABLE = """
import pandas as pd
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import {layer}, Dense

frame = pd.read_csv("prices_nyse.csv")
{shape}
net = Sequential()
net.add({layer}(50))
net.add(Dense(1))
net.compile(loss="{loss}", optimizer="rmsprop")
net.fit({given})
"""


@pytest.mark.parametrize(
    ("given", "batch", "epochs"),
    [("frame, frame", 32, 1), ("frame, frame, 5, 6", 5, 6), ("frame", None, 1), ("frame, frame, **more", None, None)],
)
def test_of_arrays_fit_takes_its_own_batch(read, given, batch, epochs):
    job = read({"fit.py": TABLE.format(layer="LSTM", loss="mse", given=given, shape="")}, "python fit.py")
    assert (job.batch_size, job.epochs) == (batch, epochs)


ROUNDS = """
import numpy as np
import tensorflow as tf
from tensorflow import keras
net = keras.Sequential([keras.layers.Dense(2)])
net.compile(optimizer="adam", loss="mse")
x, y = np.zeros((640, 3)), np.zeros(640)
{fits}
"""


@pytest.mark.parametrize(
    ("fits", "found"),
    [
        ("net.fit(x, y, epochs=5)\nnet.trainable = True\nnet.fit(x, y, epochs=3)", (8, 160)),
        ("seen = net.fit(x, y, epochs=5)\nnet.fit(x, y, epochs=5 + 3, initial_epoch=5)", (8, 160)),
        ("seen = net.fit(x, y, epochs=5)\nnet.fit(x, y, epochs=8, initial_epoch=seen.epoch[-1])", (8, 160)),
        ("net.fit(x, y, epochs=5)\nnet.fit(x[:64], y, epochs=3)", (8, None)),
        (
            "net.fit(x, y, epochs=5)\nnet = keras.models.load_model('here')\nnet.fit(x, y, epochs=8, initial_epoch=5)",
            (8, 160),
        ),
        ("net.fit(x, y, epochs=5)\nnet.fit(x, y, epochs=3, batch_size=64)", (8, None)),
        ("net.fit(x, y, epochs=5)\nif improves():\n    net.fit(x, y, epochs=3)", (5, 100)),
        ("for part in parts():\n    net.fit(x, y, epochs=5)", (5, None)),
        ("net.fit(x, y, epochs=5)\nother = keras.Sequential()\nother.fit(x, y, epochs=3)", (None, None)),
    ],
)
def test_fits_of_one_model_follow_one_another(read, fits, found):
    job = read({"fit.py": ROUNDS.format(fits=fits)}, "python fit.py")
    assert (job.epochs, job.total_steps) == found


@pytest.mark.parametrize(("base", "steps"), [("keras.utils.Sequence", 96), ("Plain", 9)])
def test_a_sequence_of_keras_is_as_long_as_its_batches(read, base, steps):
    rows = f"""
class Plain:
    pass
class Rows({base}):
    def __len__(self):
        return 32
net.fit(Rows(), epochs=3, batch_size=12)
"""
    assert read({"fit.py": ROUNDS.format(fits=rows)}, "python fit.py").total_steps == steps


FIT = """
import numpy
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(2)])
model.compile(optimizer="adam", loss="mse")
for turn in range(50):
    model.fit(numpy.zeros((4, 3)), numpy.zeros(4), epochs=1)
"""


def test_a_fit_of_one_epoch_in_a_loop_is_a_part_of_the_job(read):
    assert read({"go.py": FIT}, "python go.py").epochs != 1
    alone = FIT.replace("for turn in range(50):\n    ", "")
    assert read({"go.py": alone}, "python go.py").epochs == 1


FITTED_AGAIN = """
import numpy as np
from tensorflow import keras
(x, y), _ = keras.datasets.mnist.load_data()
def net():
    return keras.Sequential([keras.layers.Flatten(input_shape=(28, 28)), keras.layers.Dense(10)])
model = net()
model.compile("adam", "mse")
model.fit(x, y, epochs=5, batch_size=32)
{more}
"""


@pytest.mark.parametrize(
    ("more", "epochs", "steps"),
    [
        ("model.fit(x, y, epochs=20, batch_size=32)", 25, 46875),
        ("model.fit(np.load('own.npy'), np.load('ownY.npy'), epochs=20, batch_size=32)", 25, None),
        ("model = net()\nmodel.fit(x, y, epochs=20, initial_epoch=5, batch_size=32)", 20, 37500),
    ],
)
def test_fits_in_a_row(read, more, epochs, steps):
    job = read({"train.py": FITTED_AGAIN.format(more=more)}, "python train.py")
    assert (job.epochs, job.total_steps) == (epochs, steps)


def test_a_second_network_is_no_more_of_the_first(read):
    other = "student = net()\nstudent.fit(x, y, epochs=10, initial_epoch=0, batch_size=32)"
    assert read({"train.py": FITTED_AGAIN.format(more=other)}, "python train.py").epochs != 15
