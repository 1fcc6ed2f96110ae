"""Names of runs are no models', functions that make networks name them, and only what is trained is the model."""

import pytest

FUNCTIONS = """
from torch import nn

class VGG(nn.Module):
    def __init__(self, widths, classes):
        super().__init__()
        self.features = nn.Conv2d(3, widths[0], 3)
        self.last = nn.Linear(widths[-1], classes)

    def forward(self, x):
        return self.last(self.features(x).mean((2, 3)))

def _make(widths, classes):
    return VGG(widths, classes)

def vgg8(classes=10):
    return _make([8, 16], classes)

def get_vgg13(classes=10):
    return VGG([16, 32, 64], classes)

def best(classes=10):
    return VGG([4], classes)
"""
TRAIN = """
import torch
from nets import vgg8, get_vgg13, best
network = {made}
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
for step in range(7):
    network(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("made", "name"), [("vgg8()", "vgg8"), ("get_vgg13(classes=4)", "vgg13"), ("best()", "VGG")])
def test_a_network_is_named_after_the_function_beside_its_class_that_makes_it(read, made, name):
    job = read({"nets.py": FUNCTIONS, "go.py": TRAIN.format(made=made)}, "python go.py")
    assert (job.model_name, job.model_type) == (name, "cnn")


def test_a_copy_has_the_size_of_its_own_layers_and_not_the_one_that_its_name_is_known_for(read):
    copy = FUNCTIONS.replace("vgg8", "vgg16").replace("[8, 16]", "[open_width, 16]")
    program = TRAIN.replace("vgg8", "vgg16").format(made="vgg16()")
    assert read({"nets.py": copy, "go.py": program}, "python go.py").param_size is None


DISTILL = """
import argparse
import torch
from torch import nn
from nets import get_vgg13, vgg8

parser = argparse.ArgumentParser()
parser.add_argument("--net", default="small")
parser.add_argument("--gain", type=float, default=0.5)
args = parser.parse_args()
args.model_name = {name}
print(args.model_name)
kinds = {{"small": vgg8, "large": get_vgg13}}
teacher = get_vgg13()
student = kinds[args.net]()
trained = nn.ModuleList([])
trained.append(student)
optimizer = torch.optim.SGD(trained.parameters(), lr=0.1)
for step in range(7):
    (student(step) - teacher(step)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize("name", ["'{}_gain:{}'.format(args.net, args.gain)", "'run_seed=%d' % 4", "'big_lr0.1'"])
def test_what_is_in_the_list_that_is_optimized_is_the_model_and_a_run_has_a_name_of_its_own(read, name):
    job = read({"nets.py": FUNCTIONS, "go.py": DISTILL.format(name=name)}, "python go.py")
    assert (job.model_name, job.param_size) == ("vgg8", "394")


def test_more_that_is_joined_to_a_models_name_names_a_run(read):
    code = "import argparse\nimport torch\nparser = argparse.ArgumentParser()\nparser.add_argument('--model')\n"
    code += "args = parser.parse_args()\nargs.model_name = args.model + '_second'\nprint(args.model_name)\n"
    code += "net = torch.hub.load('some/where', args.model)\noptimizer = torch.optim.SGD(net.parameters(), lr=1)\n"
    code += "for step in range(4):\n    net(step).backward()\n    optimizer.step()\n"
    assert read({"go.py": code}, "python go.py --model resnet34").model_name == "resnet34"
    sized = code.replace("'_second'", "'_base_patch16_224'")
    assert read({"go.py": sized}, "python go.py --model vit").model_name == "vit_base_patch16_224"


JOINS = """
import torch
from torch import nn
from elsewhere import Frame

class Join(nn.Module):
    def forward(self, parts):
        return torch.cat(parts)

class Whole(Frame):
    def __init__(self):
        self.rows = nn.Sequential(Join(), nn.Linear(4, 1))

whole = Whole()
whole.fit()
"""


def test_a_module_without_layers_is_no_model(read):
    assert read({"train.py": JOINS}, "python train.py").model_name is None


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
    other = HEAD.replace("BertModel", "Encoder")
    assert read({"go.py": other}, "python go.py --init_checkpoint=base/bert_model.ckpt").model_name == "LSTM_CRF"


def test_a_maker_of_another_name_than_the_class_names_no_network(read):
    other = FUNCTIONS.replace("class VGG(", "class ResNeXt(").replace("return VGG(", "return ResNeXt(")
    other = other.replace("vgg8", "resnet8")
    program = TRAIN.replace("vgg8", "resnet8").format(made="resnet8()")
    assert read({"nets.py": other, "go.py": program}, "python go.py").model_name == "ResNeXt"


PLACED = """
import paddle
from paddle import nn

class Body(nn.Layer):
    def __init__(self, depth):
        super().__init__()
        for place in range(depth):
            name = "row" + chr(97 + place)
            self.add_sublayer(name, nn.Linear(4, 4))

    def forward(self, x):
        return x

body = Body(3)
optimizer = paddle.optimizer.SGD(parameters=body.parameters())
for step in range(3):
    body(step).backward()
    optimizer.step()
"""


def test_layers_under_names_that_are_worked_out_are_all_counted(read):
    assert read({"go.py": PLACED}, "python go.py").param_size == "60"


WHOLE = """
import torch
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.GRU(4, 8)
        self.last = nn.Linear(8, {width})

    def forward(self, x):
        return self.last(self.encoder(x)[0])

model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for step in range(3):
    model(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("width", "size"), [("2", "354"), ("open_width", None)])
def test_one_layer_beside_others_is_not_the_size_of_them_all(read, width, size):
    assert read({"go.py": WHOLE.format(width=width)}, "python go.py").param_size == size


def test_a_function_that_builds_any_network_names_none(read):
    code = "import torch\nfrom elsewhere.models import build_model\nnet = build_model()\n"
    code += "optimizer = torch.optim.SGD(net.parameters(), lr=1)\n"
    code += "for step in range(4):\n    net(step).backward()\n    optimizer.step()\n"
    assert read({"go.py": code}, "python go.py").model_name is None
