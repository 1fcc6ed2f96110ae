"""Keras as most people write it: layers added one by one, generators, `fit` with hardly an argument."""

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


@pytest.mark.parametrize(
    ("size", "batch"), [(", batch_size=16", 16), ("", 32), (", (64, 64), 'rgb', None, 'binary', 9", 9)]
)
def test_a_generator_cuts_the_batches(read, size, batch):
    job = read({"fit.py": IMAGES.format(size=size, rest="epochs=25")}, "python fit.py")
    assert (job.batch_size, job.epochs, job.is_training) == (batch, 25, True)
    assert (job.model_name, job.model_type, job.task) == ("CNN", "cnn", "CV")
    assert (job.task_fine, job.dataset_name) == ("image classification", "pictures")


@pytest.mark.parametrize(
    ("name", "folder", "batch"),
    [
        ("shown", "data/devices", 16),
        ("shown", "medieval_art", 16),
        ("values", "pictures", 16),
        ("train_gen", "pictures/test", 16),
        ("shown", "pictures/val1", None),
        ("dev_set", "pictures", None),
    ],
)
def test_what_is_for_evaluation_is_said_by_a_word_of_its_own(read, name, folder, batch):
    head = IMAGES.partition("test_set")[0]
    cuts = f'{name} = cut.flow_from_directory("{folder}", batch_size=16)\nnet.fit_generator({name}, epochs=2)\n'
    assert read({"fit.py": head + cuts}, "python fit.py").batch_size == batch


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


WINDOWS = "windows = [frame[place - 60 : place] for place in range(60, 900)]"


@pytest.mark.parametrize(
    ("given", "batch", "epochs"),
    [("frame, frame", 32, 1), ("frame, frame, 5, 6", 5, 6), ("frame", None, 1), ("frame, frame, **more", None, None)],
)
def test_of_arrays_fit_takes_its_own_batch(read, given, batch, epochs):
    job = read({"fit.py": TABLE.format(layer="LSTM", loss="mse", given=given, shape="")}, "python fit.py")
    assert (job.batch_size, job.epochs) == (batch, epochs)


@pytest.mark.parametrize(
    ("layer", "loss", "shape", "name", "task", "fine"),
    [
        ("LSTM", "mse", "days = frame['Date']", "LSTM", "time series", "time series forecasting"),
        ("GRU", "mean_squared_error", WINDOWS, "GRU", "time series", "time series forecasting"),
        ("LSTM", "mse", "frame.index = pd.to_datetime(frame.index)", "LSTM", "time series", "time series forecasting"),
        ("LSTM", "mse", "spelt = [list(row) for row in frame['text']]", "LSTM", None, None),
        ("Dense", "mse", "", "MLP", "tabular", "regression"),
        ("Dense", "categorical_crossentropy", "", "MLP", "tabular", "tabular prediction (classification)"),
    ],
)
def test_what_is_learned_of_a_table_shows_in_layers_loss_and_time(read, layer, loss, shape, name, task, fine):
    job = read({"fit.py": TABLE.format(layer=layer, loss=loss, given="frame, frame", shape=shape)}, "python fit.py")
    assert (job.model_name, job.task, job.task_fine, job.dataset_name) == (name, task, fine, "prices_nyse")


def test_layers_of_two_recurrent_kinds_give_no_name(read):
    program = TABLE.format(layer="LSTM", loss="mse", given="frame, frame", shape="").replace(
        "import LSTM", "import GRU, LSTM"
    )
    job = read({"fit.py": program.replace("net.add(Dense(1))", "net.add(GRU(50))")}, "python fit.py")
    assert (job.model_name, job.model_type) == (None, "rnn")


def test_a_table_of_texts_is_not_taken_for_one_of_numbers(read):
    program = TABLE.format(layer="LSTM", loss="mse", given="frame, frame", shape=WINDOWS)
    program = program.replace("(50)", "(50, Embedding(9, 9))")
    program = program.replace("import LSTM", "import Embedding, LSTM")
    assert read({"fit.py": program}, "python fit.py").task is None


