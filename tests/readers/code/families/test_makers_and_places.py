"""Names by the functions that make networks, what only stands in a file of metrics, titles of several ends."""

import pytest

KERAS = """
from keras.models import Model
from keras.layers import Input, Conv2D
from keras.preprocessing.image import ImageDataGenerator

def {maker}(size=(64, 64, 1)):
    inputs = Input(size)
    x = Conv2D(16, 3, activation="relu", padding="same")(inputs)
    x = Conv2D(1, 1, activation="sigmoid")(x)
    model = Model(inputs, x)
    model.compile(optimizer="adam", loss="binary_crossentropy")
    return model

pictures = ImageDataGenerator().flow_from_directory("data/train", batch_size=2, class_mode={mode})
net = {maker}()
net.fit_generator(pictures, epochs=3)
"""


@pytest.mark.parametrize(
    ("maker", "name"),
    [
        ("unet", "unet"),
        ("get_unet", "unet"),
        ("unet_3d", "unet_3d"),
        ("build_it", "CNN"),
        ("train_unet", "CNN"),
        ("compare_with_bert", "CNN"),
        ("unet_vs_resnet", "CNN"),
    ],
)
def test_layers_are_called_after_the_function_that_puts_them_together(read, maker, name):
    assert read({"main.py": KERAS.format(maker=maker, mode="None")}, "python main.py").model_name == name


DENSE = """
from tensorflow.keras import Sequential, layers

def {maker}():
    net = Sequential([layers.Dense(64, input_shape=(10,)), layers.Dense(1)])
    net.compile("adam", "mse")
    return net

{maker}().fit([1], [2], epochs=5)
"""


@pytest.mark.parametrize("maker", ["bert", "vae", "compare_with_bert", "gpt_vs_all"])
def test_dense_layers_learn_nothing_by_the_name_of_their_function(read, maker):
    found = read({"main.py": DENSE.format(maker=maker)}, "python main.py")
    assert (found.task, found.task_fine) == (None, None)


def test_folders_that_are_read_without_classes_are_sorted_by_none(read):
    masks = read({"main.py": KERAS.format(maker="unet", mode="None")}, "python main.py")
    sorted_ones = read({"main.py": KERAS.format(maker="unet", mode="'binary'")}, "python main.py")
    assert (masks.task_fine, sorted_ones.task_fine) == ("semantic segmentation", "image classification")


MEASURED = """
import torch
from torch import nn
from {place} import MAE

net = {{}}[open("which").read()]()
measures = {{"mae": MAE()}}
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader([]):
    net(x).sum().backward()
    sgd.step()
"""
ERROR = """
from torch import nn

class MAE(nn.Module):
    def forward(self, x, y):
        return (x - y).abs().mean()
"""


@pytest.mark.parametrize("place", ["metrics", "tools.losses", "tools.metric_utils"])
def test_an_error_of_a_file_of_metrics_is_no_network(read, place):
    files = {"main.py": MEASURED.format(place=place), f"{place.replace('.', '/')}.py": ERROR}
    assert read(files, "python main.py").model_name != "MAE"


STEPS = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.05)
args = parser.parse_args()
sgd = torch.optim.SGD([{groups}], momentum=0.9)
for x, y in torch.utils.data.DataLoader([]):
    net(x).sum().backward()
    sgd.step()
"""
BODY, HEAD = "{'params': net[0].parameters(), 'lr': %s}", "{'params': net[1].parameters(), 'lr': %s}"


@pytest.mark.parametrize(
    ("body", "head", "rate"),
    [("0.1 * args.lr", "args.lr", 0.05), ("args.lr", "10 * args.lr", 0.05), ("0.003", "0.03", 0.003)],
)
def test_of_several_rates_the_one_that_is_told_is_the_rate(read, body, head, rate):
    groups = f"{BODY % body}, {HEAD % head}"
    assert read({"main.py": STEPS.format(groups=groups)}, "python main.py").learning_rate == rate


NET = """
import torch
from torch import nn
import sys

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)

net = Net()
settings = open(sys.argv[1]).read()
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader([]):
    nn.functional.cross_entropy(net(x), y).backward()
    sgd.step()
"""


@pytest.mark.parametrize(
    ("title", "name"), [("# SASRec", "SASRec"), ("# Our things", "bert"), ("# Training of models", "bert")]
)
def test_a_file_of_settings_names_its_model_less_than_the_title(read, title, name):
    files = {"main.py": NET, "README.md": title, "bert_config_ml-1m_64.json": "{}"}
    found = read(files, "python main.py bert_config_ml-1m_64.json")
    assert found.model_name == name
    assert found.param_size != "1M"


def test_the_size_in_a_name_of_settings_stays(read):
    found = read({"main.py": NET, "bert_config_7b.json": "{}"}, "python main.py bert_config_7b.json")
    assert (found.model_name, found.param_size) == ("bert_config_7b", "7B")


@pytest.mark.parametrize(
    ("title", "fine"),
    [
        ("# Deep learning on pictures for classification and segmentation", "image classification"),
        ("# Semantic segmentation of pictures", "semantic segmentation"),
        ("# Person_reID_baseline", "person re-identification"),
    ],
)
def test_a_title_of_two_ends_settles_none(read, title, fine):
    program = NET.replace("net = Net()", "import torchvision\nnet = torchvision.models.resnet18()")
    assert read({"main.py": program, "README.md": title}, "python main.py x").task_fine == fine


def test_a_bare_address_names_no_data(read):
    told = "# Things\nA data set of pictures.\n* https://github.com/other/CIFAR10-DATASET\n"
    assert read({"main.py": NET, "README.md": told}, "python main.py x").dataset_name != "CIFAR-10"


REPLICAS = """
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1"])
with strategy.scope():
    net = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
    adam = tf.keras.optimizers.Adam(learning_rate=0.003)

