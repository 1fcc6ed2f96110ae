"""What names a network beside its own class: what it extends, what it is loaded by."""

import pytest

from tests.readers.code.fields.networks.test_network_names import CODE
from tests.readers.code.programs import TORCH_HEAD

ON_A_BACKBONE = (
    TORCH_HEAD
    + """
class {base}(torch.nn.Module):
    def forward(self, x):
        return self.layer(x)

class {own}({base}):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Conv2d(4, 4, 3)

net = {own}()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in read():
    net(x).sum().backward()
    optimizer.step()
"""
)


@pytest.mark.parametrize(
    ("base", "own", "name"),
    [("_fasterRCNN", "vgg16", "fasterRCNN (vgg16)"), ("Part", "vgg16", "vgg16"), ("ResNet", "vgg16", "vgg16")],
)
def test_a_detector_that_is_called_after_its_backbone_goes_by_what_it_extends(read, base, own, name):
    assert read({"go.py": ON_A_BACKBONE.format(base=base, own=own)}, "python go.py").model_name == name


def test_a_precision_is_no_name_of_what_is_loaded(read):
    code = (
        "import sys, torch\nfrom transformers import AutoModelForCausalLM\n"
        "net = AutoModelForCausalLM.from_pretrained(pretrained_model_name_or_path=pick(), torch_dtype='bfloat16')\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for x in read():\n    net(x).sum().backward()\n    optimizer.step()\n"
    )
    assert read({"go.py": code}, "python go.py").model_name != "bfloat16"


def test_a_name_that_the_command_gives_stays(read):
    parts = {"first": "Model", "second": "Side", "option": "model", "default": "", "imports": "", "wrapped": "net"}
    assert read({"go.py": CODE.format(**parts)}, "python go.py --model baseline").model_name == "baseline"


ON_OUTPUT = """
from {library}.applications import ResNet50
from {library}.layers import Dense, Dropout, GlobalAveragePooling2D
from {library}.models import Model
base = ResNet50(include_top=False, weights="imagenet")
y = Dropout(0.2)(GlobalAveragePooling2D()({tensor}))
model = Model(inputs=base.input, outputs=Dense(5, activation="softmax")(y))
model.compile(optimizer="adam", loss="categorical_crossentropy")
model.fit(rows, kinds, epochs=4, batch_size=2)
"""


@pytest.mark.parametrize("library", ["keras", "tensorflow.keras"])
@pytest.mark.parametrize("tensor", ["base.output", "base.outputs[0]", "base.get_layer('top').output"])
def test_a_head_on_a_ready_networks_output_makes_no_network_of_its_own(read, library, tensor):
    job = read({"go.py": ON_OUTPUT.format(library=library, tensor=tensor)}, "python go.py")
    assert (job.model_name, job.model_type, job.task) == ("ResNet50", "cnn", "CV")


ON_WORDS = """
import tensorflow as tf
from transformers import TFBertModel
base = TFBertModel.from_pretrained("bert-base-cased")
words = tf.keras.Input((64,), dtype="int32")
model = tf.keras.Model(words, tf.keras.layers.Dense(2)({tensor}))
model.compile("adam", "mse")
model.fit(rows, kinds, epochs=4, batch_size=2)
"""


@pytest.mark.parametrize("tensor", ["base(words)[1]", "base(words).last_hidden_state[:, 0]", "base(words)[0][:, 0, :]"])
def test_a_head_on_what_loaded_weights_give_is_named_after_these(read, tensor):
    job = read({"go.py": ON_WORDS.format(tensor=tensor)}, "python go.py")
    assert (job.model_name, job.model_type) == ("bert-base-cased", "transformer")


def test_what_stands_under_a_head_and_is_only_fetched_is_no_network_of_dense_layers(read):
    code = ON_WORDS.replace("from transformers import TFBertModel", "import tensorflow_hub")
    code = code.replace('TFBertModel.from_pretrained("bert-base-cased")', 'tensorflow_hub.KerasLayer("https://a/b/3")')
    job = read({"go.py": code.format(tensor="base(words)")}, "python go.py")
    assert (job.is_training, job.model_name, job.model_type) == (True, None, None)


PARTS = """
import torch
from torchvision import models

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.below = models.vgg16(pretrained=True).features
        self.head = torch.nn.Linear(512, 5)
    def forward(self, x):
        return self.head(self.below(x).mean((2, 3)))

net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in read():
    net(x).sum().backward()
    optimizer.step()
"""


def test_a_network_on_a_part_of_a_ready_one_is_of_its_type(read):
    assert read({"go.py": PARTS}, "python go.py").model_type == "cnn"
