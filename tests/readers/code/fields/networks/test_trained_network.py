"""Which object is the network: the optimizer's, the holder of the step, the fitted one; never a layer, never data."""

import pytest

from tests.readers.code.networks import CONV_NET, NET_STEPS, TWO_NETS, with_training

LEARNER = """
import torch
from torch import nn
from transformers import AutoModel

class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(4, 8, 3), nn.ReLU())

class {name}(nn.Module):
    def __init__(self):
        super().__init__()
        self.cnn = Tower()
        self.head = nn.Linear(8, 1)

class Texts:
    def __init__(self):
        self.model = AutoModel.from_pretrained("some/encoder", dtype=torch.bfloat16)

texts = Texts()
model = {name}()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
for batch in range(3):
    model(batch).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("cls", "name"), [("BindingPredictor", "BindingPredictor"), ("GraphWrapper", None), ("base_model", None)]
)
def test_what_is_optimized_is_the_network_whatever_its_class_ends_with(read, cls, name):
    found = read({"go.py": LEARNER.format(name=cls)}, "python go.py")
    assert found.model_name == name
    assert found.model_type == "cnn"


def test_the_type_of_a_model_beside_the_trained_one_is_not_its_precision(read):
    assert read({"go.py": LEARNER.format(name="BindingPredictor")}, "python go.py").precision != "bf16"


def test_a_loss_with_parameters_is_no_network(read):
    program = LEARNER.format(name="MarginLoss").replace("Tower()", "nn.Linear(2, 2)").replace("model(batch)", "batch")
    assert read({"go.py": program}, "python go.py").model_name != "MarginLoss"


GRAPH = """
import tensorflow as tf

class {name}(object):
    def __init__(self, size):
        cell = tf.contrib.rnn.BasicLSTMCell(size)
        outputs, _ = tf.nn.dynamic_rnn(cell, tf.placeholder(tf.float32), dtype=tf.float32)
        self.loss = tf.reduce_mean(outputs)
        self.step = tf.train.AdamOptimizer(0.002).minimize(self.loss)

model = {name}(64)
with tf.Session() as session:
    for batch in range(10):
        session.run(model.step)
"""


def test_a_graph_is_named_after_the_object_that_keeps_its_step(read):
    found = read({"go.py": GRAPH.format(name="TideReader")}, "python go.py")
    assert (found.model_name, found.model_type) == ("TideReader", "rnn")


def test_a_trainer_that_keeps_the_step_names_no_network(read):
    assert read({"go.py": GRAPH.format(name="TideTrainer")}, "python go.py").model_name not in (
        "TideTrainer",
        "BasicLSTMCell",
    )


DRIVEN = """
import torch
from somewhere import build_net

class {name}:
    def __init__(self, net):
        self.optimizer = torch.optim.Adam(net.parameters(), lr=0.001)

driver = {name}(build_net())
for batch in range(10):
    driver.optimizer.step()
"""


@pytest.mark.parametrize("name", ["ScheduledOptim", "TrainLoop", "Client"])
def test_what_keeps_an_optimizer_alone_names_no_network(read, name):
    assert read({"go.py": DRIVEN.format(name=name)}, "python go.py").model_name is None


FITTED = """
import pandas as pd
import tensorflow as tf
from sklearn.model_selection import train_test_split

table = pd.read_csv("tides.csv")
x_train, x_test, y_train, y_test = train_test_split(table.drop("level", axis=1), table["level"])
model = tf.keras.Sequential([{layers}])
model.compile(loss="mae", optimizer=tf.keras.optimizers.SGD())
model.{method}(x_train, y_train)
"""


@pytest.mark.parametrize("method", ["fit", "train_on_batch"])
@pytest.mark.parametrize(
    ("layers", "kind"),
    [
        ("tf.keras.layers.Dense(10), tf.keras.layers.Dense(1)", "mlp"),
        ("tf.keras.layers.Conv1D(10, 3), tf.keras.layers.Dense(1)", "cnn"),
    ],
)
def test_a_fitted_network_is_found_behind_data_that_were_split(read, method, layers, kind):
    program = FITTED.format(layers=layers, method=method)
    assert read({"go.py": program}, "python go.py").model_type == kind


SHARED = """
import torch
from torch import nn

class Row(nn.Module):
    def __init__(self, inner):
        super().__init__()
        for place in range(60):
            setattr(self, "part%d" % place, inner)

    def forward(self, x):
        return self.part0(x)

class Aside(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)

net = Row(Row(Row(Row(Row(Row(nn.Linear(2, 2)))))))
aside = Aside().half()
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
for batch in range(3):
    net(batch).sum().backward()
    optimizer.step()
"""


def test_parts_that_are_shared_by_many_are_looked_at_once(read):
    assert read({"go.py": SHARED}, "python go.py").precision != "fp16"


def test_an_optimizer_that_is_given_a_method_of_a_class_names_no_network(read):
    program = """
        import torch
        class Pace:
            def rule(self):
                return 1
        torch.optim.SGD(torch.nn.Linear(2, 2).parameters(), Pace.rule, momentum=0.9).step()
        """
    assert read({"go.py": program}, "python go.py").optimizer == "SGD"


GUIDED = """
import torch

