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


def test_a_sum_of_sums_takes_no_time(counted):
    doubled = "a = a + a\n" * 60
    code = f"import foo, tensorflow as tf\na = foo.rate\n{doubled}start = Input((4,))\nx = tf.nn.dropout(start, a)\n"
    assert counted(f"{code}net = Model(start, Dense(2)(x))") == 10


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


SUMS = """
import tensorflow as tf
start = Input((8, 8, 3))
left = Conv2D(4, 3, padding="same")(start)
right = Conv2D(4, 1)(start)
"""


@pytest.mark.parametrize(
    ("behind", "total"),
    [
        ("left + right", 112 + 16 + 5),
        ("tf.nn.relu(left + right)", 112 + 16 + 5),
        ("tf.add(left, right) * 0.5", 112 + 16 + 5),
        ("tf.concat([left, right], axis=-1)", 112 + 16 + 9),
        ("tf.concat([left, right], 3)", 112 + 16 + 9),
        ("tf.concat([left, right], axis=0)", None),
        ("tf.image.resize(left * right, (left.shape[1] * 2, left.shape[2] * 2))", 112 + 16 + 5),
        ("tf.split(left, 2, axis=-1)[1] + tf.split(right, num_or_size_splits=2, axis=-1)[0]", 112 + 16 + 3),
        ("tf.transpose(left + right)", None),
        ("tf.layers.conv2d(left + right, 4, 3)", None),
    ],
)
def test_sums_and_functions_of_tensors_hold_all_layers_before_them(counted, behind, total):
    assert counted(f"{SUMS}net = Model(start, Dense(1)(GlobalAveragePooling2D()({behind})))") == total


@pytest.mark.parametrize("gated", ["mask * left", "left * mask", "tf.nn.relu(mask * left)", "multiply([mask, left])"])
def test_a_mask_is_as_wide_as_what_it_masks(counted, gated):
    mask = "mask = Conv2D(1, 1)(left)\n"
    assert counted(f"{SUMS}{mask}net = Model(start, Dense(1)(GlobalAveragePooling2D()({gated})))") == 112 + 5 + 5


@pytest.mark.parametrize("call", ["Lambda(resample)(left)", "Lambda(sample)(left)", "Lambda(resample)([left, right])"])
def test_a_function_that_samples_anew_is_no_draw(counted, call):
    code = "def resample(x):\n    return x[:, ::2]\n\nsample = resample\n"
    assert counted(f"{SUMS}{code}net = Model(start, Dense(1)(Flatten()({call})))") is None


def test_sides_that_are_not_known_matter_only_to_layers_behind_them(counted):
    inner = "inner = Model(start, left)\nsides = inner.output_shape\nrow = Reshape((sides[1] * sides[2], -1))(left)\n"
    assert counted(f'{SUMS}{inner}net = Model(start, Activation("softmax")(row))') == 112
    assert counted(f"{SUMS}{inner}net = Model(start, Dense(3)(row))") is None


def test_models_are_called_and_asked_for_their_inputs(counted):
    code = """
def sampling(args):
    return args[0]

x = Input((6,))
wide = Dense({width})(x)
encoder = Model(x, [Dense(2)(wide), wide])
mean, middle = encoder(encoder.inputs[0])
z = Lambda({draw})([mean, Dense(2)(middle)])
y = Input((2,))
decoder = Model(y, Dense(6)(y))
net = Model(encoder.inputs[0], decoder(z))
"""
    alike, total = code.replace("{width}", "2"), 14 + 6 + 6 + 18
    assert counted(alike.replace("{draw}", "sampling")) == total
    assert counted(alike.replace("{draw}", "lambda v: v[0], output_shape=(2,)")) == total
    assert counted(alike.replace("{draw}", "lambda v: v[0]")) == total
    further = alike.replace("decoder(z))", "decoder(Dense(2)(z)))")
    assert counted(further.replace("{draw}", "sampling")) == total + 6
    assert counted(further.replace("{draw}", "lambda v: v[0]")) is None
    assert counted(code.replace("{width}", "4").replace("{draw}", "sampling")) is None


KINDS = """
import pickle
told = pickle.load(open("told.pkl", "rb"))
names = keras.utils.image_dataset_from_directory("d").class_names
"""


@pytest.mark.parametrize(
    ("layers", "total"),
    [
        ("Dense(4000, input_shape=(1000,)), Dense(64), Dense(len(names))", 1001 * 4000 + 4001 * 64),
        ("Conv2D(4, 3, input_shape=(9, 9, 8)), Flatten(), Dense(20000), Dense(64), Dense(len(told.classes))", 5220356),
        ("Dense(4000, input_shape=(1000,)), Dense(64), Dense(told.words)", None),
        ("Embedding(50, 8), Conv2D(400, 9), Flatten(), Dense(told.kinds)", None),
        ("Dense(40, input_shape=(100,)), Dense(len(names))", None),
        ("Dense(4000, input_shape=(1000,)), Dense(len(names)), Dense(8)", None),
    ],
)
def test_a_small_last_layer_may_be_open(counted, layers, total):
    assert counted(f"{KINDS}net = Sequential([{layers}])") == total
