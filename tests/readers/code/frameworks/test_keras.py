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
test_set = cut.flow_from_directory("leaves/test", batch_size=3)
training_set = cut.flow_from_directory("leaves/train"{size})
net.fit_generator(training_set, {rest})
"""


@pytest.mark.parametrize(
    ("size", "batch"), [(", batch_size=16", 16), ("", 32), (", (64, 64), 'rgb', None, 'binary', 9", 9)]
)
def test_a_generator_cuts_the_batches(read, size, batch):
    job = read({"fit.py": IMAGES.format(size=size, rest="epochs=25")}, "python fit.py")
    assert (job.batch_size, job.epochs, job.is_training) == (batch, 25, True)
    assert (job.model_name, job.model_type, job.task) == ("CNN", "cnn", "CV")
    assert (job.task_fine, job.dataset_name) == ("image classification", "leaves")


@pytest.mark.parametrize(
    ("name", "folder", "batch"),
    [
        ("shown", "data/devices", 16),
        ("shown", "medieval_art", 16),
        ("values", "leaves", 16),
        ("train_gen", "leaves/test", 16),
        ("shown", "leaves/val1", None),
        ("dev_set", "leaves", None),
    ],
)
def test_what_is_for_evaluation_is_said_by_a_word_of_its_own(read, name, folder, batch):
    head = IMAGES.partition("test_set")[0]
    cuts = f'{name} = cut.flow_from_directory("{folder}", batch_size=16)\nnet.fit_generator({name}, epochs=2)\n'
    assert read({"fit.py": head + cuts}, "python fit.py").batch_size == batch


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


KERAS = """
import tensorflow as tf
from tensorflow import keras
from mine import RAdamOptimizer

data = tf.keras.preprocessing.image_dataset_from_directory("pins", batch_size=8)
{strategy}
net = keras.Sequential([keras.layers.Conv2D(8, 3), keras.layers.Dense(2)])
choices = [("adadelta", keras.optimizers.Adadelta(lr=0.001)), ("radam", RAdamOptimizer(0.001))]
chosen = None
for name, made in choices:
    if name == "radam":
        chosen = made
net.compile(optimizer=chosen, loss="categorical_crossentropy")
net.fit(data, epochs=4)
"""
MINE = (
    "from keras.optimizers import Optimizer\nclass RAdamOptimizer(Optimizer):\n"
    "    def __init__(self, learning_rate):\n        self.rate = learning_rate\n"
)


def test_the_optimizer_is_the_one_that_keras_compiles(read):
    assert read({"train.py": KERAS.format(strategy=""), "mine.py": MINE}, "python train.py").optimizer == "RAdam"


def test_keras_models_tell_their_optimizer_and_their_fit(read):
    program = """
import keras
from keras import layers

(x, y), _ = keras.datasets.cifar10.load_data()
model = keras.Sequential([layers.Conv2D(32, 3), layers.Flatten(), layers.Dense(10)])
model.compile(optimizer=keras.optimizers.RMSprop(learning_rate=0.002), loss="mse")
model.fit(x, y, batch_size=64, epochs=7)
"""
    job = read({"train.py": program}, "python train.py")
    assert (job.is_training, job.optimizer, job.learning_rate) == (True, "RMSprop", 0.002)
    assert (job.batch_size, job.epochs, job.dataset_name) == (64, 7, "CIFAR-10")