class CLIP(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.text = torch.nn.Linear(8, 8)

judge = CLIP().eval()
{line}
for step in range(4):
    print(judge(torch.randn(1, 8)))
"""


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (
            "from guiding.script_util import create_model_and_diffusion\nmodel, noise = create_model_and_diffusion()",
            None,
        ),
        ("from guiding.tools import create_gaussian_diffusion\nnoise = create_gaussian_diffusion(steps=8)", None),
        ("from guiding.tools import make_diffusion\nnoise = make_diffusion(steps=8)", None),
        ("", "CLIP"),
        ("from guiding.tools import save_diffusion\nsave_diffusion('x')", "CLIP"),
    ],
)
def test_what_reads_prompts_beside_a_diffusion_is_not_the_model(read, line, name):
    assert read({"sample.py": GUIDED.format(line=line)}, "python sample.py").model_name == name


IN_A_GRAPH = """
import tensorflow as tf

class {name}:
    def __init__(self, width):
        self.width = width

    def train(self, rows):
        loss = tf.reduce_mean(tf.layers.dense(rows, self.width))
        return tf.train.AdamOptimizer(0.003).minimize(loss)

made = {name}(8)
step = made.train(load())
with tf.Session() as session:
    for turn in range(40):
        session.run(step)
"""


@pytest.mark.parametrize(("name", "found"), [("Transformer", "Transformer"), ("Keeper", None)])
def test_a_graph_is_named_after_the_object_in_whose_method_its_step_is_made(read, name, found):
    assert read({"fit.py": IN_A_GRAPH.format(name=name)}, "python fit.py").model_name == found


def test_what_gathers_turns_for_an_agent_is_not_its_model(read):
    program = (
        "import gym\nclass MuZeroCollector:\n    def go(self):\n        pass\nclass Net:\n    pass\n"
        "gatherer = MuZeroCollector()\nagent = learn(gym.make('Maze-v2'), gatherer)\nagent.learn(total_timesteps=300)\n"
    )
    assert read({"fit.py": program}, "python fit.py").model_name is None


def test_a_network_that_is_picked_from_a_module_by_an_open_word_has_no_name(read):
    program = (
        "import sys\nimport torch\nfrom torchvision import models\n"
        "model = getattr(models, word(sys.stdin))(weights=None)\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nfor epoch in range(4):\n"
        "    model(torch.zeros(2, 3)).sum().backward()\n    optimizer.step()\n"
    )
    assert read({"fit.py": program}, "python fit.py").model_name is None


def test_what_measures_beside_the_model_is_none(read):
    program = (
        "import torch\nclass PassThroughProfiler:\n    pass\nkept = PassThroughProfiler()\nrun_all(kept).backward()\n"
    )
    assert read({"fit.py": program}, "python fit.py").model_name is None


def test_what_an_optimizer_of_ones_own_gets_is_the_network(read):
    code = (
        TWO_NETS + "class Scaler(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "class AdamW(torch.optim.Optimizer):\n    def __init__(self, params, lr):\n"
        "        super().__init__(params, dict(lr=lr))\n    def step(self):\n        pass\n"
        "scale = Scaler()\nnet = Assembly_Net(Spinner())\noptimizer = AdamW(net.parameters(), lr=0.01)\n" + NET_STEPS
    )
    assert read({"train.py": code}, "python train.py").model_name == "Assembly_Net"


def test_losses_and_searchers_are_no_models(read):
    classes = (
        CONV_NET.format(name="SoundNet") + CONV_NET.format(name="BeamSearcher") + CONV_NET.format(name="MaskedLoss")
    )
    text = classes + "searcher = BeamSearcher()\nloss = MaskedLoss()\nmodel = SoundNet()\ntrain(model, [1, 2])\n"
    assert read({"train.py": with_training(text)}, "python train.py").model_name == "SoundNet"


ADVERSARY = """
import torch
from torch import nn

class MultiResSpecDiscriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Conv2d(1, 8, 3)

made = torch.load("/data/made.pt")
judge = MultiResSpecDiscriminator()
optimizer = torch.optim.AdamW(judge.parameters(), lr=1e-3)
judge(made(torch.zeros(1, 1, 8))).sum().backward()
optimizer.step()
"""


def test_a_discriminator_under_any_name_does_not_name_the_job(read):
    job = read({"train.py": ADVERSARY}, "python train.py")
    assert (job.is_training, job.model_name, job.optimizer) == (True, None, "AdamW")


DRIVER = """
import tensorflow as tf

class YOLOV3:
    def __init__(self, x):
        self.out = tf.layers.conv2d(x, 8, 3)

class YoloTrain:
    def __init__(self):
        self.model = {made}
        self.step = tf.train.AdamOptimizer(1e-3)
        step = self.step.minimize(loss_of(self.model))
        with tf.Session() as session:
            for round in range(9):
                session.run(step)

YoloTrain()
"""


@pytest.mark.parametrize(("made", "name"), [("YOLOV3(tf.zeros([1, 8, 8, 3]))", "YOLOV3"), ("None", "YoloTrain")])
def test_what_drives_the_training_of_a_network_is_named_last(read, made, name):
    assert read({"go.py": DRIVER.format(made=made)}, "python go.py").model_name == name


def test_what_is_acted_in_is_no_network_though_it_is_a_module(read):
    code = (
        "import equinox as eqx\nimport jax\nimport optax\n"
        "class ArmEnv(eqx.Module):\n    gravity: float = 9.8\n"
        "class Reaching(ArmEnv):\n    goal: float = 1.0\n"
        "class Twin(eqx.Module):\n    layer: eqx.nn.Linear\n"
        "world = Reaching()\nnet = NET\noptimizer = optax.adam(1e-3)\n"
        "state = optimizer.init(eqx.filter(net, eqx.is_array))\n"
        "for step in range(9):\n    grads = eqx.filter_grad(lambda n: n.layer.weight.sum())(net)\n"
        "    updates, state = optimizer.update(grads, state)\n    net = eqx.apply_updates(net, updates)\n"
    )
    acted = read({"train.py": code.replace("NET", "load()")}, "python train.py")
    assert acted.model_name != "Reaching"
    assert (
        read({"train.py": code.replace("NET", "Twin(eqx.nn.Linear(2, 2, key=0))")}, "python train.py").model_name
        == "Twin"
    )
