"""`try` around a network that may have been saved: where it was not, it is trained."""

import pytest

HEAD = """
from tensorflow import keras
def made():
    net = keras.Sequential([keras.layers.Dense(2)])
    net.compile(optimizer=keras.optimizers.Adam(0.25), loss="mse")
    return net
"""
IN_HANDLER = """
try:
    net = keras.models.load_model("kept")
    print("found it")
except Exception:
    net = made()
    net.fit([[1.0]], [[1.0]], epochs=6)
"""
BY_FLAG = """
net, found = made(), False
try:
    net.load_weights("kept")
    found = True
except Exception:
    print("not there")
if not found:
    net.fit([[1.0]], [[1.0]], epochs=6)
"""


@pytest.mark.parametrize("code", [IN_HANDLER, BY_FLAG])
def test_what_may_be_missing_is_trained(read, code):
    job = read({"go.py": HEAD + code}, "python go.py")
    assert (job.is_training, job.epochs, job.learning_rate) == (True, 6, 0.25)


@pytest.mark.parametrize(
    "code", [IN_HANDLER.replace("net = made()", "raise"), BY_FLAG.replace("load_weights", "summary")]
)
def test_other_tries_go_on_as_if_they_went_well(read, code):
    assert read({"go.py": HEAD + code}, "python go.py").is_training is not True


SETTINGS = """
import json
try:
    with open("settings.json") as file:
        settings = json.load(file)
    found = True
except FileNotFoundError:
    settings = {"epochs": 2}
net = made()
net.fit([[1.0]], [[1.0]], epochs=settings["epochs"])
"""


def test_settings_that_are_here_are_read(read):
    job = read({"go.py": HEAD + SETTINGS, "settings.json": '{"epochs": 30}'}, "python go.py")
    assert (job.is_training, job.epochs) == (True, 30)


def test_what_only_begins_like_training_makes_no_network(read):
    code = IN_HANDLER.replace("net.fit([[1.0]], [[1.0]], epochs=6)", "rows = train_names()")
    assert read({"go.py": HEAD + "def train_names():\n    return []\n" + code}, "python go.py").epochs is None
