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