def step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(batch))
    adam.apply_gradients(zip(tape.gradient(loss, net.trainable_weights), net.trainable_weights))

for batch in tf.data.Dataset.from_generator(draw).batch(8):
    strategy.{way}(step, args=(batch,))
"""


@pytest.mark.parametrize("way", ["run", "experimental_run_v2"])
def test_a_step_that_a_strategy_runs_trains(read, way):
    job = read({"go.py": REPLICAS.format(way=way)}, "python go.py")
    assert (job.is_training, job.learning_rate) == (True, 0.003)


@pytest.mark.parametrize(
    "news",
    [
        "- **_News (2022-10-04)_**: codes of our image deblurring",
        "* 2023.01: Image deblurring",
        "**Updates**: deblurring",
    ],
)
def test_news_say_nothing_of_the_project(read, news):
    program = NET.replace("net = Net()", "import torchvision\nnet = torchvision.models.resnet18()")
    told = read({"main.py": program, "README.md": f"# Our toolbox\n\n{news}\n"}, "python main.py x")
    plain = read({"main.py": program, "README.md": "# Our toolbox\n\nFor image deblurring\n"}, "python main.py x")
    assert (told.task_fine, plain.task_fine) == ("image classification", "image deblurring")


PEFT = """
from transformers import AutoModelForSeq2SeqLM, Seq2SeqTrainer, Seq2SeqTrainingArguments
from peft import LoraConfig, PeftModelForSeq2SeqLM

base = AutoModelForSeq2SeqLM.from_pretrained("google/flan-t5-base")
net = PeftModelForSeq2SeqLM(base, LoraConfig(r=8))
Seq2SeqTrainer(model=net, args=Seq2SeqTrainingArguments("out"), train_dataset=rows()).train()
"""


def test_a_model_with_adapters_is_called_after_the_one_below(read):
    assert read({"main.py": PEFT}, "python main.py").model_name == "google/flan-t5-base"


LOOKED_AT = """
import torch
from torch import nn
from {folder}.seen import Seen

class OwnResNetGenerator(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Conv2d(3, 3, 3)

    def forward(self, x):
        return self.layer(x)

net = OwnResNetGenerator()
seen = Seen()
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader([]):
    seen(net(x), y).backward()
    sgd.step()
"""
SEEN = """
import torchvision
from torch import nn

class Builder:
    @staticmethod
    def get_encoder(arch_encoder="resnet50dilated"):
        arch = arch_encoder.lower()
        if arch == "resnet50dilated":
            return torchvision.models.resnet50()
        raise ValueError(arch)

class Seen(nn.Module):
    def __init__(self, arch_encoder="resnet50dilated"):
        super().__init__()
        self.impl = Builder.get_encoder(arch_encoder=arch_encoder)

    def forward(self, x, y):
        return (x - y).abs().mean()
"""


def test_what_a_loss_looks_through_is_not_the_model(read):
    found = read({"main.py": LOOKED_AT.format(folder="losses"), "losses/seen.py": SEEN}, "python main.py")
    assert found.model_name == "OwnResNetGenerator"


JUDGED = """
import tensorflow as tf
from seen import Vgg19

x = tf.placeholder(tf.float32, [None, 8, 8, 3])
y = tf.layers.conv2d(x, 3, 3, padding="same")
vgg = Vgg19()
loss = tf.reduce_mean(tf.square(vgg.look(x) - vgg.look(y)))
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
with tf.Session() as session:
    for step in range(1000):
        session.run(train)
"""
LOOKS = "class Vgg19:\n    def look(self, x):\n        return x\n"


@pytest.mark.parametrize(("title", "is_vgg"), [("# SRGAN", False), ("# VGG19 in TensorFlow", True), ("# Things", True)])
def test_a_vgg_in_a_project_of_another_family_only_looks(read, title, is_vgg):
    found = read({"main.py": JUDGED, "seen.py": LOOKS, "README.md": title}, "python main.py")
    assert ("vgg" in str(found.model_name).lower()) == is_vgg


def test_layers_that_change_pictures_are_no_networks(read):
    program = NET.replace("class Net", "class RandomCropAndResize")
    program = program.replace("net = Net()", "net = RandomCropAndResize()")
    both = f"{program}\nclass Own(nn.Module):\n    def forward(self, x):\n        return x\n"
    assert read({"main.py": both}, "python main.py x").model_name == "RandomCropAndResize"  # it learns here
    aside = NET.replace("net = Net()", "flip = RandomFlip()\nnet = {}[open('which').read()]()")
    aside = aside.replace("class Net", "class RandomFlip")
    assert read({"main.py": aside}, "python main.py x").model_name != "RandomFlip"