FUNCTIONAL = """
import tensorflow as tf

def cut(part):
    size = 24 if part == "training" else 7
    return tf.keras.utils.image_dataset_from_directory("blossoms", subset=part, batch_size=size)

held, data = cut("validation"), cut("training")
base = tf.keras.applications.MobileNetV2(include_top=False)
start = tf.keras.Input((9, 9, 3))
x = base(start)
x = tf.keras.layers.GlobalAveragePooling2D()(x)
net = tf.keras.Model(start, tf.keras.layers.Dense(5)(x))
net.compile(optimizer=tf.keras.optimizers.Adam(1e-4), loss="sparse_categorical_crossentropy")
net.fit(data, validation_data=held, epochs=12)
"""


def test_a_network_is_named_after_the_ready_one_that_it_stands_on(read):
    job = read({"fit.py": FUNCTIONAL}, "python fit.py")
    assert (job.model_name, job.model_type, job.batch_size) == ("MobileNetV2", "cnn", 24)
    assert (job.dataset_name, job.epochs) == ("blossoms", 12)


JUDGED = """
import numpy as np
from tensorflow.keras.applications import VGG19
from tensorflow.keras.layers import Conv2D, Input
from tensorflow.keras.models import Model

judge = VGG19(weights="imagenet", include_top=False)
judge.trainable = False
low = Input((24, 24, 3))
net = Model(low, judge({shown}))
net.compile(loss="mse", optimizer="adam")
net.fit(np.load("a.npy"), np.load("b.npy"), epochs=5)
"""


@pytest.mark.parametrize(("shown", "name"), [("Conv2D(3, 3)(low)", "CNN"), ("low", "VGG19")])
def test_a_ready_network_that_judges_what_others_made_is_not_the_model(read, shown, name):
    assert read({"fit.py": JUDGED.format(shown=shown)}, "python fit.py").model_name == name


RINGS = """
import torch
from transformers import AutoModel
net = torch.nn.Sequential()
other = torch.nn.Sequential()
{rings}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    net(torch.rand(2)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    "rings",
    [
        "net.append(net)",
        "net.append(other)\nother.append(net)",
        "net = torch.nn.Sequential(net)\n" * 500,
        "net = AutoModel.from_pretrained(net)\n" * 500,
    ],
)
def test_a_network_that_holds_itself_or_is_nested_deep_has_no_name(read, rings):
    job = read({"fit.py": RINGS.format(rings=rings)}, "python fit.py")
    assert (job.model_name, job.learning_rate, job.epochs) == (None, 0.1, 3)


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
        ("net.fit(x, y, epochs=5)\nother = keras.Sequential()\nother.fit(x, y, epochs=3)", (5, 100)),
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


MIRRORED = """
import numpy as np
import tensorflow as tf
strategy = tf.distribute.MirroredStrategy({devices})
size = 64 * strategy.num_replicas_in_sync
data = tf.data.Dataset.from_tensor_slices(np.zeros((1000, 2))).batch(size)
with strategy.scope():
    net = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    net.compile(optimizer="adam", loss="mse")
net.fit(data, epochs=3)
"""


@pytest.mark.parametrize(
    ("devices", "before", "found"),
    [
        ("['GPU:0', 'GPU:1']", "", (64, 128, 24)),
        ("", "", (64, None, None)),
        ("", "CUDA_VISIBLE_DEVICES=0,1,2 ", (64, 192, None)),
    ],
)
def test_a_batch_of_so_many_for_each_replica_is_shared_as_such(read, devices, before, found):
    job = read({"fit.py": MIRRORED.format(devices=devices)}, f"{before}python fit.py")
    assert (job.batch_size, job.global_batch_size, job.total_steps) == found
