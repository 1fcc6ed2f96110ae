"""Keras models whose shapes are worked out layer by layer; each expected number is worked out by hand."""

import pytest

from schedmate.readers.code.sizes.counting import count_parameters

HEAD = """
from tensorflow import keras
from tensorflow.keras import Model, Sequential
from tensorflow.keras.layers import *
from tensorflow.keras.applications import MobileNetV2
"""


@pytest.fixture
def counted(follow):
    def count(code):
        run, names = follow(HEAD + code)
        return count_parameters(run, names["net"])

    return count


@pytest.mark.parametrize(
    ("layers", "total"),
    [
        ("Dense(8, input_shape=(4,)), Dropout(0.1), Dense(2, use_bias=False)", 40 + 16),
        ("Input(shape=(4,)), Dense(8)", 40),
        ("Conv2D(4, 3, input_shape=(12, 12, 1)), MaxPooling2D(), Flatten(), Dense(3)", 40 + (5 * 5 * 4 + 1) * 3),
        ("Conv2D(4, 3, 2, padding='same', input_shape=(9, 9, 1)), Flatten(), Dense(3)", 40 + (5 * 5 * 4 + 1) * 3),
        ("SeparableConv2D(6, 3, input_shape=(8, 8, 2)), GlobalAveragePooling2D(), Dense(1)", 18 + 18 + 7),
        ("Conv1D(4, 5, input_shape=(None, 3)), BatchNormalization(), GlobalMaxPooling1D()", 64 + 16),
        ("Embedding(50, 8), Bidirectional(LSTM(4)), Dense(1)", 400 + 2 * 4 * 4 * (8 + 4 + 1) + 9),
        ("Embedding(50, 8), GRU(4, return_sequences=True), TimeDistributed(Dense(2))", 400 + 3 * 4 * (8 + 4 + 2) + 10),
        ("Dense(6, input_dim=4), Reshape((2, 3)), Flatten(), Dense(1)", 30 + 7),
        ("Conv2D(4, 3, input_shape=(None, None, 1)), Flatten(), Dense(3)", None),
        ("Dense(3), Dense(2)", None),
    ],
)
def test_rows_of_layers(counted, layers, total):
    assert counted(f"net = Sequential([{layers}])") == total


def test_layers_that_are_added_and_called(counted):
    added = "net = Sequential()\nnet.add(Dense(3, input_shape=(2,)))\nnet.add(Dense(1))"
    assert counted(added) == 9 + 4
    called = """
start = Input((8, 8, 3))
first = Conv2D(4, 3, padding="same")(start)
shared = Conv2D(4, 3, padding="same")
side = shared(shared(first))
joined = concatenate([add([first, side]), first])
net = Model(inputs=start, outputs=Dense(2)(GlobalAveragePooling2D()(joined)))
"""
    assert counted(called) == 112 + 148 + (8 * 2 + 2)


def test_a_ready_network_counts_without_its_head(counted):
    code = """
base = MobileNetV2(include_top=False, input_shape=(64, 64, 3))
net = Model(base.input, Dense(10)(Flatten()(base.output)))
"""
    assert counted(code) == 2_260_000 + (2 * 2 * 1280 + 1) * 10


@pytest.mark.parametrize("rounds", [2, 5, 600])
@pytest.mark.parametrize("adds", ["", " + inputs"])
def test_layers_of_a_loop_count_where_each_round_was_seen(counted, rounds, adds):
    code = f"""
inputs = Input(shape=(8,))
x = inputs
for i in range({rounds}):
    x = Dense(8)(x){adds}
net = Model(inputs, Dense(1)(x))
"""
    assert counted(code) == (72 * rounds + 9 if rounds == 2 else None)


def test_a_network_may_be_deeper_than_calls_can_be_nested(counted):
    code = """
def build_model():
    inputs = x = Input(shape=(8,))
    for i in range(150):
        x = Activation("relu")(BatchNormalization()(Dense(8)(x)))
    return Model(inputs, Dense(1)(x))

net = build_model()
"""
    assert counted(code) == 150 * (72 + 32) + 9
