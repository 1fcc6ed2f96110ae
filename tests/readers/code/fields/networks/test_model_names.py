"""Which model is trained: its name, its type, its size."""

import pytest

from tests.readers.code.networks import CONV_NET, with_training
from tests.readers.code.programs import FIT_MODEL

GRAPHS = """
import torch
from torch_geometric.nn import GCNConv

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = GCNConv(8, 16), LAST

    def forward(self, x, edges):
        return self.second(self.first(x, edges))

model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(200):
    model(1, 2).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("last", "name"), [("GCNConv(16, 3)", "GCN"), ("torch.nn.Linear(16, 3)", None)])
def test_the_kind_of_a_layer_beside_others_is_a_type_and_no_name(read, last, name):
    job = read({"train.py": GRAPHS.replace("LAST", last)}, "python train.py")
    assert (job.model_name, job.model_type) == (name, "gnn")
    assert name == "GCN" or job.task_fine is None


def test_an_engines_file_names_no_model_and_the_weights_do(read):
    code = FIT_MODEL + (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--init_ckpt')\n"
        "p.add_argument('--deepspeed_config')\na = p.parse_args()\nclass Net(nn.Module):\n    pass\n"
        "fit(Net(), 0.1, 2, 3)\n"
    )
    script = "python train.py --init_ckpt /weights/open_llama_3b --deepspeed_config conf/bert_small.json\n"
    assert read({"train.py": code, "run.sh": script}, "bash run.sh").model_name == "open_llama_3b"


def test_a_plain_class_is_named_after_its_file(read):
    files = {
        "models/dlinear.py": "from torch import nn\n" + CONV_NET.format(name="Model"),
        "train.py": with_training("from models.dlinear import Model\ntrain(Model(), [1, 2])\n"),
    }
    found = read(files, "python train.py")
    assert (found.model_name, found.model_type, found.task_fine) == ("dlinear", "linear", "time series forecasting")


def test_a_plain_class_is_named_after_the_weights_it_starts_from(read):
    text = """
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", default="")
    args = parser.parse_args()
    """
    files = {
        "train.py": with_training(
            text.replace("\n    ", "\n") + CONV_NET.format(name="DetectionModel") + "train(DetectionModel(), [1, 2])\n"
        )
    }
    found = read(files, "python train.py --weights runs/yolov5m.pt")
    assert (found.model_name, found.param_size, found.task_fine) == ("yolov5m", "21.2M", "object detection")


def test_a_configuration_behind_an_option_is_not_named_after_the_option(read):
    files = {
        "deep.gin": "Runner.steps = 30\n",
        "fit.py": """
            import gin
            import tensorflow as tf
            from absl import app, flags

            flags.DEFINE_multi_string("gin_configs", None, "")

            def main(_):
                gin.parse_config_files_and_bindings(flags.FLAGS.gin_configs, None)
                for step in range(30):
                    tf.train.AdamOptimizer(0.1).minimize(1)

            app.run(main)
        """,
    }
    found = read(files, "python fit.py --gin_configs=deep.gin")
    assert found.model_name is None
    assert found.task is None


HEAD = """
import tensorflow as tf

class BertModel:
    def __init__(self, ids):
        self.states = tf.layers.dense(ids, 8)

class LSTM_CRF:
    def __init__(self, states):
        self.logits = tf.layers.dense(states, 3)

flags = tf.flags
flags.DEFINE_string("init_checkpoint", None, "")
flags.DEFINE_integer("train_batch_size", 8, "")
FLAGS = flags.FLAGS

def main(_):
    ids = tf.placeholder(tf.int32, [None, 4])
    body = BertModel(ids)
    head = LSTM_CRF(body.states)
    tf.train.init_from_checkpoint(FLAGS.init_checkpoint, {})
    step = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_mean(head.logits))
    with tf.Session() as session:
        for round in range(FLAGS.train_batch_size):
            session.run(step)

tf.app.run()
"""


def test_a_head_on_what_is_filled_with_weights_gives_way_to_it(read):
    job = read({"go.py": HEAD}, "python go.py --init_checkpoint=base/bert_model.ckpt")
    assert job.model_name == "bert_model"
    released = "--init_checkpoint=base/german_L-4_H-256_A-4/bert_model.ckpt"
    assert read({"go.py": HEAD}, f"python go.py {released}").model_name == "BERT (german_L-4_H-256_A-4)"
    other = HEAD.replace("BertModel", "Encoder")
    assert read({"go.py": other}, "python go.py --init_checkpoint=base/bert_model.ckpt").model_name == "LSTM_CRF"


@pytest.mark.parametrize("text", ["./model", "???", "outputs/net/"])
def test_a_place_for_any_model_names_none(read, text):
    code = """
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--model", default="{text}")
args = parser.parse_args()
net = torch.nn.Sequential(torch.nn.Linear(4, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(3):
    net(torch.zeros(1, 4)).sum().backward()
    optimizer.step()
torch.save(net.state_dict(), args.model)
"""
    job = read({"train.py": code.replace("{text}", text)}, "python train.py")
    assert job.model_name == "MLP"


MIXED = """
from keras.models import Sequential
from keras.layers import LSTM, Convolution1D, Dense

model = Sequential()
model.add({first})
model.add(LSTM(8))
model.add(Dense(2))
model.compile(loss="mse", optimizer="adam")
model.fit(x, y, epochs=3)
"""


@pytest.mark.parametrize(("first", "name"), [("Convolution1D(4, 3)", None), ("Dense(4)", "LSTM")])
def test_a_recurrent_layer_behind_convolutions_names_no_network(read, first, name):
    assert read({"go.py": MIXED.format(first=first)}, "python go.py").model_name == name


PUT_TOGETHER = """
import argparse
from keras.layers import Conv2D, Dense, Flatten, Input
from keras.models import Model
parser = argparse.ArgumentParser()
parser.add_argument("--model", default="heron")
args = parser.parse_args()
given = Input((8, 8, 3))
net = Model(given, Dense(2)(Flatten()(Conv2D(4, 3)(given))))
net.compile("adam", "mse")
net.fit(open("x"), open("y"), epochs=3)
"""


def test_a_name_that_the_command_gives_goes_before_what_a_network_is_built_of(read):
    assert read({"go.py": PUT_TOGETHER}, "python go.py --model egret").model_name == "egret"
    assert read({"go.py": PUT_TOGETHER}, "python go.py").model_name == "CNN"
